// Files in the perp layout: made with HDF5 and wrong in meaning, or made by perp and wrong in
// bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5_tree.hpp"
#include "temporary.hpp"

using namespace perp_fuzz;

namespace {

// Compressed columns with `each` entries per column, in different rows.
void matrix(Input& in, Tree& tree, const std::string& path, std::int64_t rows, std::int64_t cols,
            bool diagonal) {
    tree.group(path);
    tree.attribute(path, "rows", rows);
    tree.attribute(path, "cols", cols);
    std::vector<std::int64_t> start{0}, index;
    std::vector<double> values;
    for (std::int64_t j = 0; j < cols; ++j) {
        if (diagonal) {
            index.push_back(j);
            values.push_back(in.positive());
        } else if (rows > 0) {
            index.push_back((j + in.below(3)) % rows);
            values.push_back(in.modest());
        }
        start.push_back(static_cast<std::int64_t>(index.size()));
    }
    tree.integers(path + "/col_ptr", start);
    tree.integers(path + "/row_idx", index);
    tree.reals(path + "/values", values);
}

void vector(Input& in, Tree& tree, const std::string& path, std::int64_t size) {
    std::vector<double> v;
    for (std::int64_t i = 0; i < size; ++i) v.push_back(in.positive());
    tree.reals(path, v);
}

void contacts(Input& in, Tree& tree, std::int64_t n, std::int64_t version) {
    const std::int64_t r = in.below(3), t = version == 1 ? 2 * r : r * in.below(3),
                       a = version == 1 ? 3 * r * in.below(2) : r * in.below(4);
    tree.group("contacts");
    matrix(in, tree, "contacts/N", r, n, false);
    if (t > 0 || in.flag()) matrix(in, tree, "contacts/D", t, n, false);
    if (a > 0 || in.flag()) matrix(in, tree, "contacts/S", a, n, false);
    vector(in, tree, "contacts/b_N", r);
    if (in.flag()) vector(in, tree, "contacts/b_T", t);
    if (in.flag()) vector(in, tree, "contacts/b_S", a);
    if (in.byte() < 240) vector(in, tree, "contacts/mu", r);
    if (in.flag()) vector(in, tree, "contacts/rho", r);
    if (in.flag()) vector(in, tree, "contacts/sigma", r);
    if (in.flag()) vector(in, tree, "contacts/compliance_N", r);
    if (in.flag()) vector(in, tree, "contacts/compliance_T", t);
    if (in.flag()) vector(in, tree, "contacts/compliance_S", a);
    if (!in.flag()) return;
    tree.group("box");
    tree.reals("box/lo", std::vector<double>(static_cast<std::size_t>(t), -1.0));
    vector(in, tree, "box/hi", t);
    if (!in.flag()) return;
    tree.group("solution");
    vector(in, tree, "solution/lambda_N", r);
    vector(in, tree, "solution/lambda_T", t);
    vector(in, tree, "solution/lambda_S", 3 * r);
}

Tree dynamics(Input& in) {
    Tree tree;
    const std::int64_t version = 1 + in.below(2), n = 1 + in.below(4);
    tree.attribute("/", "version", version);
    tree.group("dynamics");
    matrix(in, tree, "dynamics/M", n, n, true);
    vector(in, tree, "dynamics/f", n);
    if (in.flag()) {
        const std::int64_t m = in.below(3);
        tree.group("bilateral");
        matrix(in, tree, "bilateral/A", m, n, false);
        vector(in, tree, "bilateral/u", m);
        if (in.flag()) vector(in, tree, "bilateral/compliance", m);
    }
    if (in.byte() < 200) contacts(in, tree, n, version);
    if (in.flag()) {
        const std::int64_t k = in.below(3);
        tree.group("box_rows");
        matrix(in, tree, "box_rows/B", k, n, false);
        tree.reals("box_rows/lo", std::vector<double>(static_cast<std::size_t>(k), -1.0));
        vector(in, tree, "box_rows/hi", k);
        if (in.flag()) vector(in, tree, "box_rows/b", k);
        if (in.flag()) vector(in, tree, "box_rows/compliance", k);
    }
    return tree;
}

Tree blcp(Input& in) {
    Tree tree;
    const std::int64_t p = in.below(5);
    tree.attribute("/", "version", 1);
    tree.group("blcp");
    matrix(in, tree, "blcp/H", p, p, in.flag());
    vector(in, tree, "blcp/q", p);
    tree.reals("blcp/lo", std::vector<double>(static_cast<std::size_t>(p), -1.0));
    vector(in, tree, "blcp/hi", p);
    if (in.flag()) {
        tree.group("solution");
        vector(in, tree, "solution/z", p);
    }
    return tree;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input in(data, size);
    const std::string file = temporary().at("perp.h5");
    const std::int64_t mode = in.below(4);
    if (mode < 3) {
        Input changes(data + size / 2, size - size / 2);
        Tree tree = mode == 2 ? blcp(in) : dynamics(in);
        tree.damage(changes);
        tree.write(file);
    } else if (!write_damaged(in, static_cast<int>(in.below(3)), PERP_LAYOUT_PERP, file)) {
        return 0;
    }
    read_and_use(in, file);
    return 0;
}
