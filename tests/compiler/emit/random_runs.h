#pragma once

// Test only: modules of functions with many accesses one behind the other
// (compiler/docs/straight_runs.md), made to attack what is asked at their head: pointers that are
// odd, change midway, come from memory, or point near one another, near the end of memory or near
// 2^32; and ways out midway, by branches and by traps.

#include <cstdint>
#include <string>

#include "tests/compiler/emit/random_choices.h"

namespace wb::test {

// The text of a module with exports f0 to f(functions - 1), each (i32, i64, f32, f64) to (i32,
// i64), and one page of memory of two that it may have.
std::string MakeRandomRuns(Choices& choices, uint32_t functions);

}  // namespace wb::test
