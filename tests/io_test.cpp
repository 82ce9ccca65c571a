// Instance and solution files: round trips of every shape, every storage, damaged files.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "io/hdf5_file.hpp"
#include "io/instance.hpp"
#include "io/replace_file.hpp"
#include "io/stored_matrix.hpp"
#include "problem/residual.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------------------
// Places and files

class Io : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        directory_ = fs::path(::testing::TempDir()) /
                     (std::string("perp_io_") + info->name() + "_" + std::to_string(::getpid()));
        fs::create_directories(directory_);
    }
    void TearDown() override { fs::remove_all(directory_); }
    [[nodiscard]] std::string at(const std::string& name) const {
        return (directory_ / name).string();
    }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
    }

    fs::path directory_;
};

Bytes read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto all = std::as_bytes(std::span(text));
    return {all.begin(), all.end()};
}

void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

// Changes a file through the same layer that reads it.
void edit(const std::string& path, const std::function<void(hdf5::Group&)>& change) {
    replace_file(path, hdf5::make_image(path, read_bytes(path), change));
}

template <class Value>
void replace(hdf5::Group&& group, const std::string& name, const Value& value) {
    if (group.has(name)) group.remove(name);
    if constexpr (std::is_same_v<Value, std::string>) {
        group.write_text(name, value);
    } else {
        group.write(name, value);
    }
}

// The call must fail with this status, and the message must hold every piece of text.
void expect_error(Status status, const std::vector<std::string>& pieces,
                  const std::function<void()>& call) {
    try {
        call();
        ADD_FAILURE() << "no error; expected " << ::testing::PrintToString(pieces);
    } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.status()), static_cast<int>(status)) << error.what();
        for (const std::string& piece : pieces)
            EXPECT_NE(std::string(error.what()).find(piece), std::string::npos)
                << error.what() << "\nlacks: " << piece;
    }
}

// ---------------------------------------------------------------------------
// Problems

struct Shape {
    std::int64_t m = 0, r = 0;
    int t = 2, a = 0;
    std::int64_t k = 0;
    Law law = Law::cone;
    bool vectors = true;  // b_*
    bool compliance = false;
};

class Maker {
public:
    explicit Maker(std::uint64_t seed) : random_(seed) {}

    double real(double lo = -1.0, double hi = 1.0) {
        return std::uniform_real_distribution<double>(lo, hi)(random_);
    }
    std::vector<double> reals(std::int64_t count, double lo = -1.0, double hi = 1.0) {
        std::vector<double> v(static_cast<std::size_t>(count));
        for (double& x : v) x = real(lo, hi);
        return v;
    }
    TripletList sparse(std::int64_t rows, std::int64_t cols, double density = 0.4) {
        TripletList m;
        m.rows = rows;
        m.cols = cols;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < cols; ++j)
                if (j == i % cols || real(0, 1) < density) m.add(i, j, real());
        return m;
    }
    // Symmetric to the bit and diagonally dominant.
    TripletList definite(std::int64_t n) {
        TripletList m;
        m.rows = m.cols = n;
        for (std::int64_t i = 0; i < n; ++i) {
            m.add(i, i, 2.0 + real());
            if (i + 1 < n && i % 3 != 2) {
                const double x = 0.3 * real();
                m.add(i, i + 1, x);
                m.add(i + 1, i, x);
            }
        }
        return m;
    }
    Problem assembled(const Shape& s, std::int64_t n = 7);
    Problem blcp(std::int64_t p);
    Problem delassus(ContactShape shape, std::int64_t contacts, std::int64_t equalities);

private:
    std::mt19937_64 random_;
};

Problem Maker::assembled(const Shape& s, std::int64_t n) {
    const std::int64_t t = s.r * s.t;
    const std::int64_t a = s.r * s.a;
    const TripletList M = definite(n), A = sparse(s.m, n), N = sparse(s.r, n), D = sparse(t, n),
                      S = sparse(a, n), B = sparse(s.k, n);
    SystemTriplets given;
    given.M = M.view();
    given.A = A.view();
    given.N = N.view();
    given.D = D.view();
    given.S = S.view();
    given.B = B.view();
    ContactRows rows;
    rows.f = reals(n);
    rows.mu = reals(s.r, 0, 1);
    if (s.a > 0) rows.rho = reals(s.r, 0, 0.1);
    if (s.a == 3) rows.sigma = reals(s.r, 0, 0.1);
    if (s.law == Law::box) {
        rows.lo_T = reals(t, -1, 0);
        rows.hi_T = reals(t, 0, 1);
    }
    rows.lo_B = reals(s.k, -1, 0);
    rows.hi_B = std::vector<double>(static_cast<std::size_t>(s.k), infinity);
    if (s.vectors) {
        rows.u = reals(s.m);
        rows.b_N = reals(s.r);
        rows.b_T = reals(t);
        rows.b_S = reals(a);
        rows.b_B = reals(s.k);
    }
    if (s.compliance) {
        rows.compliance_A = reals(s.m, 0, 1);
        rows.compliance_N = reals(s.r, 0, 1);
        rows.compliance_T = reals(t, 0, 1);
        rows.compliance_S = reals(a, 0, 1);
        rows.compliance_B = reals(s.k, 0, 1);
    }
    return Problem::assemble(std::make_shared<const System>(given), std::move(rows), s.law);
}

Problem Maker::blcp(std::int64_t p) {
    const TripletList H = sparse(p, p);
    std::vector<double> lo = reals(p, -1, 0);
    std::vector<double> hi = reals(p, 0, 1);
    if (p > 2) {
        lo[0] = -infinity;
        hi[1] = infinity;
        lo[2] = -infinity;
        hi[2] = infinity;
    }
    return Problem::general_blcp(H.view(), reals(p), std::move(lo), std::move(hi));
}

Problem Maker::delassus(ContactShape shape, std::int64_t contacts, std::int64_t equalities) {
    DelassusForm form;
    form.shape = shape;
    const std::int64_t p = contacts * shape.rows();
    const TripletList W = definite(p), V = sparse(p, equalities), R = definite(equalities);
    form.W = W.view();
    if (equalities > 0) form.V = V.view();
    if (equalities > 1) form.R = R.view();
    form.q = reals(p);
    form.s = reals(equalities);
    form.mu = reals(contacts, 0, 1);
    if (shape.roll > 0) form.rho = reals(contacts, 0, 0.1);
    return Problem::delassus(form);
}

