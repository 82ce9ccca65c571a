// Damaged, foreign and unwritable files: an Error that says what is wrong, and nothing lost.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "io_support.hpp"

namespace perp::io_test {
namespace {

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
    refused({"version 5 is unknown", "1 to 4"}, 3, 5, {0, 1, 2});
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

}  // namespace
}  // namespace perp::io_test
