#include "mex_errors.hpp"

#include <cstdio>
#include <regex>

#include "perp/perp.h"

namespace perp_mex {

namespace {

const char* identifier_of(std::int32_t status) {
    switch (status) {
        case PERP_NULL_ARGUMENT:
            return "perp:nullArgument";
        case PERP_BAD_SIZE:
            return "perp:badSize";
        case PERP_BAD_INDEX:
            return "perp:badIndex";
        case PERP_BAD_VALUE:
            return "perp:badValue";
        case PERP_BAD_BOUNDS:
            return "perp:badBounds";
        case PERP_NOT_SYMMETRIC:
            return "perp:notSymmetric";
        case PERP_NOT_POSITIVE_DEFINITE:
            return "perp:notPositiveDefinite";
        case PERP_BAD_PATTERN:
            return "perp:badPattern";
        case PERP_BAD_SETTING:
            return "perp:badSetting";
        case PERP_UNSUPPORTED:
            return "perp:unsupported";
        case PERP_FILE_NOT_FOUND:
            return "perp:fileNotFound";
        case PERP_FILE_FORMAT:
            return "perp:fileFormat";
        case PERP_FILE_WRITE:
            return "perp:fileWrite";
        case PERP_NO_MEMORY:
            return "perp:noMemory";
        default:
            return "perp:internal";
    }
}

bool about_files(std::int32_t status) {
    return status == PERP_FILE_NOT_FOUND || status == PERP_FILE_FORMAT || status == PERP_FILE_WRITE;
}

std::string next(const std::string& digits) { return std::to_string(std::stoll(digits) + 1); }

// Every match of `pattern` replaced by what `replacement` makes of it.
template <class Replacement>
std::string replaced(const std::string& text, const char* pattern, Replacement replacement) {
    const std::regex expression(pattern);
    std::string result;
    std::size_t end = 0;
    for (std::sregex_iterator match(text.begin(), text.end(), expression), none; match != none;
         ++match) {
        const auto begin = static_cast<std::size_t>(match->position());
        result += text.substr(end, begin - end) + replacement(*match);
        end = begin + static_cast<std::size_t>(match->length());
    }
    return result + text.substr(end);
}

// "M: value[7]" becomes "M(2, 3)", where `places` know M.
std::string with_positions(const std::string& message, const std::vector<Places>& places) {
    return replaced(message, "(\\w+): value\\[(\\d{1,18})\\]", [&](const std::smatch& m) {
        for (const Places& known : places) {
            if (known.matrix != m.str(1)) continue;
            const Position at = known.position(std::stoll(m.str(2)));
            return m.str(1) + "(" + std::to_string(at.first) + ", " + std::to_string(at.second) +
                   ")";
        }
        return m.str();
    });
}

}  // namespace

void refuse(const char* identifier, const std::string& message) {
    throw Refusal(identifier, message);
}

void require(std::int32_t status, const std::vector<Places>& places) {
    if (status == PERP_OK) return;
    const std::string message = perp_last_message();
    if (message.empty()) refuse(identifier_of(status), perp_status_text(status));
    refuse(identifier_of(status), about_files(status) ? message : one_based(message, places));
}

std::string one_based(const std::string& message, const std::vector<Places>& places) {
    std::string text = with_positions(message, places);
    text = replaced(text, "\\b(\\w+)\\[(\\d{1,18})\\]",
                    [](const std::smatch& m) { return m.str(1) + "(" + next(m.str(2)) + ")"; });
    text = replaced(text, "^(row|normal)\\((\\d+)\\) = (\\d{1,18})", [](const std::smatch& m) {
        return m.str(1) + "(" + m.str(2) + ") = " + next(m.str(3));
    });
    text = replaced(text, "\\b(row|contact|velocity|degree of freedom) (\\d{1,18})\\b",
                    [](const std::smatch& m) { return m.str(1) + " " + next(m.str(2)); });
    if (text.find(" (0-based)") == std::string::npos) return text;
    text = replaced(text, "\\((\\d{1,18}), (\\d{1,18})\\)", [](const std::smatch& m) {
        return "(" + next(m.str(1)) + ", " + next(m.str(2)) + ")";
    });
    return replaced(text, " \\(0-based\\)", [](const std::smatch&) { return std::string(); });
}

std::string number_text(double value) {
    char text[40];
    for (const int digits : {6, 15, 17}) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        double back = 0.0;
        if (std::sscanf(text, "%lf", &back) == 1 && back == value) break;
    }
    // A host may have another decimal point; perp's settings have this one.
    std::string result = text;
    for (char& c : result)
        if (c == ',') c = '.';
    return result;
}

}  // namespace perp_mex
