#include "hdf5_tree.hpp"

#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "make.hpp"
#include "temporary.hpp"

namespace perp_fuzz {

void Tree::group(const std::string& path) {
    Item item;
    item.path = path;
    items_.push_back(item);
}

void Tree::reals(const std::string& path, std::vector<double> values) {
    Item item;
    item.kind = Kind::dataset;
    item.path = path;
    item.shape = {values.size()};
    item.reals = std::move(values);
    items_.push_back(item);
}

void Tree::integers(const std::string& path, std::vector<std::int64_t> values) {
    Item item;
    item.kind = Kind::dataset;
    item.type = Type::integer;
    item.path = path;
    item.shape = {values.size()};
    item.integers = std::move(values);
    items_.push_back(item);
}

void Tree::text(const std::string& path, const std::string& value) {
    Item item;
    item.kind = Kind::dataset;
    item.type = Type::text;
    item.path = path;
    item.text = value;
    items_.push_back(item);
}

void Tree::attribute(const std::string& path, const std::string& name, std::int64_t value) {
    Item item;
    item.kind = Kind::attribute;
    item.type = Type::integer;
    item.path = path + ":" + name;
    item.integers = {value};
    items_.push_back(item);
}

// ---------------------------------------------------------------------------
// Damage

namespace {

void resize(Item& item, std::size_t size) {
    item.reals.resize(size, 0.5);
    item.integers.resize(size, 1);
    if (!item.shape.empty()) item.shape[0] = size;
}

}  // namespace

void Tree::change(Input& in, Item& item) {
    const std::size_t size = std::max(item.reals.size(), item.integers.size());
    switch (in.below(9)) {
        case 0:
            item.path += in.text(3);
            break;
        case 1:
            item.kind = static_cast<Kind>(in.below(3));
            break;
        case 2:
            item.type = static_cast<Type>(in.below(3));
            break;
        case 3:
            item.storage = in.byte();
            break;
        case 4: {  // same values, another rank; or a shape without values
            const std::int64_t rank = in.below(4);
            item.shape.assign(static_cast<std::size_t>(rank), 1);
            if (rank > 0) item.shape[0] = size;
            if (rank > 0 && in.seldom()) item.shape[0] = static_cast<std::uint64_t>(in.integer());
            break;
        }
        case 5:
            resize(item, static_cast<std::size_t>(in.below(12)));
            break;
        case 6:
            resize(item, size + 1);
            break;
        default:  // mostly values
            if (size == 0) break;
            const auto k = static_cast<std::size_t>(in.below(static_cast<std::int64_t>(size)));
            if (k < item.reals.size()) item.reals[k] = in.real();
            if (k < item.integers.size()) item.integers[k] = in.integer();
    }
}

void Tree::damage(Input& in) {
    for (std::int64_t k = in.below(5); k > 0 && !items_.empty(); --k) {
        const std::int64_t at = in.below(static_cast<std::int64_t>(items_.size()));
        if (in.seldom()) {
            items_.erase(items_.begin() + at);
        } else {
            change(in, items_[static_cast<std::size_t>(at)]);
        }
    }
}

// ---------------------------------------------------------------------------
// Writing. Whatever HDF5 refuses is left out of the file.

namespace {

class Id {
public:
    Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Id() {
        if (id_ >= 0) close_(id_);
    }
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    operator hid_t() const { return id_; }  // NOLINT: as HDF5 itself takes them

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

hid_t type_of(const Item& item) {
    switch (item.type) {
        case Type::real: {
            const hid_t stored[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_STD_I32LE};
            return H5Tcopy(stored[item.storage % 4]);
        }
        case Type::integer: {
            const hid_t stored[] = {H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_U64BE,
                                    H5T_STD_I8LE,  H5T_STD_B64LE, H5T_IEEE_F64LE};
            return H5Tcopy(stored[item.storage % 6]);
        }
        default: {
            const hid_t type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, item.storage % 2 == 0 ? item.text.size() + 1 : H5T_VARIABLE);
            return type;
        }
    }
}

hid_t space_of(const Item& item) {
    if (item.storage % 32 == 31) return H5Screate(H5S_NULL);
    if (item.shape.empty()) return H5Screate(H5S_SCALAR);
    const std::vector<hsize_t> dims(item.shape.begin(), item.shape.end());
    return H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
}

// Compressed chunks now and then: a file can then hold more than its size.
hid_t layout_of(const Item& item) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (item.storage / 32 % 2 == 1 && !item.shape.empty()) {
        const std::vector<hsize_t> chunk(item.shape.size(), 4);
        H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data());
        if (item.storage / 64 % 2 == 1) H5Pset_deflate(list, 1);
    }
    return list;
}

bool values_fit(const Item& item, hid_t space) {
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const std::size_t size = item.type == Type::real ? item.reals.size() : item.integers.size();
    return item.type == Type::text ? points == 1
                                   : points > 0 && static_cast<std::size_t>(points) <= size;
}

// Calls write(memory type, values) where the item has enough values.
template <class Write>
void write_values(const Item& item, hid_t type, hid_t space, const Write& write) {
    if (!values_fit(item, space)) return;
    const char* start = item.text.c_str();
    if (item.type == Type::real) {
        write(H5T_NATIVE_DOUBLE, item.reals.data());
    } else if (item.type == Type::integer) {
        write(H5T_NATIVE_INT64, item.integers.data());
    } else if (item.storage % 2 == 0) {
        write(type, start);
    } else {
        write(type, &start);
    }
}

