// Instance and solution files: round trips of every shape and storage, solutions, real files.
#include <gtest/gtest.h>
#include <hdf5.h>

#include "io_support.hpp"

namespace perp::io_test {
namespace {

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

Problem tied_blcp() {
    const Problem given = Maker(23).blcp(5);
    Problem problem = Problem::general_blcp(
        Triplets{5, 5, 0, nullptr, nullptr, nullptr, 0}, given.matrix()->q,
        {0.0, -infinity, -infinity, 0.0, -1.0}, {infinity, infinity, infinity, 2.0, 1.0});
    problem.set_ties(std::vector<std::int64_t>{2, 1}, std::vector<std::int64_t>{0, 3},
                     std::vector<double>{0.25, 0.0});
    return problem;
}

// Assembled under the box law, without bounds of friction.
Problem tied_step(const Shape& shape) {
    const Problem given = Maker(29).assembled(shape);
    ContactRows rows = given.assembled()->rows;
    rows.lo_T.clear();
    rows.hi_T.clear();
    return Problem::assemble(given.assembled()->system, std::move(rows), Law::box);
}

void expect_same_ties(const ConstraintSet& a, const ConstraintSet& b) {
    EXPECT_TRUE(a.tied());
    ASSERT_EQ(a.tie.size(), b.tie.size());
    for (std::size_t s = 0; s < a.tie.size(); ++s) {
        EXPECT_EQ(a.tie[s].normal, b.tie[s].normal);
        EXPECT_EQ(a.tie[s].coefficient, b.tie[s].coefficient);
    }
}

TEST_F(Io, PerpLayoutHoldsTiedBounds) {
    const Problem problems[] = {tied_blcp(), tied_step({2, 3, 2, 0, 0, Law::box}),
                                tied_step({0, 3, 1, 0, 2, Law::box})};
    for (const Problem& problem : problems) {
        expect_round_trip(problem, at("t.h5"), Layout::automatic);
        expect_same_ties(problem.set(), read_problem(at("t.h5"), std::nullopt).set());
        EXPECT_EQ(hdf5::File(at("t.h5")).root().integer_attribute("version"), 3);
        expect_error(Status::unsupported, {"tied"},
                     [&] { write_problem(problem, at("folder"), Layout::matrix_market, "", ""); });
        EXPECT_FALSE(fs::exists(at("folder")));
    }
    write_problem(tied_blcp(), at("t.h5"), Layout::perp, "", "");
    edit(at("t.h5"),
         [](const hdf5::Group& root) { root.group("blcp").group("ties").remove("normal"); });
    expect_error(Status::file_format, {"t.h5: /blcp/ties/normal", "found nothing"},
                 [&] { read_problem(at("t.h5"), std::nullopt); });
}

TEST_F(Io, PerpLayoutHoldsTheExactLaw) {
    for (const Shape& shape : {Shape{2, 3, 2, 3, 2}, {0, 3, 1, 0, 0}, {1, 2, 2, 0, 0}}) {
        Problem problem = Maker(30).assembled(shape);
        problem.set_law(Law::coulomb);
        expect_round_trip(problem, at("c.h5"), Layout::automatic);
        EXPECT_EQ(read_problem(at("c.h5"), std::nullopt).law(), Law::coulomb);
        EXPECT_EQ(read_problem(at("c.h5"), Law::cone).law(), Law::cone);
        EXPECT_EQ(hdf5::File(at("c.h5")).root().integer_attribute("version"), 4);
        problem.set_law(Law::cone);
        write_problem(problem, at("c.h5"), Layout::perp, "", "");
        EXPECT_EQ(read_problem(at("c.h5"), std::nullopt).law(), Law::cone);
        EXPECT_EQ(read_problem(at("c.h5"), Law::coulomb).law(), Law::coulomb);
    }
}

// Which says nothing of the law.
TEST_F(Io, FclibFilesAreOfTheExactLawWhereAsked) {
    Problem problem = Maker(31).assembled({2, 3, 2, 0});
    problem.set_law(Law::coulomb);
    write_problem(problem, at("f.h5"), Layout::fclib, "", "");
    EXPECT_EQ(read_problem(at("f.h5"), std::nullopt).law(), Law::cone);
    EXPECT_EQ(read_problem(at("f.h5"), Law::coulomb).law(), Law::coulomb);
    write_problem(Maker(31).blcp(3), at("b.h5"), Layout::perp, "", "");
    expect_error(Status::file_format, {"b.h5", "no cones"},
                 [&] { read_problem(at("b.h5"), Law::coulomb); });
}

// As perp_blcp_assemble does.
TEST_F(Io, BoxLawOfAFileWithoutBoundsTiesThem) {
    const Problem cone = Maker(19).assembled({1, 3, 2, 0});
    write_problem(cone, at("cone.h5"), Layout::perp, "", "");
    EXPECT_FALSE(read_problem(at("cone.h5"), std::nullopt).set().tied());
    const Problem box = read_problem(at("cone.h5"), Law::box);
    EXPECT_TRUE(box.assembled()->tied);
    EXPECT_EQ(box.assembled()->rows.mu, cone.assembled()->rows.mu);
    edit(at("cone.h5"), [](const hdf5::Group& root) { root.group("contacts").remove("mu"); });
    expect_error(Status::file_format, {"cone.h5", "/box/lo", "/contacts/mu"},
                 [&] { read_problem(at("cone.h5"), Law::box); });
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
    write_problem(Maker(19).blcp(3), at("blcp.h5"), Layout::perp, "", "");
    EXPECT_EQ(read_problem(at("blcp.h5"), Law::box).rows(), 3);
    expect_error(Status::file_format, {"blcp.h5", "general BLCP"},
                 [&] { read_problem(at("blcp.h5"), Law::cone); });
    write_problem(Maker(19).delassus({1, 0, 0}, 2, 0), at("fclib.h5"), Layout::fclib, "", "");
    expect_error(Status::file_format, {"fclib.h5", "fclib_local", "cones"},
                 [&] { read_problem(at("fclib.h5"), Law::box); });
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
}  // namespace perp::io_test
