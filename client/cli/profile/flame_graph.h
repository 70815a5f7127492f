#pragma once

// A flame graph: each call a box as wide as its fuel, with what it called above it. Pure.

#include <string>

#include "client/cli/profile/profile_tree.h"

namespace wb::cli {

// An SVG file without scripts. A box that is hovered over says what it is. Boxes that are too
// narrow to be seen are left out. `title` is one line.
std::string FlameGraph(const ProfileTree& tree, const std::string& title);

}  // namespace wb::cli
