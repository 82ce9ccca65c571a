// Files written and read with failing allocations: whole or not at all.
#include "no_memory_support.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace perp_test;

namespace {

namespace fs = std::filesystem;

class NoMemoryForFiles : public NoMemory {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / ("perp_no_memory_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string at(const char* name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_))
            found.push_back(entry.path().filename().string());
        return found;
    }

private:
    fs::path folder_;
};

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_P(NoMemoryForFiles, AreWrittenWholeOrNotAtAll) {
    const Problem problem = scene_.problem();
    const Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.125);
    ASSERT_EQ(perp_problem_write(problem.get(), at("good.h5").c_str(), 0, "t", "s"), PERP_OK);
    const std::string good = bytes_of(at("good.h5"));
    const int64_t failed = fail_each("problem_write", Uses::hdf5, [&](const Armed& armed) {
        const std::string path = at("new.h5");
        const int32_t status =
            armed([&] { return perp_problem_write(problem.get(), path.c_str(), 0, "t", "s"); });
        EXPECT_EQ(bytes_of(path).empty(), status != PERP_OK);
        fs::remove(path);
        EXPECT_EQ(names(), std::vector<std::string>{"good.h5"});
        return status;
    });
    EXPECT_GT(failed, 20);
    fail_each("solution_write", Uses::hdf5, [&](const Armed& armed) {
        const std::string path = at("good.h5");
        const int32_t status = armed(
            [&] { return perp_solution_write(problem.get(), path.c_str(), z.data(), "solver"); });
        EXPECT_EQ(bytes_of(path) == good, status != PERP_OK);
        std::ofstream(path, std::ios::binary) << good;
        EXPECT_EQ(names(), std::vector<std::string>{"good.h5"});
        return status;
    });
}

TEST_P(NoMemoryForFiles, AreReadWholeOrNotAtAll) {
    const Problem problem = scene_.problem();
    const Vector before = velocities_of(problem);
    const Vector z(before.size(), 0.125);
    const std::string path = at("good.h5");
    ASSERT_EQ(perp_problem_write(problem.get(), path.c_str(), 0, "t", "s"), PERP_OK);
    ASSERT_EQ(perp_solution_write(problem.get(), path.c_str(), z.data(), "solver"), PERP_OK);
    fail_each("problem_read", Uses::hdf5, [&](const Armed& armed) {
        perp_problem* out = sentinel<perp_problem>();
        const int32_t status = armed([&] { return perp_problem_read(path.c_str(), 0, &out); });
        EXPECT_EQ(status == PERP_OK, out != sentinel<perp_problem>());
        if (status == PERP_OK) {
            EXPECT_TRUE(same_bits(velocities_of(Problem(out)), before));
        }
        return status;
    });
    fail_each("solution_read", Uses::hdf5, [&](const Armed& armed) {
        Vector found(z.size(), 7.0);
        const int32_t status =
            armed([&] { return perp_solution_read(problem.get(), path.c_str(), found.data()); });
        EXPECT_TRUE(same_bits(found, status == PERP_OK ? z : Vector(z.size(), 7.0)));
        return status;
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, NoMemoryForFiles, testing::ValuesIn(scenes), name_of);

}  // namespace
