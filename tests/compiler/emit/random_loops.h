#pragma once

// Test only: modules of functions with innermost loops that step variables towards bounds
// (compiler/docs/counted_loops.md), made to attack what is asked of them before they begin: bounds
// that are stepped past or wrap round, words that other accesses come to in some round, addresses
// that are odd, that end at the end of memory, or that wrap round 2^32.

#include <cstdint>
#include <string>

#include "tests/compiler/emit/random_choices.h"

namespace wb::test {

// The text of a module with exports f0 to f(functions - 1), each (i32, i64, f32, f64) to (i32,
// i64), and one page of memory of two that it may have.
std::string MakeRandomLoops(Choices& choices, uint32_t functions);

}  // namespace wb::test
