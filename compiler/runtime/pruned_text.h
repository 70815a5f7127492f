#pragma once

// A kernel text without what it does not use. Compilers read, check and drop functions that nothing
// names, which for a small module takes them longer than the module.

#include <string>
#include <string_view>

namespace wb {

// The text, or a chunk of one, without those functions and constants of the runtime's files
// (runtime.h) that nothing else in it names. Lines keep their numbers: a #line stands behind each
// gap.
std::string PrunedText(std::string_view text);

}  // namespace wb
