// Matrix Market folders through the public surface: the same H, q, bounds and eta as before.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "perp/perp.hpp"
#include "support.hpp"

using namespace perp_test;

namespace {

namespace fs = std::filesystem;

class Layouts : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(::testing::TempDir()) /
                  ("perp-layouts-" + std::string(test->name()) + "-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

private:
    fs::path folder_;
};

Problem read(const std::string& path, int32_t law = PERP_LAW_AUTO) {
    perp_problem* out = nullptr;
    EXPECT_EQ(perp_problem_read(path.c_str(), law, &out), PERP_OK) << perp_last_message();
    return Problem(out);
}

int32_t write(const Problem& problem, const std::string& path, int32_t layout) {
    return perp_problem_write(problem.get(), path.c_str(), layout, "title", nullptr);
}

Matrix matrix_of(const Problem& problem) {
    int64_t count = 0;
    EXPECT_EQ(perp_form_matrix(problem.get(), &count, nullptr, nullptr, nullptr), PERP_OK);
    Matrix m;
    m.row.resize(static_cast<std::size_t>(count));
    m.col.resize(m.row.size());
    m.value.resize(m.row.size());
    EXPECT_EQ(perp_form_matrix(problem.get(), &count, m.row.data(), m.col.data(), m.value.data()),
              PERP_OK);
    return m;
}

Vector free_velocity(const Problem& problem) {
    const Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.0);
    Vector u(z.size());
    EXPECT_EQ(perp_constraint_velocity(problem.get(), z.data(), u.data(), nullptr), PERP_OK);
    return u;
}

// A guess in no special place.
Vector some_impulses(const Problem& problem) {
    Vector z(static_cast<std::size_t>(info_of(problem).rows));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::sin(static_cast<double>(i + 1));
    return z;
}

void expect_same(const Problem& a, const Problem& b) {
    const Matrix H = matrix_of(a), G = matrix_of(b);
    EXPECT_EQ(H.row, G.row);
    EXPECT_EQ(H.col, G.col);
    EXPECT_TRUE(same_bits(H.value, G.value));
    EXPECT_TRUE(same_bits(free_velocity(a), free_velocity(b)));
}

TEST_F(Layouts, MatrixMarketHoldsABlcp) {
    const Problem given = blcp(Matrix(3, 3, {2, -1, 0, 1, 3, 0.1, 0, 0, 1e-300}), {-1, 1.0 / 3, 0},
                               {0, -infinity, -1}, {infinity, infinity, 1});
    ASSERT_EQ(write(given, path("b"), PERP_LAYOUT_MATRIX_MARKET), PERP_OK) << perp_last_message();
    for (const char* name : {"H.mtx", "q.mtx", "lo.mtx", "hi.mtx"})
        EXPECT_TRUE(fs::is_regular_file(path("b") + "/" + name)) << name;
    const Problem back = read(path("b"), PERP_LAW_BOX);
    expect_same(given, back);
    for (const Vector& z : {Vector{0, 0, 0}, Vector{-2, 5, 7}, Vector{4, -5, -7}}) {
        const perp_residual_info a = residual_of(given, z), b = residual_of(back, z);
        EXPECT_EQ(a.eta, b.eta);
        EXPECT_EQ(a.cone_violation, b.cone_violation);  // bounds
    }
}

TEST_F(Layouts, MatrixMarketHoldsASolution) {
    const Problem given = blcp(Matrix::diagonal({2, 4}), {-1, -1});
    const Vector z{0.5, 0.25};
    ASSERT_EQ(write(given, path("b"), PERP_LAYOUT_MATRIX_MARKET), PERP_OK);
    Vector stored{7, 7};
    EXPECT_FAILS(PERP_FILE_FORMAT, "z.mtx",
                 perp_solution_read(given.get(), path("b").c_str(), stored.data()));
    EXPECT_EQ(stored, (Vector{7, 7}));
    ASSERT_EQ(perp_solution_write(given.get(), path("b").c_str(), z.data(), "apgd"), PERP_OK);
    ASSERT_EQ(perp_solution_read(given.get(), path("b").c_str(), stored.data()), PERP_OK);
    EXPECT_EQ(stored, z);
    std::ifstream text(path("b/z.mtx"));
    std::string line;
    std::getline(text, line);
    std::getline(text, line);
    EXPECT_EQ(line, "% solution by apgd, eta 0");
}

