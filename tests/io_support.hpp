// Helpers of the file tests: a folder per test, problems of every shape, comparison to the bit.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/hdf5_file.hpp"
#include "io/instance.hpp"
#include "io/replace_file.hpp"
#include "io/stored_matrix.hpp"
#include "problem/residual.hpp"

namespace perp::io_test {

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

inline Bytes read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto all = std::as_bytes(std::span(text));
    return {all.begin(), all.end()};
}

inline void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

// Changes a file through the same layer that reads it.
inline void edit(const std::string& path, const std::function<void(hdf5::Group&)>& change) {
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
inline void expect_error(Status status, const std::vector<std::string>& pieces,
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

inline Problem Maker::assembled(const Shape& s, std::int64_t n) {
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

inline Problem Maker::blcp(std::int64_t p) {
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

inline Problem Maker::delassus(ContactShape shape, std::int64_t contacts, std::int64_t equalities) {
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

inline std::vector<Shape> all_shapes() {
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

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
               return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
           });
}

inline void expect_same(const Csr& a, const Csr& b, const char* name) {
    EXPECT_EQ(a.rows, b.rows) << name;
    EXPECT_TRUE(a.rows == 0 || a.cols == b.cols) << name;
    EXPECT_EQ(a.start, b.start) << name;
    EXPECT_EQ(a.index, b.index) << name;
    EXPECT_TRUE(same_bits(a.value, b.value)) << name;
}

inline void expect_same(const ContactRows& a, const ContactRows& b, Law law) {
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

inline void expect_same(const Problem& a, const Problem& b) {
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

inline void expect_round_trip(const Problem& problem, const std::string& path, Layout layout) {
    write_problem(problem, path, layout, "title", "source");
    expect_same(problem, read_problem(path, std::nullopt));
}

}  // namespace perp::io_test
