// A general mixed BLCP as a folder of Matrix Market files: H.mtx (p x p), q.mtx and the optional
// lo.mtx, hi.mtx (p x 1), and z.mtx, a solution. Any program that reads Matrix Market files can
// read it; what a row was in its scene is lost.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "io/layouts.hpp"
#include "io/matrix_market.hpp"
#include "io/replace_file.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 5> file_names = {"H.mtx", "q.mtx", "lo.mtx", "hi.mtx", "z.mtx"};
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string in(const std::string& folder, const char* name) {
    return (fs::path(folder) / name).string();
}

// Also a link that leads nowhere: it is there for a reason.
bool holds(const std::string& folder, const char* name) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(in(folder, name), ignored));
}

std::vector<double> read_vector(const std::string& folder, const char* name,
                                matrix_market::Values values,
                                std::optional<std::int64_t> expected) {
    const std::string path = in(folder, name);
    return matrix_market::read_vector(path, read_text(path), values, expected);
}

}  // namespace

// ---------------------------------------------------------------------------
// Reading

bool is_folder(const std::string& path) {
    std::error_code ignored;
    return path.ends_with('/') || fs::is_directory(path, ignored);
}

Problem read_market_folder(const std::string& folder, std::optional<Law> law) {
    std::error_code ignored;
    if (!fs::exists(folder, ignored))
        hdf5::fail_at(Status::file_not_found, folder, "there is no such file or directory");
    for (const char* name : {"H.mtx", "q.mtx"})
        if (!holds(folder, name))
            hdf5::fail_at(Status::file_format, folder,
                          std::string("is a directory without ") + name +
                              "; an instance in Matrix Market files has H.mtx, q.mtx and, where "
                              "there are bounds, lo.mtx and hi.mtx");
    if (law == Law::cone || law == Law::coulomb)
        hdf5::fail_at(Status::file_format, folder,
                      "holds a general BLCP in Matrix Market files, which has bounds and no cones; "
                      "the cone law needs an HDF5 file");
    using matrix_market::Values;
    std::vector<double> q = read_vector(folder, "q.mtx", Values::finite, std::nullopt);
    const auto p = static_cast<std::int64_t>(q.size());
    const std::string matrix = in(folder, "H.mtx");
    const TripletList H =
        matrix_market::read_matrix(matrix, read_text(matrix), matrix_market::Size{p, p});
    std::vector<double> lo, hi;  // empty: -inf, +inf
    if (holds(folder, "lo.mtx")) lo = read_vector(folder, "lo.mtx", Values::or_infinite, p);
    if (holds(folder, "hi.mtx")) hi = read_vector(folder, "hi.mtx", Values::or_infinite, p);
    return built_from(folder, [&] {
        return Problem::general_blcp(H.view(), std::move(q), std::move(lo), std::move(hi));
    });
}

std::vector<double> read_market_solution(const std::string& folder, std::int64_t rows) {
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !holds(folder, "z.mtx"))
        hdf5::fail_at(Status::file_format, folder, "holds no solution: found no z.mtx");
    return read_vector(folder, "z.mtx", matrix_market::Values::finite, rows);
}

// ---------------------------------------------------------------------------
// Writing

Bounds bounds_of(const ConstraintSet& set) {
    const auto p = static_cast<std::size_t>(set.rows);
    // Contacts of one row each: z >= 0.
    Bounds bounds{std::vector<double>(p, 0.0), std::vector<double>(p, infinity)};
    for (std::int64_t k = 0; k < set.scalars(); ++k) {
        bounds.lo[set.scalar_row[k]] = set.lo[k];
        bounds.hi[set.scalar_row[k]] = set.hi[k];
    }
    return bounds;
}