std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (const int t : {0, 1, 2})
        for (const int a : {0, 1, 2, 3})
            for (const bool extra : {false, true})
                shapes.push_back({extra ? 2 : 0, 3, t, a, extra ? 2 : 0, Law::cone, true, extra});
    for (const int t : {0, 1, 2})
        for (const bool extra : {false, true})
            shapes.push_back({extra ? 2 : 0, 3, t, 0, extra ? 1 : 0, Law::box, true, extra});
    shapes.push_back({2, 0, 0, 0, 0});
    shapes.push_back({0, 0, 0, 0, 0});
    shapes.push_back({0, 0, 0, 0, 2, Law::box});
    shapes.push_back({1, 2, 2, 3, 0, Law::cone, false});
    return shapes;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
               return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
           });
}

void expect_same(const Csr& a, const Csr& b, const char* name) {
    EXPECT_EQ(a.rows, b.rows) << name;
    EXPECT_TRUE(a.rows == 0 || a.cols == b.cols) << name;
    EXPECT_EQ(a.start, b.start) << name;
    EXPECT_EQ(a.index, b.index) << name;
    EXPECT_TRUE(same_bits(a.value, b.value)) << name;
}

void expect_same(const ContactRows& a, const ContactRows& b, Law law) {
    using Member = std::vector<double> ContactRows::*;
    const Member members[] = {&ContactRows::f,
                              &ContactRows::u,
                              &ContactRows::b_N,
                              &ContactRows::b_T,
                              &ContactRows::b_S,
                              &ContactRows::compliance_A,
                              &ContactRows::compliance_N,
                              &ContactRows::compliance_T,
                              &ContactRows::compliance_S,
                              &ContactRows::mu,
                              &ContactRows::rho,
                              &ContactRows::sigma,
                              &ContactRows::b_B,
                              &ContactRows::compliance_B,
                              &ContactRows::lo_B,
                              &ContactRows::hi_B};
    for (std::size_t k = 0; k < std::size(members); ++k)
        EXPECT_TRUE(same_bits(a.*members[k], b.*members[k])) << "vector " << k;
    if (law == Law::cone) return;
    EXPECT_TRUE(same_bits(a.lo_T, b.lo_T));
    EXPECT_TRUE(same_bits(a.hi_T, b.hi_T));
}

void expect_same(const Problem& a, const Problem& b) {
    ASSERT_EQ(a.assembled() != nullptr, b.assembled() != nullptr);
    ASSERT_EQ(a.rows(), b.rows());
    if (a.assembled() != nullptr) {
        ASSERT_EQ(a.assembled()->law, b.assembled()->law);
        EXPECT_TRUE(a.assembled()->system->shape() == b.assembled()->system->shape());
        for (int k = 0; k < 6; ++k) {
            const auto which = static_cast<SystemMatrix>(k);
            expect_same(a.assembled()->system->matrix(which), b.assembled()->system->matrix(which),
                        name(which));
        }
        expect_same(a.assembled()->rows, b.assembled()->rows, a.assembled()->law);
    } else {
        EXPECT_EQ(a.matrix()->delassus, b.matrix()->delassus);
        expect_same(a.matrix()->main.csr(), b.matrix()->main.csr(), "H or W");
        expect_same(a.matrix()->V.csr(), b.matrix()->V.csr(), "V");
        expect_same(a.matrix()->R.csr(), b.matrix()->R.csr(), "R");
        EXPECT_TRUE(same_bits(a.matrix()->q, b.matrix()->q));
    }
    EXPECT_TRUE(a.set().shape == b.set().shape);
    EXPECT_EQ(a.set().contact_row, b.set().contact_row);
    EXPECT_EQ(a.set().scalar_row, b.set().scalar_row);
    EXPECT_TRUE(same_bits(a.set().mu, b.set().mu) && same_bits(a.set().rho, b.set().rho) &&
                same_bits(a.set().sigma, b.set().sigma));
    EXPECT_TRUE(same_bits(a.set().lo, b.set().lo) && same_bits(a.set().hi, b.set().hi));
    EXPECT_TRUE(same_bits(a.free_velocity(), b.free_velocity()));
}

void expect_round_trip(const Problem& problem, const std::string& path, Layout layout) {
    write_problem(problem, path, layout, "title", "source");
    expect_same(problem, read_problem(path, std::nullopt));
}

// ---------------------------------------------------------------------------
// Round trips

TEST_F(Io, PerpLayoutHoldsEveryShape) {
    std::uint64_t seed = 1;
    for (const Shape& shape : all_shapes()) {
        SCOPED_TRACE(::testing::Message() << "t " << shape.t << " a " << shape.a << " m " << shape.m
                                          << " k " << shape.k << " r " << shape.r);
        const Problem problem = Maker(seed++).assembled(shape);
        expect_round_trip(problem, at("a.h5"), Layout::automatic);
        const bool first = (shape.r == 0 ||
                            (shape.t == 2 && (shape.a == 0 || (shape.a == 3 && !shape.vectors)))) &&
                           shape.k == 0;
        EXPECT_EQ(hdf5::File(at("a.h5")).root().integer_attribute("version"), first ? 1 : 2);
    }
    EXPECT_EQ(files(), 1);  // nothing temporary is left
}

TEST_F(Io, PerpLayoutHoldsGeneralBlcps) {
    for (const std::int64_t p : {0, 1, 2, 9})
        expect_round_trip(Maker(7).blcp(p), at("b.h5"), Layout::automatic);
}

TEST_F(Io, FclibLayoutHoldsConesWithoutExtras) {
    for (const auto& [t, a] : {std::pair{1, 0}, {2, 0}, {2, 2}})
        for (const std::int64_t m : {0, 2})
            for (const std::int64_t r : {1, 4}) {
                const Problem problem = Maker(11).assembled({m, r, t, a});
                expect_round_trip(problem, at("g.h5"), Layout::fclib);
                EXPECT_TRUE(hdf5::File(at("g.h5"))
                                .root()
                                .has(a > 0 ? "fclib_global_rolling" : "fclib_global"));
            }
    expect_round_trip(Maker(12).assembled({1, 0, 0, 0}), at("g.h5"), Layout::fclib);
}

