// Errors of the MEX file: every one has an identifier that programs can tell apart.
//
//   perp:nullArgument         something required is missing
//   perp:badSize              sizes that do not fit
//   perp:badIndex             index out of range
//   perp:badValue             NaN, negative, not whole, ...
//   perp:badBounds            lo > hi, lo = Inf, hi = -Inf
//   perp:notSymmetric         mass matrix
//   perp:notPositiveDefinite  mass matrix
//   perp:badPattern           entries outside the pattern
//   perp:badSetting           setting, unknown name
//   perp:unsupported          problem or layout
//   perp:fileNotFound, perp:fileFormat, perp:fileWrite
//   perp:noMemory
//   perp:internal             a defect of perp
//
// are perp_status; those that only MATLAB has:
//
//   perp:badType       class of an argument: not real, not double, not text, not a perp object
//   perp:badHandle     an object that was deleted, or is of another kind
//   perp:badOption     options that are no pairs, no option of that name, one given twice
//   perp:badCall       number of arguments, unknown command
//   perp:interrupted   Ctrl-C in a progress function
#ifndef PERP_MEX_ERRORS_HPP
#define PERP_MEX_ERRORS_HPP

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perp_mex {

// A refused call. It ends in run() of perp_mex.cpp, where it becomes an error of the interpreter.
class Refusal : public std::runtime_error {
public:
    // identifier: static text, "perp:...".
    Refusal(const char* identifier, const std::string& message)
        : std::runtime_error(message), identifier_(identifier) {}
    const char* identifier() const noexcept { return identifier_; }

private:
    const char* identifier_;
};

[[noreturn]] void refuse(const char* identifier, const std::string& message);

// Where the k-th value (0-based) of a matrix stands: row and column, 1-based.
using Position = std::pair<std::int64_t, std::int64_t>;
struct Places {
    std::string matrix;  // its name in perp's messages
    std::function<Position(std::int64_t)> position;
};

// Throws unless `status` is PERP_OK: perp's last message, with indices that count from 1. Messages
// about files stay as they are: in files, indices count from 0.
void require(std::int32_t status, const std::vector<Places>& places = {});

// perp's message as MATLAB counts: "b_N[3] = nan" becomes "b_N(4) = nan", "(0, 2) (0-based)" is
// "(1, 3)", and the number of a value of a matrix becomes its row and column.
std::string one_based(const std::string& message, const std::vector<Places>& places);

// A number as the shortest text of at most 17 digits, for messages and settings.
std::string number_text(double value);

}  // namespace perp_mex

#endif  // PERP_MEX_ERRORS_HPP
