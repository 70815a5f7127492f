#pragma once

// The accesses of a loop to memory 0, put together by what their addresses have in common, and the
// words among them that never change place.

#include "compiler/passes/loops/loop_rows.h"

namespace wb {

inline constexpr size_t kMostStreams = 12;
inline constexpr size_t kMostSlots = 24;
inline constexpr size_t kMostSlotsOfTrace = 96;  // and of rows that run once
inline constexpr size_t kMostPairs = 16;

// Fills `streams` and `accesses`. False: there are too many streams. Of rows that run once those
// beyond them are not known.
bool FindStreams(const LoopRows& rows, ir::CountedLoop& loop);

// Fills `slots` and `apart`, or leaves them empty where an access may come anywhere. Needs the
// streams and, to leave out what cannot be apart, `starts` and `rounds`.
void FindSlots(const LoopRows& rows, ir::CountedLoop& loop);

}  // namespace wb