TEST_F(Io, FclibLayoutHoldsDelassusForms) {
    for (const ContactShape& shape :
         {ContactShape{1, 0, 0}, ContactShape{2, 0, 0}, ContactShape{2, 0, 2}})
        for (const std::int64_t equalities : {0, 1, 3}) {
            const Problem problem = Maker(13).delassus(shape, 3, equalities);
            expect_round_trip(problem, at("l.h5"), Layout::automatic);
            EXPECT_TRUE(hdf5::File(at("l.h5"))
                            .root()
                            .has(shape.roll > 0 ? "fclib_local_rolling" : "fclib_local"));
        }
    expect_round_trip(Maker(13).delassus({2, 0, 0}, 0, 0), at("l.h5"), Layout::automatic);
}

TEST_F(Io, LayoutsRefuseWhatTheyCannotHold) {
    write_problem(Maker(1).blcp(4), at("old.h5"), Layout::perp, "", "");
    const Bytes before = read_bytes(at("old.h5"));
    const auto refuses = [&](const Problem& problem, Layout layout, const std::string& why) {
        expect_error(Status::unsupported, {at("old.h5"), why},
                     [&] { write_problem(problem, at("old.h5"), layout, "", ""); });
    };
    refuses(Maker(2).delassus({2, 0, 0}, 2, 0), Layout::perp, "Delassus");
    refuses(Maker(2).delassus({2, 1, 2}, 2, 0), Layout::fclib, "1 spinning");
    refuses(Maker(2).delassus({0, 0, 0}, 2, 0), Layout::fclib, "0 sliding");
    refuses(Maker(2).blcp(3), Layout::fclib, "general BLCP");
    refuses(Maker(2).assembled({0, 2, 2, 0, 0, Law::box}), Layout::fclib, "box law");
    refuses(Maker(2).assembled({0, 2, 2, 0, 1}), Layout::fclib, "box rows");
    refuses(Maker(2).assembled({0, 2, 2, 0, 0, Law::cone, true, true}), Layout::fclib,
            "compliance");
    refuses(Maker(2).assembled({0, 2, 2, 3}), Layout::fclib, "1 spinning");
    refuses(Maker(2).assembled({0, 2, 1, 1}), Layout::fclib, "1 rolling");
    EXPECT_EQ(read_bytes(at("old.h5")), before);
}

// One matrix in FCLIB's three storages, with unused capacity, gives one problem.
TEST_F(Io, FclibStoragesAgree) {
    const Problem problem = Maker(17).delassus({2, 0, 0}, 3, 2);
    write_problem(problem, at("rows.h5"), Layout::fclib, "", "");
    const Csr& W = problem.matrix()->main.csr();
    const Csr columns = transpose(W);
    const auto spare = [](std::vector<std::int64_t> v) {
        v.insert(v.end(), 3, -99);
        return v;
    };
    const auto change = [&](const std::string& path, std::int64_t nz,
                            const std::vector<std::int64_t>& i, const std::vector<std::int64_t>& p,
                            std::vector<double> x) {
        fs::copy_file(at("rows.h5"), path);
        x.insert(x.end(), 3, std::numeric_limits<double>::quiet_NaN());
        edit(path, [&](const hdf5::Group& root) {
            const auto matrix = [&] { return root.group("fclib_local").group("W"); };
            replace(matrix(), "nz", std::vector{nz});
            replace(matrix(), "nzmax", std::vector<std::int64_t>{W.nonzeros() + 3});
            replace(matrix(), "i", spare(i));
            replace(matrix(), "p", p);
            replace(matrix(), "x", x);
        });
        expect_same(problem, read_problem(path, std::nullopt));
    };
    std::vector<std::int64_t> i, p;
    std::vector<double> x;
    for (std::int64_t row = W.rows - 1; row >= 0; --row)  // triplets in any order
        for (std::int64_t k = W.start[row]; k < W.start[row + 1]; ++k) {
            i.push_back(row);
            p.push_back(W.index[k]);
            x.push_back(W.value[k]);
        }
    change(at("triplets.h5"), W.nonzeros(), i, spare(p), x);
    change(at("columns.h5"), -1, {columns.index.begin(), columns.index.end()}, columns.start,
           columns.value);
    change(at("rows2.h5"), -2, {W.index.begin(), W.index.end()}, W.start, W.value);
}

TEST_F(Io, FclibTakesSpacedimAsAttributeAndAbsentOptionals) {
    const Problem problem = Maker(18).assembled({0, 3, 2, 0, 0, Law::cone, false});
    write_problem(problem, at("a.h5"), Layout::fclib, "", "");
    edit(at("a.h5"), [](const hdf5::Group& root) {
        hdf5::Group group = root.group("fclib_global");
        group.remove("spacedim");
        group.write_attribute("spacedim", std::int64_t{3});
        group.remove("info");
        group.group("vectors").remove("w");
    });
    expect_same(problem, read_problem(at("a.h5"), Law::cone));
}

TEST_F(Io, LawChoosesAmongWhatTheFileHolds) {
    const Problem box = Maker(19).assembled({1, 3, 2, 0, 0, Law::box});
    write_problem(box, at("box.h5"), Layout::perp, "", "");
    EXPECT_EQ(read_problem(at("box.h5"), std::nullopt).assembled()->law, Law::box);
    EXPECT_EQ(read_problem(at("box.h5"), Law::cone).assembled()->law, Law::cone);
    edit(at("box.h5"), [](const hdf5::Group& root) { root.group("contacts").remove("mu"); });
    expect_error(Status::file_format, {"box.h5", "/contacts/mu"},
                 [&] { read_problem(at("box.h5"), Law::cone); });
    edit(at("box.h5"), [](const hdf5::Group& root) { root.group("box").remove("hi"); });
    expect_error(Status::file_format, {"box.h5: /box/hi", "found nothing"},
                 [&] { read_problem(at("box.h5"), std::nullopt); });
    write_problem(Maker(19).assembled({1, 3, 2, 3}), at("cone.h5"), Layout::perp, "", "");
    expect_error(Status::file_format, {"cone.h5", "/contacts/S"},
                 [&] { read_problem(at("cone.h5"), Law::box); });
    write_problem(Maker(19).assembled({1, 3, 2, 0}), at("cone.h5"), Layout::perp, "", "");
    expect_error(Status::file_format, {"cone.h5", "/box/lo"},
                 [&] { read_problem(at("cone.h5"), Law::box); });
    write_problem(Maker(19).blcp(3), at("blcp.h5"), Layout::perp, "", "");
    EXPECT_EQ(read_problem(at("blcp.h5"), Law::box).rows(), 3);
    expect_error(Status::file_format, {"blcp.h5", "general BLCP"},
                 [&] { read_problem(at("blcp.h5"), Law::cone); });
    write_problem(Maker(19).delassus({1, 0, 0}, 2, 0), at("fclib.h5"), Layout::fclib, "", "");
    expect_error(Status::file_format, {"fclib.h5", "fclib_local", "cones"},
                 [&] { read_problem(at("fclib.h5"), Law::box); });
}