namespace {

// A folder to write into: made where there is none, and removed again where that came to nothing.
class TargetFolder {
public:
    explicit TargetFolder(const std::string& path);
    ~TargetFolder();
    TargetFolder(const TargetFolder&) = delete;
    TargetFolder& operator=(const TargetFolder&) = delete;
    // A folder of the user's that has nothing to do with us is left alone.
    void check_contents() const;
    void keep() { made_ = false; }

private:
    std::string path_;
    bool made_ = false;
};

TargetFolder::TargetFolder(const std::string& path) : path_(path) {
    std::error_code error;
    const fs::file_status found = fs::status(path, error);
    if (found.type() == fs::file_type::not_found) {
        made_ = fs::create_directory(path_, error);
        if (error) hdf5::fail_at(Status::file_write, path, "cannot be made: " + error.message());
    } else if (found.type() == fs::file_type::none) {
        hdf5::fail_at(Status::file_write, path, error.message());
    } else if (found.type() != fs::file_type::directory) {
        hdf5::fail_at(Status::file_write, path,
                      "is a file; Matrix Market instances are directories");
    }
}

// Also where memory has run out: fs::remove would need some for its path.
TargetFolder::~TargetFolder() {
    if (made_) ::rmdir(path_.c_str());  // only where it is empty
}

// Not with std::filesystem's iterator: libstdc++'s ends the program where memory runs out.
void TargetFolder::check_contents() const {
    const auto fail_listing = [this](int error) {
        check_memory(error);
        hdf5::fail_at(Status::file_write, path_,
                      std::string("cannot be listed: ") + std::strerror(error));
    };
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(path_.c_str()), ::closedir);
    if (listing == nullptr) fail_listing(errno);
    errno = 0;
    while (const dirent* entry = ::readdir(listing.get())) {
        const std::string name = entry->d_name;
        const bool ours = name == "." || name == ".." || is_temporary_name(name) ||
                          std::find(file_names.begin(), file_names.end(), name) != file_names.end();
        if (!ours)
            hdf5::fail_at(
                Status::file_write, path_,
                "is a directory that holds something else (" + name + "); it is not changed");
        errno = 0;
    }
    if (errno != 0) fail_listing(errno);
}

void check_bounds_only(const std::string& folder, const ConstraintSet& set) {
    if (set.tied())
        hdf5::fail_at(
            Status::unsupported, folder,
            "Matrix Market files hold fixed bounds, but some are tied to normal impulses; "
            "write the perp layout");
    if (set.contacts == 0 || set.shape.rows() == 1) return;
    hdf5::fail_at(Status::unsupported, folder,
                  format("Matrix Market files hold bounds and no cones; the %" PRId64
                         " contacts have %d sliding, spinning and rolling rows each under the cone "
                         "law (the box law can be written)",
                         set.contacts, set.shape.rows() - 1));
}

void add(FileReplacement& files, const std::string& folder, const char* name,
         const std::string& text) {
    files.add(in(folder, name), std::as_bytes(std::span(text)));
}

std::vector<std::string> comments_of(const Caption& caption) {
    std::vector<std::string> comments{
        "perp instance: lo <= z <= hi; u = H z + q >= 0 at lo, <= 0 at hi, = 0 between"};
    if (!caption.title.empty()) comments.push_back("title: " + caption.title);
    if (!caption.source.empty()) comments.push_back("source: " + caption.source);
    return comments;
}

// Explicit zeros of a given H are part of its pattern and stay.
std::string matrix_text(const Problem& problem, const std::vector<std::string>& comments) {
    const MatrixForm* given = problem.matrix();
    if (given != nullptr && !given->delassus)
        return matrix_market::matrix_text(given->main.csr(), comments);
    return matrix_market::matrix_text(problem.form_matrix(), comments);
}

}  // namespace

void write_market_folder(const std::string& folder, const Problem& problem,
                         const Caption& caption) {
    check_bounds_only(folder, problem.set());
    TargetFolder target(folder);
    target.check_contents();
    const std::vector<std::string> comments = comments_of(caption);
    const Bounds bounds = bounds_of(problem.set());
    FileReplacement files;
    add(files, folder, "H.mtx", matrix_text(problem, comments));
    add(files, folder, "q.mtx", matrix_market::vector_text(problem.free_velocity(), comments));
    add(files, folder, "lo.mtx", matrix_market::vector_text(bounds.lo, comments));
    add(files, folder, "hi.mtx", matrix_market::vector_text(bounds.hi, comments));
    // First the solution of the older problem: it must never stand beside the new one.
    std::error_code error;
    fs::remove(in(folder, "z.mtx"), error);
    if (error)
        hdf5::fail_at(Status::file_write, in(folder, "z.mtx"),
                      "cannot be removed: " + error.message());
    files.commit();
    target.keep();
}

void write_market_solution(const std::string& folder, std::span<const double> z,
                           const std::string& solver, double eta) {
    for (std::size_t i = 0; i < z.size(); ++i)
        if (!std::isfinite(z[i])) fail(Status::bad_value, "z[%zu] = %g is not finite", i, z[i]);
    TargetFolder target(folder);
    if (!holds(folder, "H.mtx")) target.check_contents();
    const std::string comment = "solution" + (solver.empty() ? std::string() : " by " + solver) +
                                ", eta " + matrix_market::number_text(eta);
    FileReplacement files;
    add(files, folder, "z.mtx", matrix_market::vector_text(z, {comment}));
    files.commit();
    target.keep();
}

}  // namespace perp
