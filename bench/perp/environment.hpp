// Where and with what something was measured.
#pragma once

#include "problem_file.hpp"

namespace perp::tool {

// CPU, cores, memory, load, system, date, and how perp was built. null where the system does not
// tell.
Json environment_json();

}  // namespace perp::tool