// ---------------------------------------------------------------------------
// Damage

TEST_F(Io, FilesThatAreNotInstances) {
    expect_error(Status::file_not_found, {at("absent.h5"), "no such file"},
                 [&] { read_problem(at("absent.h5"), std::nullopt); });
    expect_error(Status::file_not_found, {"no such file"}, [&] { read_problem("", std::nullopt); });
    expect_error(Status::file_format, {"directory"},
                 [&] { read_problem(directory_.string(), std::nullopt); });
    expect_error(Status::file_format, {"not a regular file"},
                 [&] { read_problem("/dev/null", std::nullopt); });
    const std::string text = "M v = f\n";
    write_bytes(at("text.h5"), std::as_bytes(std::span(text)));
    expect_error(Status::file_format, {"text.h5", "not an HDF5 file"},
                 [&] { read_problem(at("text.h5"), std::nullopt); });
    write_bytes(at("empty.h5"), {});
    expect_error(Status::file_format, {"empty.h5", "not an HDF5 file"},
                 [&] { read_problem(at("empty.h5"), std::nullopt); });
    write_problem(Maker(1).blcp(3), at("other.h5"), Layout::perp, "", "");
    edit(at("other.h5"), [](hdf5::Group& root) {
        root.remove("blcp");
        root.create_group("weather");
    });
    expect_error(Status::file_format, {"other.h5", "/dynamics", "weather"},
                 [&] { read_problem(at("other.h5"), std::nullopt); });
    Bytes bytes = read_bytes(at("other.h5"));
    bytes.resize(bytes.size() / 2);
    write_bytes(at("cut.h5"), bytes);
    expect_error(Status::file_format, {"cut.h5", "truncated"},
                 [&] { read_problem(at("cut.h5"), std::nullopt); });
}

// Each change of a good file is refused, naming the place, what was expected and what was found.
TEST_F(Io, DamagedPerpFiles) {
    write_problem(Maker(23).assembled({2, 3, 2, 3, 2, Law::cone, true, true}), at("good.h5"),
                  Layout::perp, "", "");
    const auto refused = [&](const std::vector<std::string>& pieces,
                             const std::function<void(hdf5::Group&)>& change,
                             Status status = Status::file_format) {
        fs::copy_file(at("good.h5"), at("bad.h5"), fs::copy_options::overwrite_existing);
        edit(at("bad.h5"), change);
        expect_error(status, pieces, [&] { read_problem(at("bad.h5"), std::nullopt); });
    };
    const auto integers = [](std::initializer_list<std::int64_t> v) {
        return std::vector<std::int64_t>(v);
    };
    refused({"bad.h5: /dynamics/f", "found nothing"},
            [](hdf5::Group& r) { r.group("dynamics").remove("f"); });
    refused({"bad.h5: /dynamics/M", "found nothing"},
            [](hdf5::Group& r) { r.group("dynamics").remove("M"); });
    refused({"/dynamics/M/values", "found nothing"},
            [](hdf5::Group& r) { r.group("dynamics").group("M").remove("values"); });
    refused({"/dynamics/M: ", "expected a group, found a dataset"},
            [](hdf5::Group& r) { replace(r.group("dynamics"), "M", std::vector{1.0}); });
    refused({"/dynamics/f: ", "expected a dataset, found a group"}, [](hdf5::Group& r) {
        r.group("dynamics").remove("f");
        r.group("dynamics").create_group("f");
    });
    refused({"/dynamics/M: expected a 6 x 6 matrix, found 7 x 7"},
            [](hdf5::Group& r) { replace(r.group("dynamics"), "f", std::vector<double>(6)); });
    refused({"/dynamics/M/col_ptr[3] = 99", "entries"}, [&](hdf5::Group& r) {
        replace(r.group("dynamics").group("M"), "col_ptr", integers({0, 1, 2, 99, 99, 99, 99, 99}));
    });
    refused({"/dynamics/M/col_ptr[2] = 1", "less than the one before, 2"}, [&](hdf5::Group& r) {
        replace(r.group("dynamics").group("M"), "col_ptr", integers({0, 2, 1, 3, 3, 3, 3, 3}));
    });
    refused({"/dynamics/M/col_ptr[0] = 1"}, [&](hdf5::Group& r) {
        replace(r.group("dynamics").group("M"), "col_ptr", integers({1, 2, 2, 3, 3, 3, 3, 3}));
    });
    refused({"/dynamics/M/col_ptr", "vector of 8 values, found one of 2"}, [&](hdf5::Group& r) {
        replace(r.group("dynamics").group("M"), "col_ptr", integers({0, 1}));
    });
    refused({"/dynamics/M/col_ptr", "whole numbers, found real numbers"}, [](hdf5::Group& r) {
        replace(r.group("dynamics").group("M"), "col_ptr", std::vector<double>(8));
    });
    refused({"/contacts/b_N", "real numbers, found text"},
            [](hdf5::Group& r) { replace(r.group("contacts"), "b_N", std::string("none")); });
    refused({"/contacts/mu", "vector of 3 values, found one of 4"},
            [](hdf5::Group& r) { replace(r.group("contacts"), "mu", std::vector<double>(4)); });
    refused({"/contacts/D: has 6 rows; 4 contacts"}, [](hdf5::Group& r) {
        replace(r.group("contacts"), "b_N", std::vector<double>(4));
        hdf5::Group contacts = r.group("contacts");
        contacts.remove("N");
        Csr empty;
        empty.rows = 4;
        empty.cols = 7;
        empty.start.resize(5);
        write_compressed_columns(contacts, "N", empty);
    });
    refused({"/contacts/N: expected a 5 x 7 matrix, found 3 x 7"},
            [](hdf5::Group& r) { replace(r.group("contacts"), "b_N", std::vector<double>(5)); });
    refused({"/bilateral/A: expected a 1 x 7 matrix, found 2 x 7"},
            [](hdf5::Group& r) { replace(r.group("bilateral"), "u", std::vector{0.0}); });
    refused({"/box_rows/hi", "vector of 2"},
            [](hdf5::Group& r) { replace(r.group("box_rows"), "hi", std::vector{0.0}); });
    refused(
        {"bad.h5: mu[1] = -1 is negative"},
        [](hdf5::Group& r) {
            replace(r.group("contacts"), "mu", std::vector{0.0, -1.0, 0.0});
        },
        Status::bad_value);
}

