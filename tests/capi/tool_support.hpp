// Running the command-line tool PERP_TOOL in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace perp_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

inline std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct Result {
    int code = -1;
    std::string out, err;
    [[nodiscard]] Json json() const { return Json::parse(out); }
};

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class Tool : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(::testing::TempDir()) /
                  ("perp-tool-" + std::string(test->name()) + "-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    // In the test's folder; `arguments` are words for the shell, `before` goes before the program.
    [[nodiscard]] Result run(const std::string& arguments, const std::string& before = "") const {
        const std::string command = "cd '" + folder_.string() + "' && " + before +
                                    " '" PERP_TOOL "' " + arguments + " >out.txt 2>err.txt";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder_ / "out.txt"),
                contents(folder_ / "err.txt")};
    }

    void make(const std::string& arguments) const {
        const Result made = run("make " + arguments);
        ASSERT_EQ(made.code, 0) << made.err;
    }

    // Code 2, nothing on stdout, and a message that names what is wrong.
    void expect_refused(const std::string& arguments, const std::string& part) const {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 2) << arguments;
        EXPECT_EQ(result.out, "") << arguments;
        EXPECT_TRUE(contains(result.err, part)) << arguments << "\n" << result.err;
    }

private:
    fs::path folder_;
};

}  // namespace perp_test