void write_item(hid_t file, const Item& item) {
    const std::size_t colon = item.path.find(':');
    const Id type(type_of(item), H5Tclose), space(space_of(item), H5Sclose);
    if (item.kind == Kind::group) {
        const Id made(H5Gcreate2(file, item.path.c_str(), 0, 0, 0), H5Gclose);
    } else if (item.kind == Kind::dataset) {
        const Id list(layout_of(item), H5Pclose);
        const Id made(H5Dcreate2(file, item.path.c_str(), type, space, 0, list, 0), H5Dclose);
        if (made >= 0)
            write_values(item, type, space, [&](hid_t memory, const void* values) {
                H5Dwrite(made, memory, 0, 0, 0, values);
            });
    } else {
        const std::string object = item.path.substr(0, colon);
        const std::string name = colon == std::string::npos ? "x" : item.path.substr(colon + 1);
        const Id made(H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, 0, 0, 0),
                      H5Aclose);
        if (made >= 0)
            write_values(item, type, space,
                         [&](hid_t memory, const void* values) { H5Awrite(made, memory, values); });
    }
}

}  // namespace

void Tree::write(const std::string& file) const {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    const Id made(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, 0, access), H5Fclose);
    require(made >= 0, "HDF5 makes a file");
    for (const Item& item : items_) write_item(made, item);
    H5Eclear2(H5E_DEFAULT);
}

// ---------------------------------------------------------------------------
// Reading with perp

namespace {

void write_and_read_again(const perp_problem* problem) {
    const std::string copy = temporary().at("copy.h5");
    std::remove(copy.c_str());
    const std::int32_t status =
        perp_problem_write(problem, copy.c_str(), PERP_LAYOUT_AUTO, "title", nullptr);
    check_status(status);
    if (status != PERP_OK) {
        require(status == PERP_UNSUPPORTED, "only what the layout lacks is refused");
        require(read_file(copy).empty(), "a failed write leaves no file");
        return;
    }
    perp_problem* again = nullptr;
    require(perp_problem_read(copy.c_str(), PERP_LAW_AUTO, &again) == PERP_OK,
            "what perp wrote, perp reads");
    perp_problem_info first{}, second{};
    first.struct_size = second.struct_size = sizeof first;
    perp_problem_get_info(problem, &first);
    perp_problem_get_info(again, &second);
    require(first.rows == second.rows && first.contacts == second.contacts &&
                first.bilateral == second.bilateral && first.boxes == second.boxes,
            "the copy has the same sizes");
    const auto p = static_cast<std::size_t>(first.rows);
    std::vector<double> z(p, 0.25), found(p, 7.0);
    require(perp_solution_write(again, copy.c_str(), z.data(), "fuzz") == PERP_OK,
            "a solution can be added");
    require(perp_solution_read(problem, copy.c_str(), found.data()) == PERP_OK,
            "the solution can be read");
    require(same_bits(z, found), "the solution is the same");
    perp_problem_destroy(again);
}

}  // namespace

void read_and_use(Input& in, const std::string& file) {
    const auto law = static_cast<std::int32_t>(in.below(4) % 3);  // AUTO twice as often
    perp_problem* problem = nullptr;
    const std::int32_t status = perp_problem_read(file.c_str(), law, &problem);
    check_status(status);
    require((status == PERP_OK) == (problem != nullptr), "a problem exactly on PERP_OK");
    if (problem == nullptr) {
        require(std::strstr(perp_last_message(), file.c_str()) != nullptr,
                "the message names the file");
    } else {
        std::vector<double> z(static_cast<std::size_t>(rows_of(problem)), 7.0);
        const std::vector<double> before = z;
        const std::int32_t solution = perp_solution_read(problem, file.c_str(), z.data());
        check_status(solution);
        if (solution != PERP_OK) require(same_bits(z, before), "z is untouched on failure");
        const bool copy = in.flag();
        read_all(in, problem);
        solve_all(in, problem);
        if (copy) write_and_read_again(problem);
        perp_problem_destroy(problem);
    }
    require(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL) == 0,
            "no handle of HDF5 stays open");
}

bool write_damaged(Input& in, int kind, std::int32_t layout, const std::string& file) {
    Sizes sizes;
    perp_system* system = kind < 2 ? make_system(in, sizes) : nullptr;
    perp_problem* problem = nullptr;
    if (system != nullptr) {
        problem = make_assembled(in, system, sizes, kind == 0 ? PERP_LAW_CONE : PERP_LAW_BOX);
    } else if (kind >= 2) {
        problem = kind == 2 ? make_blcp(in) : make_delassus(in);
    }
    perp_system_destroy(system);
    if (problem == nullptr) return false;
    std::remove(file.c_str());
    const std::int32_t status = perp_problem_write(problem, file.c_str(), layout, "t", nullptr);
    check_status(status);
    if (status == PERP_OK && in.flag()) {
        const std::vector<double> z(static_cast<std::size_t>(rows_of(problem)), 0.5);
        require(perp_solution_write(problem, file.c_str(), z.data(), "s") == PERP_OK,
                "a solution can be added");
    }
    perp_problem_destroy(problem);
    if (status != PERP_OK) return false;
    std::string bytes = read_file(file);
    for (std::int64_t k = in.below(6); k > 0; --k) {
        const auto at = (static_cast<std::size_t>(in.byte()) * 256U + in.byte()) % bytes.size();
        bytes[at] = static_cast<char>(bytes[at] ^ in.byte());
    }
    if (in.seldom()) bytes.resize(bytes.size() - (in.byte() * bytes.size()) / 256);
    write_file(file, bytes);
    return true;
}

}  // namespace perp_fuzz
