#pragma once

// Stacks as flame graph programs read them. Pure.

#include <string>

#include "client/cli/profile/profile_tree.h"

namespace wb::cli {

// "main;parse;next 123": the calls, the outermost first, and the fuel of the last one's own
// instructions. A line for each stack that has some.
std::string FoldedStacks(const ProfileTree& tree);

}  // namespace wb::cli