TEST_F(Io, DamagedIndicesVersionsAndHugeSizes) {
    write_problem(Maker(24).blcp(3), at("good.h5"), Layout::perp, "", "");
    const auto refused = [&](const std::vector<std::string>& pieces, std::int64_t rows,
                             std::int64_t version, const std::vector<std::int64_t>& index) {
        replace_file(at("bad.h5"), hdf5::make_image(at("bad.h5"), {}, [&](hdf5::Group& root) {
                         root.write_attribute("version", version);
                         hdf5::Group blcp = root.create_group("blcp");
                         hdf5::Group H = blcp.create_group("H");
                         H.write_attribute("rows", rows);
                         H.write_attribute("cols", std::int64_t{3});
                         H.write("col_ptr", std::vector<std::int64_t>{0, 1, 2, 3});
                         H.write("row_idx", index);
                         H.write("values", std::vector{1.0, 1.0, 1.0});
                         for (const char* name : {"q", "lo", "hi"})
                             blcp.write(name, std::vector<double>(3));
                     }));
        if (pieces.empty()) {
            EXPECT_EQ(read_problem(at("bad.h5"), std::nullopt).rows(), 3);
        } else {
            expect_error(Status::file_format, pieces,
                         [&] { read_problem(at("bad.h5"), std::nullopt); });
        }
    };
    refused({}, 3, 1, {0, 1, 2});
    refused({"/blcp/H/row_idx[1] = 3: outside 0..2"}, 3, 1, {0, 3, 2});
    refused({"/blcp/H/row_idx[0] = -1"}, 3, 1, {-1, 1, 2});
    refused({"/blcp/H/row_idx", "expected 3 values", "found 4"}, 3, 1, {0, 1, 2, 2});
    refused({"/blcp/H: expected a 3 x 3 matrix, found 1000000000000000 x 3"}, 1'000'000'000'000'000,
            1, {0, 1, 2});
    refused({"found -3 x 3"}, -3, 1, {0, 1, 2});
    refused({"version 3 is unknown", "1 and 2"}, 3, 3, {0, 1, 2});
}

