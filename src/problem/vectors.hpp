// Checks of the caller's vectors; every message names the argument, the index and the value.
#pragma once

#include <cstdint>
#include <vector>

namespace perp {

// Throws bad_size: "name has k entries, expected size".
void check_size(const std::vector<double>& v, std::int64_t size, const char* name);
// Throws bad_value on NaN and infinity; check_not_negative on negative values too.
void check_finite(const std::vector<double>& v, const char* name);
void check_not_negative(const std::vector<double>& v, const char* name);
// Throws null_argument where entries are needed and none are given.
void require(const std::vector<double>& v, std::int64_t size, const char* name, const char* why);
// An empty vector becomes `size` zeros.
void fill_default(std::vector<double>& v, std::int64_t size);

}  // namespace perp
