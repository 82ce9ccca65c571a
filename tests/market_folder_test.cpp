// Instances and solutions as folders of Matrix Market files: what they hold, what they refuse, and
// that nothing is lost when writing fails.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "io_support.hpp"

namespace perp::io_test {
namespace {

void write_text(const std::string& path, const std::string& text) {
    write_bytes(path, std::as_bytes(std::span(text)));
}

std::string read_all(const std::string& path) {
    const Bytes bytes = read_bytes(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_folder(const Problem& problem, const std::string& path) {
    write_problem(problem, path, Layout::matrix_market, "a title", "a source");
}

double eta_of(const Problem& problem, const std::vector<double>& z) {
    ResidualWorkspace work = make_residual_workspace(problem);
    return residual(problem, z, work).eta;
}

// All files of a folder, by name.
std::vector<std::pair<std::string, Bytes>> snapshot(const std::string& folder) {
    std::vector<std::pair<std::string, Bytes>> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files.emplace_back(entry.path().filename().string(), read_bytes(entry.path().string()));
    std::sort(files.begin(), files.end());
    return files;
}

class MarketFolder : public Io {
protected:
    // A folder of two rows, in the plainest words.
    void write_plain(const std::string& folder) const {
        fs::create_directory(folder);
        write_text(folder + "/H.mtx",
                   "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n");
        write_text(folder + "/q.mtx", "%%MatrixMarket matrix array integer general\n2 1\n-1\n4\n");
    }
};

TEST_F(MarketFolder, HoldsGeneralBlcpsToTheBit) {
    for (const std::int64_t p : {0, 1, 2, 9}) {
        SCOPED_TRACE(p);
        expect_round_trip(Maker(7).blcp(p), at("b"), Layout::matrix_market);
        EXPECT_EQ(snapshot(at("b")).size(), 4U);
    }
    TripletList H;  // explicit zeros are part of the pattern
    H.rows = H.cols = 2;
    H.add(0, 0, 1.0);
    H.add(0, 1, 0.0);
    H.add(1, 1, 2.0);
    expect_round_trip(Problem::general_blcp(H.view(), {1, -2}, {}, {}), at("zeros"),
                      Layout::matrix_market);
    EXPECT_NE(read_all(at("b/H.mtx")).find("\n% title: title\n% source: source\n9 9 "),
              std::string::npos);
}

TEST_F(MarketFolder, HoldsEveryProductOfIntervals) {
    std::vector<Problem> problems{
        Maker(31).assembled({2, 3, 2, 0, 2, Law::box}),
        Maker(32).assembled({2, 3, 1, 0, 1, Law::box, true, true}),
        Maker(33).assembled({0, 3, 0, 0, 0, Law::box}),
        Maker(34).assembled({2, 3, 0, 0, 2, Law::cone, true, true}),
        Maker(35).assembled({2, 0, 0, 0}),
        Maker(36).delassus({0, 0, 0}, 3, 2),
    };
    for (std::size_t k = 0; k < problems.size(); ++k) {
        SCOPED_TRACE(k);
        const Problem& problem = problems[k];
        write_folder(problem, at("a"));
        const Problem read = read_problem(at("a"), std::nullopt);
        ASSERT_NE(read.matrix(), nullptr);
        ASSERT_EQ(read.rows(), problem.rows());
        expect_same(read.form_matrix(), problem.form_matrix(), "H");
        EXPECT_TRUE(same_bits(read.free_velocity(), problem.free_velocity()));
        for (int trial = 0; trial < 3; ++trial) {
            const std::vector<double> z =
                Maker(90 + static_cast<std::uint64_t>(trial)).reals(problem.rows(), -trial, trial);
            const double eta = eta_of(problem, z);
            EXPECT_NEAR(eta_of(read, z), eta, 1e-12 * (1 + eta));
        }
    }
    const Problem read = read_problem(at("a"), Law::box);  // the last: 3 contacts, 2 equalities
    EXPECT_EQ(read.set().lo, (std::vector<double>{0, 0, 0, -infinity, -infinity}));
    EXPECT_EQ(read.set().hi, std::vector<double>(5, infinity));
}

TEST_F(MarketFolder, RefusesCones) {
    const Problem old = Maker(1).blcp(4);
    write_folder(old, at("a"));
    const auto before = snapshot(at("a"));
    for (const Problem& problem :
         {Maker(2).assembled({1, 2, 2, 0}), Maker(2).assembled({1, 2, 0, 2}),
          Maker(2).delassus({1, 0, 0}, 2, 0)})
        for (const char* name : {"a", "new"})
            expect_error(Status::unsupported, {at(name), "bounds and no cones", "2 contacts"},
                         [&] { write_folder(problem, at(name)); });
    EXPECT_EQ(snapshot(at("a")), before);
    EXPECT_FALSE(fs::exists(at("new")));
    expect_error(Status::file_format, {at("a"), "general BLCP", "no cones"},
                 [&] { read_problem(at("a"), Law::cone); });
}

TEST_F(MarketFolder, BoundsAreOptional) {
    write_plain(at("a"));
    const Problem free = read_problem(at("a"), std::nullopt);
    EXPECT_EQ(free.set().lo, std::vector<double>(2, -infinity));
    EXPECT_EQ(free.set().hi, std::vector<double>(2, infinity));
    EXPECT_EQ(free.free_velocity(), (std::vector<double>{-1, 4}));
    EXPECT_EQ(free.form_matrix().at(0, 1), 1.0);
    write_text(at("a/lo.mtx"), "%%MatrixMarket matrix array real general\n2 1\n0\n-inf\n");
    const Problem bounded = read_problem(at("a") + "/", std::nullopt);
    EXPECT_EQ(bounded.set().lo, (std::vector<double>{0, -infinity}));
    EXPECT_EQ(bounded.set().hi, std::vector<double>(2, infinity));
    write_text(at("a/notes.txt"), "read, not written into");
    EXPECT_EQ(read_problem(at("a"), std::nullopt).rows(), 2);
}

TEST_F(MarketFolder, NamesTheFileThatIsWrong) {
    const std::string array = "%%MatrixMarket matrix array real general\n";
    const auto refused = [&](const std::string& file, const std::string& text,
                             const std::vector<std::string>& pieces,
                             Status status = Status::file_format) {
        fs::remove_all(at("a"));
        write_plain(at("a"));
        write_text(at("a/" + file), text);
        expect_error(status, pieces, [&] { read_problem(at("a"), std::nullopt); });
    };
    refused("q.mtx", array + "2 1\n1\nx\n", {at("a/q.mtx") + ": line 4", "\"x\""});
    refused("q.mtx", array + "2 1\n1\ninf\n", {at("a/q.mtx") + ": line 4", "finite"});
    refused("q.mtx", array + "3 1\n1\n2\n3\n", {at("a/H.mtx") + ": line 2", "expected 3 x 3"});
    refused("H.mtx", array + "2 2\n1\n2\n3.5\n", {at("a/H.mtx") + ": line 5", "3 of 4"});
    refused("H.mtx", "", {at("a/H.mtx") + ": line 1", "header"});
    refused("lo.mtx", array + "1 1\n0\n", {at("a/lo.mtx") + ": line 2", "expected 2 x 1"});
    refused("hi.mtx", array + "2 1\n0\nnan\n", {at("a/hi.mtx") + ": line 4", "\"nan\""});
    refused("hi.mtx", array + "2 1\n0\n-inf\n", {at("a"), "hi[1] = -inf"}, Status::bad_bounds);
    // Sizes that would need 16 GB for nothing.
    refused("H.mtx", "%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 0\n",
            {at("a/H.mtx") + ": line 2", "expected 2 x 2"});

    fs::remove(at("a/q.mtx"));
    expect_error(Status::file_format, {at("a"), "directory without q.mtx"},
                 [&] { read_problem(at("a"), std::nullopt); });
    fs::create_directory(at("a/q.mtx"));
    expect_error(Status::file_format, {at("a/q.mtx"), "is a directory"},
                 [&] { read_problem(at("a"), std::nullopt); });
    fs::remove_all(at("a"));
    write_plain(at("a"));
    fs::create_symlink(at("nowhere"), at("a/lo.mtx"));  // not taken for absent bounds
    expect_error(Status::file_not_found, {at("a/lo.mtx"), "no such file"},
                 [&] { read_problem(at("a"), std::nullopt); });
    expect_error(Status::file_not_found, {at("absent/"), "no such"},
                 [&] { read_problem(at("absent/"), std::nullopt); });
}

TEST_F(MarketFolder, LeavesForeignFoldersAlone) {
    const Problem problem = Maker(3).blcp(3);
    fs::create_directory(at("mine"));
    write_text(at("mine/thesis.tex"), "text");
    const auto before = snapshot(at("mine"));
    expect_error(Status::file_write, {at("mine"), "thesis.tex", "not changed"},
                 [&] { write_folder(problem, at("mine")); });
    expect_error(Status::file_write, {at("mine"), "thesis.tex", "not changed"},
                 [&] { write_solution(problem, at("mine"), std::vector<double>(3), "", 0); });
    EXPECT_EQ(snapshot(at("mine")), before);
    write_text(at("file"), "text");
    expect_error(Status::file_write, {at("file"), "is a file"},
                 [&] { write_folder(problem, at("file")); });
    EXPECT_EQ(read_all(at("file")), "text");
    expect_error(Status::file_write, {at("no/such"), "cannot be made"},
                 [&] { write_folder(problem, at("no/such")); });
    expect_error(Status::file_write, {at("empty"), "directory"}, [&] {
        fs::create_directory(at("empty"));
        write_problem(problem, at("empty"), Layout::perp, "", "");
    });
    write_folder(problem, at("empty"));
    write_text(at("empty/.perp-1-0x1-0.tmp"), "left by a process that was killed");
    write_folder(problem, at("empty/"));
    EXPECT_EQ(read_problem(at("empty"), std::nullopt).rows(), 3);
}

TEST_F(MarketFolder, HoldsASolution) {
    const Problem problem = Maker(4).assembled({1, 2, 2, 0, 1, Law::box});
    const std::vector<double> z = Maker(5).reals(problem.rows());
    write_folder(problem, at("a"));
    expect_error(Status::file_format, {at("a"), "no solution", "z.mtx"},
                 [&] { read_solution(problem, at("a")); });
    write_text(at("a/notes.txt"), "a solution may stand beside them");
    write_solution(problem, at("a"), z, "pgs", 0.125);
    EXPECT_TRUE(same_bits(read_solution(problem, at("a")), z));
    EXPECT_NE(read_all(at("a/z.mtx")).find("% solution by pgs, eta 0.125\n"), std::string::npos);
    EXPECT_EQ(read_problem(at("a"), std::nullopt).rows(), problem.rows());
    write_solution(problem, at("new/"), z, "", 0.25);  // a folder of its own
    EXPECT_TRUE(same_bits(read_solution(problem, at("new")), z));
    expect_error(Status::file_format, {at("a/z.mtx") + ": line 3", "expected 3 x 1, found 8 x 1"},
                 [&] { read_solution(Maker(6).blcp(3), at("a")); });
    expect_error(Status::bad_value, {"z[1]", "not finite"}, [&] {
        write_solution(Maker(6).blcp(2), at("new"), std::vector{0.0, infinity}, "", 0);
    });
    EXPECT_TRUE(same_bits(read_solution(problem, at("new")), z));
    // A new problem removes it: it belongs to the old one.
    fs::remove(at("a/notes.txt"));
    write_folder(problem, at("a"));
    EXPECT_FALSE(fs::exists(at("a/z.mtx")));
}

TEST_F(MarketFolder, FailedWritesLoseNothing) {
    const Problem small = Maker(41).blcp(3);
    const Problem large = Maker(42).blcp(60);
    write_folder(small, at("a"));
    write_solution(small, at("a"), std::vector<double>(3, 0.5), "s", 0.0);
    const auto before = snapshot(at("a"));

    struct rlimit old = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit tight = old;
    tight.rlim_cur = 1024;  // H.mtx of 3 rows fits, of 60 rows not; nor a vector of 60
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    expect_error(Status::file_write, {at("a/H.mtx"), "cannot be written"},
                 [&] { write_folder(large, at("a")); });
    expect_error(Status::file_write, {at("new/H.mtx"), "cannot be written"},
                 [&] { write_folder(large, at("new")); });
    TripletList H;  // the last of the four files is the one too large
    H.rows = H.cols = 60;
    const Problem tall =
        Problem::general_blcp(H.view(), std::vector<double>(60, 0), std::vector<double>(60, -1),
                              std::vector<double>(60, 1.2345678901234567));
    expect_error(Status::file_write, {at("a/hi.mtx"), "cannot be written"},
                 [&] { write_folder(tall, at("a")); });
    expect_error(Status::file_write, {at("other/z.mtx"), "cannot be written"}, [&] {
        write_solution(large, at("other/"), std::vector<double>(60, 0.12345678901234567), "", 0);
    });
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);

    EXPECT_EQ(snapshot(at("a")), before);
    EXPECT_EQ(files(), 1);  // no folder is left
}

}  // namespace
}  // namespace perp::io_test