TEST_F(Io, DamagedFclibFiles) {
    write_problem(Maker(25).delassus({2, 0, 0}, 2, 2), at("local.h5"), Layout::fclib, "", "");
    write_problem(Maker(25).assembled({1, 2, 2, 2}), at("global.h5"), Layout::fclib, "", "");
    const auto refused = [&](const std::string& good, const std::vector<std::string>& pieces,
                             const std::function<void(hdf5::Group&)>& change) {
        fs::copy_file(at(good), at("bad.h5"), fs::copy_options::overwrite_existing);
        edit(at("bad.h5"), change);
        expect_error(Status::file_format, pieces,
                     [&] { read_problem(at("bad.h5"), std::nullopt); });
    };
    using Integers = std::vector<std::int64_t>;
    const auto W = [](const hdf5::Group& r) { return r.group("fclib_local").group("W"); };
    const auto H = [](const hdf5::Group& r) { return r.group("fclib_global_rolling").group("H"); };
    refused("local.h5", {"/fclib_local/spacedim", "is 4", "2 or 3"},
            [](hdf5::Group& r) { replace(r.group("fclib_local"), "spacedim", Integers{4}); });
    refused("local.h5", {"/fclib_local/spacedim", "one value, found 2"}, [](hdf5::Group& r) {
        replace(r.group("fclib_local"), "spacedim", Integers{3, 3});
    });
    refused("local.h5", {"/fclib_local/spacedim", "found nothing"},
            [](hdf5::Group& r) { r.group("fclib_local").remove("spacedim"); });
    refused("local.h5", {"/fclib_local/spacedim", "whole numbers, found text"},
            [](hdf5::Group& r) { replace(r.group("fclib_local"), "spacedim", std::string("3")); });
    refused("local.h5", {"/fclib_local/vectors", "found nothing"},
            [](hdf5::Group& r) { r.group("fclib_local").remove("vectors"); });
    refused("local.h5", {"/fclib_local/vectors/q", "6 values, found one of 5"}, [](hdf5::Group& r) {
        replace(r.group("fclib_local").group("vectors"), "q", std::vector<double>(5));
    });
    refused("local.h5", {"/fclib_local/W: expected a 6 x 6 matrix, found 1000000000000000 x 6"},
            [&](hdf5::Group& r) { replace(W(r), "m", Integers{1'000'000'000'000'000}); });
    refused("local.h5", {"/fclib_local/W/nz", "-3", "unknown"},
            [&](hdf5::Group& r) { replace(W(r), "nz", Integers{-3}); });
    refused("local.h5", {"/fclib_local/W/p", "expected 7 values, found 3"}, [&](hdf5::Group& r) {
        replace(W(r), "p", Integers{0, 1, 2});
    });
    refused("local.h5", {"/fclib_local/W/i", "at least 1000000000000"},
            [&](hdf5::Group& r) { replace(W(r), "nz", Integers{1'000'000'000'000}); });
    refused("local.h5", {"/fclib_local/W/i[2] = 6: outside 0..5"}, [&](hdf5::Group& r) {
        Integers i = W(r).integers("i");
        i[2] = 6;
        replace(W(r), "i", i);
    });
    refused("local.h5", {"/fclib_local/V: expected a 6 x 3 matrix, found 6 x 2"},
            [](hdf5::Group& r) {
                replace(r.group("fclib_local").group("vectors"), "s", std::vector<double>(3));
            });
    refused("global.h5", {"/fclib_global_rolling/H/p[0] = 10: outside 0..9 (columns)"},
            [&](hdf5::Group& r) {
                Integers p = H(r).integers("p");
                p[0] = 10;
                replace(H(r), "p", p);
            });
    refused("global.h5", {"/fclib_global_rolling/H/x", "at least"},
            [&](hdf5::Group& r) { replace(H(r), "x", std::vector{1.0}); });
    refused(
        "global.h5", {"/fclib_global_rolling/vectors/mu_r", "found nothing"},
        [](hdf5::Group& r) { r.group("fclib_global_rolling").group("vectors").remove("mu_r"); });
    refused("global.h5", {"/fclib_global_rolling/vectors/b", "found nothing"},
            [](hdf5::Group& r) { r.group("fclib_global_rolling").group("vectors").remove("b"); });
    refused("global.h5", {"/fclib_global_rolling/vectors/f", "found text"}, [](hdf5::Group& r) {
        replace(r.group("fclib_global_rolling").group("vectors"), "f", std::string("f"));
    });
}

// Every cut and many flipped bytes: a problem or an Error, nothing else. In a child process, so
// that a crash is a failure of this test alone. Exit codes: 1 a wrong exception, 2 nothing
// failed, 3 everything failed.
int read_damaged(const std::string& path, const Bytes& good, bool cut, int count,
                 std::uint64_t seed) {
    std::mt19937_64 random(seed);
    int failed = 0, worked = 0;
    for (int k = 0; k < count; ++k) {
        Bytes bad = good;
        if (cut)
            bad.resize(good.size() * static_cast<std::size_t>(k) / static_cast<std::size_t>(count));
        for (int flips = cut ? -1 : k % 3; flips >= 0; --flips)
            bad[random() % bad.size()] ^= static_cast<std::byte>(1U << random() % 8);
        write_bytes(path, bad);
        try {
            const Problem problem = read_problem(path, std::nullopt);
            ++worked;
            read_solution(problem, path);
        } catch (const Error& error) {
            if (std::string(error.what()).find(path) == std::string::npos) return 1;
            ++failed;
        } catch (...) {
            return 1;
        }
        fs::remove(path);  // rewriting in place is slow on some file systems
    }
    return failed == 0 ? 2 : worked == 0 ? 3 : 0;
}

TEST_F(Io, TruncatedAndFlippedBytes) {
    const Problem problems[] = {Maker(31).assembled({2, 3, 2, 3, 1, Law::cone, true, true}),
                                Maker(32).assembled({1, 2, 2, 0, 0, Law::box}), Maker(33).blcp(4),
                                Maker(34).delassus({2, 0, 0}, 2, 2),
                                Maker(35).assembled({1, 2, 2, 2})};
    for (std::size_t which = 0; which < std::size(problems); ++which) {
        write_problem(problems[which], at("good.h5"),
                      which == 4 ? Layout::fclib : Layout::automatic, "t", "s");
        write_solution(problems[which], at("good.h5"),
                       std::vector<double>(static_cast<std::size_t>(problems[which].rows()), 0.5),
                       "solver", 1e-3);
        const Bytes good = read_bytes(at("good.h5"));
        for (const bool cut : {true, false}) {
            const pid_t child = ::fork();
            if (child == 0)
                ::_exit(read_damaged(at("x.h5"), good, cut, cut ? 60 : 300, 36 + which));
            int status = 0;
            ::waitpid(child, &status, 0);
            ASSERT_TRUE(WIFEXITED(status))
                << "signal " << WTERMSIG(status) << " in problem " << which;
            EXPECT_EQ(WEXITSTATUS(status), cut ? 3 : 0) << "problem " << which;
        }
    }
}

TEST_F(Io, FailedWritesLoseNothing) {
    const Problem small = Maker(41).blcp(3);
    const Problem large = Maker(42).assembled({5, 40, 2, 3}, 60);
    write_problem(small, at("a.h5"), Layout::perp, "", "");
    const Bytes before = read_bytes(at("a.h5"));
    const std::vector<double> z(static_cast<std::size_t>(large.rows()));

    struct rlimit old = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit tight = old;
    tight.rlim_cur = 4096;  // a "full disk" after 4 KiB
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    expect_error(Status::file_write, {at("a.h5"), "cannot be written"},
                 [&] { write_problem(large, at("a.h5"), Layout::perp, "", ""); });
    expect_error(Status::file_write, {at("a.h5"), "cannot be written"},
                 [&] { write_solution(large, at("a.h5"), z, "s", 0.0); });
    expect_error(Status::file_write, {at("new.h5"), "cannot be written"},
                 [&] { write_problem(large, at("new.h5"), Layout::perp, "", ""); });
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);

    EXPECT_EQ(read_bytes(at("a.h5")), before);
    EXPECT_EQ(files(), 1);
    expect_error(Status::file_write, {"absent/a.h5"},
                 [&] { write_problem(small, at("absent/a.h5"), Layout::perp, "", ""); });
    expect_error(Status::file_write, {"directory"},
                 [&] { write_problem(small, directory_.string(), Layout::perp, "", ""); });
    expect_error(Status::file_write, {"regular"},
                 [&] { write_problem(small, "/dev/null", Layout::perp, "", ""); });
    EXPECT_EQ(files(), 1);
}

TEST_F(Io, WritesThroughLinksAndKeepsPermissions) {
    write_problem(Maker(43).blcp(3), at("a.h5"), Layout::perp, "", "");
    fs::permissions(at("a.h5"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(at("a.h5"), at("link.h5"));
    write_problem(Maker(43).blcp(5), at("link.h5"), Layout::perp, "", "");
    EXPECT_TRUE(fs::is_symlink(at("link.h5")));
    EXPECT_EQ(read_problem(at("a.h5"), std::nullopt).rows(), 5);
    EXPECT_EQ(fs::status(at("a.h5")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Io, ThreadsReadAndWriteAtOnce) {
    const Problem problem = Maker(44).assembled({2, 5, 2, 3, 1}, 12);
    write_problem(problem, at("shared.h5"), Layout::perp, "", "");
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const std::string own = at("own" + std::to_string(t) + ".h5");
            for (int k = 0; k < 10; ++k) {
                write_problem(problem, own, Layout::perp, "", "");
                write_problem(problem, at("shared.h5"), Layout::perp, "",
                              "");  // the last one stays
                if (read_problem(own, std::nullopt).rows() != problem.rows()) ++wrong;
                if (read_problem(at("shared.h5"), std::nullopt).rows() != problem.rows()) ++wrong;
                try {
                    read_problem(at("absent.h5"), std::nullopt);
                    ++wrong;
                } catch (const Error&) {  // expected
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(files(), 5);
}

std::string read_text(const std::string& path, const char* object, const char* attribute,
                      bool python_str) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t handle = H5Aopen_by_name(file, object, attribute, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(handle);
    EXPECT_EQ(H5Tis_variable_str(type) > 0, python_str);
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
    char fixed[100] = {};
    char* variable = nullptr;
    if (python_str) {
        H5Aread(handle, type, &variable);
    } else {
        H5Aread(handle, type, fixed);
    }
    const std::string copy = python_str ? variable : fixed;
    H5free_memory(variable);
    H5Tclose(type);
    H5Aclose(handle);
    H5Fclose(file);
    return copy;
}

TEST_F(Io, TextsAreWritten) {
    const Problem problem = Maker(52).assembled({0, 2, 2, 0, 0, Law::box});
    write_problem(problem, at("a.h5"), Layout::perp, "two boxes, \u00b5 = 0.5", "");
    write_solution(problem, at("a.h5"), std::vector<double>(6), "pgs", 0.0);
    EXPECT_EQ(read_text(at("a.h5"), "/", "format", true), "perp-instance");
    EXPECT_EQ(read_text(at("a.h5"), "/", "title", true), "two boxes, \u00b5 = 0.5");
    EXPECT_EQ(read_text(at("a.h5"), "/", "source", true), "");
    EXPECT_EQ(read_text(at("a.h5"), "/solution", "solver", false), "pgs");
    EXPECT_EQ(read_text(at("a.h5"), "/solution", "law", false), "box");
}

// Shapes and types that our own writer never makes.
TEST_F(Io, ForeignDatasets) {
    const auto with_q = [&](hid_t type, const std::vector<hsize_t>& dims, hsize_t chunk,
                            hsize_t claimed) {
        write_problem(Maker(51).blcp(4), at("a.h5"), Layout::perp, "", "");
        const hid_t file = H5Fopen(at("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        H5Ldelete(file, "/blcp/q", H5P_DEFAULT);
        const std::vector<hsize_t> open_end(dims.size(), H5S_UNLIMITED);
        const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(),
                                             chunk > 0 ? open_end.data() : nullptr);
        const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
        if (chunk > 0) H5Pset_chunk(made, 1, &chunk);
        if (chunk > 0) H5Pset_deflate(made, 6);
        const hid_t data = H5Dcreate2(file, "/blcp/q", type, space, H5P_DEFAULT, made, H5P_DEFAULT);
        const double values[] = {1, 2, 3, 4};
        H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        if (claimed > 0) H5Dset_extent(data, &claimed);
        H5Dclose(data);
        H5Pclose(made);
        H5Sclose(space);
        H5Fclose(file);
        return read_problem(at("a.h5"), std::nullopt).matrix()->q;
    };
    const std::vector<double> expected{1, 2, 3, 4};
    EXPECT_EQ(with_q(H5T_NATIVE_FLOAT, {4}, 0, 0), expected);
    EXPECT_EQ(with_q(H5T_STD_I16BE, {4}, 0, 0), expected);
    EXPECT_EQ(with_q(H5T_IEEE_F64BE, {4}, 3, 0), expected);
    expect_error(Status::file_format, {"/blcp/q", "a vector", "an array 2 x 2"}, [&] {
        with_q(H5T_NATIVE_DOUBLE, {2, 2}, 0, 0);
    });
    expect_error(Status::file_format, {"/blcp/q", "a vector", "a scalar"},
                 [&] { with_q(H5T_NATIVE_DOUBLE, {}, 0, 0); });
    expect_error(Status::file_format, {"/blcp/q", "claims 1000000000000000 values"},
                 [&] { with_q(H5T_NATIVE_DOUBLE, {4}, 3, 1'000'000'000'000'000); });
    expect_error(Status::file_format, {"/blcp/q", "claims 100 values"},
                 [&] { with_q(H5T_NATIVE_DOUBLE, {4}, 4, 100); });
}
// ---------------------------------------------------------------------------
// Solutions

TEST_F(Io, SolutionsOfEveryShape) {
    std::uint64_t seed = 61;
    std::vector<Problem> problems;
    for (const Shape& shape : all_shapes()) problems.push_back(Maker(seed++).assembled(shape));
    problems.push_back(Maker(seed).blcp(5));
    for (const ContactShape& shape : {ContactShape{1, 0, 0}, ContactShape{2, 0, 2},
                                      ContactShape{2, 1, 2}, ContactShape{0, 0, 1}})
        problems.push_back(Maker(seed++).delassus(shape, 3, 2));
    for (const Problem& problem : problems) {
        fs::remove(at("s.h5"));
        for (int again = 0; again < 2; ++again) {  // new, then replaced
            const std::vector<double> z = Maker(seed++).reals(problem.rows());
            write_solution(problem, at("s.h5"), z, "pgs", 0.25);
            EXPECT_EQ(read_solution(problem, at("s.h5")), z);
        }
    }
}

TEST_F(Io, SolutionStandsBesideAnInstance) {
    const Problem problem = Maker(71).assembled({2, 3, 2, 2});
    const std::vector<double> z = Maker(72).reals(problem.rows());
    for (const Layout layout : {Layout::perp, Layout::fclib}) {
        write_problem(problem, at("a.h5"), layout, "t", "s");
        write_solution(problem, at("a.h5"), z, "apgd", 0.125);
        const Bytes once = read_bytes(at("a.h5"));
        for (int k = 0; k < 5; ++k) write_solution(problem, at("a.h5"), z, "apgd", 0.125);
        EXPECT_LE(read_bytes(at("a.h5")).size(), once.size() + 4096);  // what is replaced is reused
        expect_same(problem, read_problem(at("a.h5"), std::nullopt));
        EXPECT_EQ(read_solution(problem, at("a.h5")), z);
        const hdf5::File file(at("a.h5"));
        const hdf5::Group group = file.root().group("solution");
        const std::vector<double> spin_first = group.reals("lambda_S", 9);
        EXPECT_EQ(spin_first[0], 0.0);
        EXPECT_EQ(spin_first[1], z[2 + 3 + 6]);
        std::vector<double> u(z.size());
        ProductWorkspace work = problem.make_workspace();
        problem.constraint_velocity(z, u, work);
        EXPECT_EQ(group.reals("v"), work.velocity);
    }
}

TEST_F(Io, SolutionErrors) {
    const Problem problem = Maker(73).assembled({2, 3, 2, 3});
    const std::vector<double> z = Maker(74).reals(problem.rows());
    write_problem(problem, at("a.h5"), Layout::perp, "", "");
    expect_error(Status::file_format, {"a.h5: /solution", "found nothing"},
                 [&] { read_solution(problem, at("a.h5")); });
    expect_error(Status::bad_size, {"z has 1 values"},
                 [&] { write_solution(problem, at("a.h5"), std::vector{1.0}, "", 0.0); });
    write_solution(problem, at("a.h5"), z, "", 0.0);
    expect_error(Status::file_format, {"/solution/z"},
                 [&] { read_solution(Maker(1).blcp(3), at("a.h5")); });
    expect_error(Status::file_format, {"/solution/lambda_A", "vector of 1 values, found one of 2"},
                 [&] {
                     read_solution(Maker(1).assembled({1, 3, 2, 3}), at("a.h5"));
                 });
    edit(at("a.h5"), [](const hdf5::Group& root) { root.group("solution").remove("lambda_S"); });
    std::vector<double> without_angular = z;
    std::fill(without_angular.end() - 9, without_angular.end(), 0.0);
    EXPECT_EQ(read_solution(problem, at("a.h5")), without_angular);
    edit(at("a.h5"), [](const hdf5::Group& root) { root.group("solution").remove("lambda_T"); });
    expect_error(Status::file_format, {"/solution/lambda_T", "found nothing"},
                 [&] { read_solution(problem, at("a.h5")); });

    const std::string text = "my thesis";
    write_bytes(at("text"), std::as_bytes(std::span(text)));
    expect_error(Status::file_write, {"text", "not an HDF5 file", "not changed"},
                 [&] { write_solution(problem, at("text"), z, "", 0.0); });
    EXPECT_EQ(read_bytes(at("text")).size(), text.size());
    replace_file(at("other.h5"),
                 hdf5::make_image("", {}, [](hdf5::Group& root) { root.create_group("weather"); }));
    expect_error(Status::file_write, {"other.h5", "not changed"},
                 [&] { write_solution(problem, at("other.h5"), z, "", 0.0); });
}

TEST_F(Io, FclibsOwnSolutions) {
    const Problem local = Maker(75).delassus({2, 0, 2}, 3, 2);
    const Problem global = Maker(76).assembled({2, 3, 2, 2});
    const std::vector<double> r = Maker(77).reals(15), l = Maker(78).reals(2);
    const auto write_fclib_solution = [&](const Problem& problem) {
        write_problem(problem, at("a.h5"), Layout::fclib, "", "");
        edit(at("a.h5"), [&](hdf5::Group& root) {
            hdf5::Group group = root.create_group("solution");
            group.write("r", r);
            group.write("l", l);
            group.write("u", r);
        });
        return read_solution(problem, at("a.h5"));
    };
    std::vector<double> z = r;
    z.insert(z.end(), l.begin(), l.end());
    EXPECT_EQ(write_fclib_solution(local), z);
    const std::vector<double> stacked{l[0],  l[1],  r[0], r[5], r[10], r[1], r[2],  r[6], r[7],
                                      r[11], r[12], r[3], r[4], r[8],  r[9], r[13], r[14]};
    EXPECT_EQ(write_fclib_solution(global), stacked);
    edit(at("a.h5"), [](const hdf5::Group& root) { root.group("solution").remove("l"); });
    expect_error(Status::file_format, {"/solution/l", "found nothing"},
                 [&] { read_solution(global, at("a.h5")); });
}

// ---------------------------------------------------------------------------
// Real files

fs::path instance_directory() {
    const char* given = std::getenv("PERP_INSTANCES");
    return given != nullptr ? fs::path(given) : fs::path(PERP_SOURCE_DIR) / "../shared/instances";
}

TEST_F(Io, RealInstancesRoundTrip) {
    if (!fs::is_directory(instance_directory()))
        GTEST_SKIP() << "no instances at " << instance_directory();
    int read = 0, solutions = 0;
    for (const auto& entry : fs::recursive_directory_iterator(instance_directory())) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h5" && extension != ".hdf5") continue;
        SCOPED_TRACE(entry.path().string());
        try {
            const Problem problem = read_problem(entry.path().string(), std::nullopt);
            ++read;
            expect_round_trip(problem, at("a.h5"), Layout::automatic);
            if (entry.path().string().find("fclib") != std::string::npos &&
                problem.set().contacts > 0)
                expect_round_trip(problem, at("a.h5"), Layout::fclib);
            if (!hdf5::File(entry.path().string()).root().has("solution")) continue;
            const std::vector<double> z = read_solution(problem, entry.path().string());
            write_solution(problem, at("a.h5"), z, "reference", 0.0);
            EXPECT_EQ(read_solution(problem, at("a.h5")), z);
            ResidualWorkspace work = make_residual_workspace(problem);
            // Rows in their places: far less than 1. (The impulses of FCLIB's own files are all
            // zero.)
            const double eta = residual(problem, z, work).eta;
            EXPECT_TRUE(eta < 1e-2 || entry.path().extension() == ".hdf5") << eta;
            ++solutions;
        } catch (const Error& error) {
            ADD_FAILURE() << error.what();
        }
    }
    std::printf("%d instances, %d solutions\n", read, solutions);
    EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace perp
