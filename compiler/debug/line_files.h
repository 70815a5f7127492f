#pragma once

// The file of a row, from the tables of its unit's head. Pure; linear in the tables.

#include <cstdint>
#include <string>

#include "compiler/debug/custom_sections.h"
#include "compiler/debug/line_header.h"

namespace wb {

// Relative to the folder of the compilation where it lies in it, else as the compiler was given it.
// Empty: there is no such file, or the tables do not parse.
std::string LineFile(const DebugSections& sections, const LineHeader& header, uint32_t file);

}  // namespace wb
