#pragma once

// Rows of a function one behind the other, with many accesses to memory 0. Printers of kernel text
// ask once, at their head, what these rows would ask one by one (compiler/docs/straight_runs.md).
// The interpreter does without.

#include <cstdint>

#include "compiler/ir/counted_loop.h"

namespace wb::ir {

// The rows [begin, end) of the construct `inside`. No row before the last goes elsewhere but out of
// the run, and none is a safepoint: blocks and ifs that begin here end here.
struct StraightRun {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t inside = 0;
  // What is known of its accesses: those of a loop with one round (CountedLoop::once), entered at
  // `begin`. Its `construct` is a number that no construct of the function has.
  CountedLoop round;
};

}  // namespace wb::ir
