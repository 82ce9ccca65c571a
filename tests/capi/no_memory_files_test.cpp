// Files written and read with failing allocations, in every layout: whole or not at all.
#include "no_memory_support.hpp"

using namespace perp_test;

namespace {

namespace fs = std::filesystem;

// What FCLIB's layout holds of a system: no box rows, no spinning friction.
Scene sliding() {
    Scene scene = assembled(PERP_LAW_CONE, false);
    scene.matrices.S = scene.matrices.B = Matrix();
    scene.system = system(scene.matrices);
    return scene;
}

struct Target {
    int32_t layout;
    const char* file;
    Uses uses;
};
const Target targets[] = {{PERP_LAYOUT_PERP, "perp.h5", Uses::hdf5},
                          {PERP_LAYOUT_FCLIB, "fclib.h5", Uses::hdf5},
                          {PERP_LAYOUT_MATRIX_MARKET, "market", Uses::memory}};

class NoMemoryForFiles : public NoMemory {
protected:
    // Runs the test in each layout that holds the problem.
    void in_each_layout(const std::function<void(const Target&)>& test) {
        int held = 0;
        for (const Target& target : targets) {
            SCOPED_TRACE(target.file);
            const int32_t status = write(target, path(target));
            if (status == PERP_UNSUPPORTED) continue;
            ASSERT_EQ(status, PERP_OK) << perp_last_message();
            test(target);
            fs::remove_all(path(target));
            ++held;
        }
        EXPECT_GT(held, 0);
    }
    [[nodiscard]] std::string path(const Target& target) const { return folder_.at(target.file); }
    [[nodiscard]] int32_t write(const Target& target, const std::string& to) const {
        return perp_problem_write(problem_.get(), to.c_str(), target.layout, "t", "s");
    }
    [[nodiscard]] int32_t write_solution(const std::string& to) const {
        return perp_solution_write(problem_.get(), to.c_str(), z_.data(), "solver");
    }

    // Puts a copy in the place of an instance: quicker than to write it, which waits for the disk,
    // and to the same bytes, without the time that HDF5 stores.
    static void restore(const std::string& path, const std::string& copy) {
        fs::remove_all(path);
        fs::copy(copy, path);
    }

    const Folder folder_;
    const Problem problem_ = scene_.problem();
    const Vector velocities_ = velocities_of(problem_);
    const Vector z_ = Vector(velocities_.size(), 0.125);
};

TEST_P(NoMemoryForFiles, AreWrittenWholeOrNotAtAll) {
    in_each_layout([&](const Target& target) {
        const std::string good = path(target), fresh = folder_.at("new");
        const std::string bytes = bytes_of(good);
        const int64_t failed = fail_each("problem_write", target.uses, [&](const Armed& armed) {
            const int32_t status = armed([&] { return write(target, fresh); });
            EXPECT_EQ(fs::exists(fresh), status == PERP_OK);
            fs::remove_all(fresh);
            EXPECT_EQ(folder_.names(), std::vector<std::string>{target.file});
            return status;
        });
        EXPECT_GT(failed, 20);
        const std::string copy = folder_.at("copy");
        fs::copy(good, copy);
        fail_each("solution_write", target.uses, [&](const Armed& armed) {
            const int32_t status = armed([&] { return write_solution(good); });
            EXPECT_EQ(bytes_of(good) == bytes, status != PERP_OK);
            restore(good, copy);
            return status;
        });
        fs::remove_all(copy);
    });
}

// An instance with a solution is replaced by one without, or stays; so does a link to a file.
TEST_P(NoMemoryForFiles, AreReplacedWholeOrNotAtAll) {
    in_each_layout([&](const Target& target) {
        const std::string good = path(target), copy = folder_.at("copy");
        EXPECT_EQ(write_solution(good), PERP_OK);
        const std::string bytes = bytes_of(good);
        fs::copy(good, copy);
        fail_each("problem_write", target.uses, [&](const Armed& armed) {
            const int32_t status = armed([&] { return write(target, good); });
            EXPECT_EQ(bytes_of(good) == bytes, status != PERP_OK);
            restore(good, copy);
            return status;
        });
        fs::remove_all(copy);
    });
}

TEST_P(NoMemoryForFiles, AreReplacedThroughLinks) {
    in_each_layout([&](const Target& target) {
        const std::string good = path(target), away = folder_.at("away");
        const std::string link = fs::is_directory(good) ? good + "/q.mtx" : good;
        fs::rename(link, away);
        fs::create_symlink(away, link);
        fail_each("problem_write", target.uses, [&](const Armed& armed) {
            const int32_t status = armed([&] { return write(target, good); });
            EXPECT_TRUE(fs::is_symlink(link));
            return status;
        });
        fs::remove(away);
    });
}

TEST_P(NoMemoryForFiles, AreReadWholeOrNotAtAll) {
    in_each_layout([&](const Target& target) {
        const std::string good = path(target);
        ASSERT_EQ(write_solution(good), PERP_OK) << perp_last_message();
        perp_problem* with_memory = nullptr;
        ASSERT_EQ(perp_problem_read(good.c_str(), 0, &with_memory), PERP_OK);
        const Vector expected = velocities_of(Problem(with_memory));
        fail_each("problem_read", target.uses, [&](const Armed& armed) {
            perp_problem* out = sentinel<perp_problem>();
            const int32_t status = armed([&] { return perp_problem_read(good.c_str(), 0, &out); });
            EXPECT_EQ(status == PERP_OK, out != sentinel<perp_problem>());
            if (status == PERP_OK) {
                EXPECT_TRUE(same_bits(velocities_of(Problem(out)), expected));
            }
            return status;
        });
        fail_each("solution_read", target.uses, [&](const Armed& armed) {
            Vector found(z_.size(), 7.0);
            const int32_t status = armed(
                [&] { return perp_solution_read(problem_.get(), good.c_str(), found.data()); });
            EXPECT_TRUE(same_bits(found, status == PERP_OK ? z_ : Vector(z_.size(), 7.0)));
            return status;
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, NoMemoryForFiles, testing::ValuesIn(scenes), name_of);
const Named further[] = {{"sliding", sliding}};
INSTANTIATE_TEST_SUITE_P(More, NoMemoryForFiles, testing::ValuesIn(further), name_of);

}  // namespace
