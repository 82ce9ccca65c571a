// Bodies seen from the side, as SVG files.
#pragma once

#include <string>

#include "../scenes/experiment.hpp"

namespace perp::tool {

// A whole SVG document: all shapes, at one scale for both axes, and a bar that tells it.
std::string svg_text(const scenes::Drawing& drawing);

}  // namespace perp::tool