TEST_F(Layouts, RefusedCalls) {
    const Problem cones = cone(
        system({Matrix::diagonal({1, 1}), {}, Matrix(1, 2, {1, 0}), Matrix(1, 2, {0, 1}), {}, {}}),
        [] {
            static const Vector f{-1, 1}, mu{0.5};
            perp_rows step = rows();
            step.f = f.data();
            step.mu = mu.data();
            return step;
        }());
    EXPECT_FAILS(PERP_UNSUPPORTED, "cones", write(cones, path("c"), PERP_LAYOUT_MATRIX_MARKET));
    EXPECT_FALSE(fs::exists(path("c")));
    EXPECT_FAILS(PERP_BAD_VALUE, "layout = 4", write(cones, path("c"), 4));
    const Problem given = blcp(Matrix::diagonal({2, 4}), {-1, -1});
    std::ofstream(path("file")) << "text";
    EXPECT_FAILS(PERP_FILE_WRITE, "is a file",
                 write(given, path("file"), PERP_LAYOUT_MATRIX_MARKET));
    EXPECT_FAILS(PERP_FILE_WRITE, "file", write(given, path(""), PERP_LAYOUT_MATRIX_MARKET));
    ASSERT_EQ(write(given, path("b"), PERP_LAYOUT_MATRIX_MARKET), PERP_OK);
    perp_problem* out = nullptr;
    EXPECT_FAILS(PERP_FILE_FORMAT, "general BLCP",
                 perp_problem_read(path("b").c_str(), PERP_LAW_CONE, &out));
    std::ofstream(path("b/q.mtx"), std::ios::app) << "3\n";
    EXPECT_FAILS(PERP_FILE_FORMAT, "q.mtx: line 7",
                 perp_problem_read(path("b").c_str(), PERP_LAW_AUTO, &out));
    EXPECT_EQ(out, nullptr);
}

TEST_F(Layouts, TheWrapperKnowsThem) {
    const Problem given = blcp(Matrix::diagonal({2, 4}), {-1, -1});
    ASSERT_EQ(write(given, path("b"), PERP_LAYOUT_MATRIX_MARKET), PERP_OK);
    const perp::Problem problem = perp::Problem::read(path("b"));
    problem.write(path("again"), PERP_LAYOUT_MATRIX_MARKET, "title");
    const Vector z{0.5, 0.25};
    problem.write_solution(path("again"), z, "by hand");
    EXPECT_EQ(perp::Problem::read(path("again")).read_solution(path("again")), z);
}

// Every instance that fits, to a folder and back.
TEST_F(Layouts, RealInstancesKeepTheirEta) {
    const char* given = std::getenv("PERP_INSTANCES");
    const fs::path instances = fs::path(given != nullptr ? given : PERP_INSTANCES_DEFAULT) / "blcp";
    if (!fs::is_directory(instances)) GTEST_SKIP() << "no instances at " << instances;
    constexpr std::uintmax_t moderate = 300000;  // bytes
    int general = 0, assembled = 0;
    for (const auto& entry : fs::directory_iterator(instances)) {
        const fs::path& file = entry.path();
        const bool hdf5 = file.extension() == ".h5" || file.extension() == ".hdf5";
        if (!hdf5 || entry.file_size() > moderate) continue;
        SCOPED_TRACE(file.string());
        const Problem before = read(file.string());
        const std::string folder = path(file.stem().string() + file.extension().string());
        const int32_t status = write(before, folder, PERP_LAYOUT_MATRIX_MARKET);
        if (status == PERP_UNSUPPORTED) {
            EXPECT_EQ(info_of(before).law, PERP_LAW_CONE);
            continue;
        }
        ASSERT_EQ(status, PERP_OK) << perp_last_message();
        const Problem after = read(folder);
        expect_same(before, after);
        const bool same_form = info_of(before).matrix_form == 1;
        ++(same_form ? general : assembled);
        for (const Vector& z :
             {Vector(static_cast<std::size_t>(info_of(before).rows), 0.0), some_impulses(before)}) {
            const double a = residual_of(before, z).eta, b = residual_of(after, z).eta;
            // H has its own rounding where it was formed from Jacobians.
            EXPECT_LE(std::abs(a - b), same_form ? 0.0 : 1e-12 * a);
        }
    }
    EXPECT_GT(general, 0);
    EXPECT_GT(assembled, 0);
    std::printf("%d general BLCPs, %d of the box law\n", general, assembled);
}

}  // namespace
