// Files in FCLIB's layouts: made with HDF5 and wrong in meaning, or made by perp and wrong in
// bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5_tree.hpp"
#include "temporary.hpp"

using namespace perp_fuzz;

namespace {

// In one of the three storages: triplets, compressed columns, compressed rows.
void matrix(Input& in, Tree& tree, const std::string& path, std::int64_t rows, std::int64_t cols,
            bool diagonal) {
    const std::int64_t storage = in.below(3);
    const std::int64_t major = storage == 1 ? cols : rows, minor = storage == 1 ? rows : cols;
    std::vector<std::int64_t> major_index, minor_index, start{0};
    std::vector<double> values;
    for (std::int64_t j = 0; j < major; ++j) {
        if (minor > 0) {
            major_index.push_back(j);
            minor_index.push_back(diagonal ? j % minor : (j + in.below(3)) % minor);
            values.push_back(diagonal ? in.positive() : in.modest());
        }
        start.push_back(static_cast<std::int64_t>(values.size()));
    }
    const auto count = static_cast<std::int64_t>(values.size());
    tree.group(path);
    tree.integers(path + "/m", {rows});
    tree.integers(path + "/n", {cols});
    tree.integers(path + "/nz", {storage == 0 ? count : -storage});
    tree.integers(path + "/nzmax", {count});
    tree.integers(path + "/i", storage == 0 ? major_index : minor_index);
    tree.integers(path + "/p", storage == 0 ? minor_index : start);
    tree.reals(path + "/x", values);
}

void vector(Input& in, Tree& tree, const std::string& path, std::int64_t size) {
    std::vector<double> v;
    for (std::int64_t i = 0; i < size; ++i) v.push_back(in.positive());
    tree.reals(path, v);
}

Tree local(Input& in, const std::string& name, std::int64_t dimension) {
    Tree tree;
    const std::int64_t contacts = in.below(3), p = contacts * dimension, m = in.below(3);
    tree.group(name);
    tree.integers(name + "/spacedim", {dimension});
    tree.group(name + "/vectors");
    matrix(in, tree, name + "/W", p, p, in.flag());
    vector(in, tree, name + "/vectors/q", p);
    vector(in, tree, name + "/vectors/mu", contacts);
    if (dimension == 5 || in.flag()) vector(in, tree, name + "/vectors/mu_r", contacts);
    if (m > 0) {
        matrix(in, tree, name + "/V", p, m, false);
        if (in.flag()) matrix(in, tree, name + "/R", m, m, true);
        vector(in, tree, name + "/vectors/s", m);
    }
    if (in.flag()) {
        tree.group("solution");
        vector(in, tree, "solution/r", p);
        vector(in, tree, "solution/l", m);
    }
    return tree;
}

Tree global(Input& in, const std::string& name, std::int64_t dimension) {
    Tree tree;
    const std::int64_t contacts = in.below(3), p = contacts * dimension, n = 1 + in.below(4),
                       m = in.below(3);
    tree.group(name);
    tree.integers(name + "/spacedim", {dimension});
    tree.group(name + "/vectors");
    matrix(in, tree, name + "/M", n, n, true);
    matrix(in, tree, name + "/H", n, p, false);
    vector(in, tree, name + "/vectors/f", n);
    if (in.flag()) vector(in, tree, name + "/vectors/w", p);
    vector(in, tree, name + "/vectors/mu", contacts);
    if (dimension == 5 || in.flag()) vector(in, tree, name + "/vectors/mu_r", contacts);
    if (m > 0) {
        matrix(in, tree, name + "/G", n, m, false);
        vector(in, tree, name + "/vectors/b", m);
    }
    return tree;
}

Tree instance(Input& in) {
    const std::int64_t dimension = in.flag() ? 3 : 2;
    switch (in.below(4)) {
        case 0:
            return local(in, "fclib_local", dimension);
        case 1:
            return local(in, "fclib_local_rolling", 5);
        case 2:
            return global(in, "fclib_global", dimension);
        default:
            return global(in, "fclib_global_rolling", 5);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input in(data, size);
    const std::string file = temporary().at("fclib.h5");
    if (in.below(4) < 3) {
        Input changes(data + size / 2, size - size / 2);
        Tree tree = instance(in);
        tree.damage(changes);
        tree.write(file);
    } else if (!write_damaged(in, in.flag() ? 0 : 3, PERP_LAYOUT_FCLIB, file)) {
        return 0;
    }
    read_and_use(in, file);
    return 0;
}
