#pragma once

// The C++ view of the numbers in lane.def, trap.def and end.def.

#include <cstdint>
#include <string_view>

namespace wb {

namespace abi {
enum Number : uint32_t {
#define WB_ABI(name, value, meaning) name = value,
#include "compiler/abi/lane.def"
#undef WB_ABI
};

// What the host passes to a launch, as the kernel text's `struct WbParams` declares it: all words.
struct Params {
  uint32_t lanes = 0;           // of this dispatch
  uint32_t steps = 0;           // steps of the lane program
  uint32_t record_words = 0;    // words per record
  uint32_t output_at = 0;       // word in the record where output bytes begin
  uint32_t output_bytes = 0;    // capacity of the output part
  uint32_t capacity_pages = 0;  // memory reserve of every lane, in pages
  uint32_t max_pages = 0;       // min(declared maximum, job's limit)
  uint32_t max_stack = 0;       // 8-byte slots
  uint32_t quantum = 0;         // fuel between two looks at the stop word, 1 .. 2^30
  uint32_t memory_is_zero = 0;  // 1: a lane whose header is zero has a memory of zeros
  uint32_t lane_words_lo = 0;   // words of one lane's state, memory reserve included
  uint32_t lane_words_hi = 0;
  uint32_t slice_lo = 0;  // fuel of this launch for lane 0
  uint32_t slice_hi = 0;
  uint32_t slice_step = 0;   // lane i gets slice + i * slice_step (tests leave everywhere with it)
  uint32_t max_fuel_lo = 0;  // the instance's limit
  uint32_t max_fuel_hi = 0;
  uint32_t frames_at = 0;       // lane word where frames begin
  uint32_t capacity_stack = 0;  // stack reserve of every lane, 8-byte slots
  uint32_t seats = 0;           // 0: lane i has seat i; else so many, which lanes take in turn
  uint32_t lanes_are_new = 0;   // 1: the first launch, no lane holds an instance
  uint32_t most_idle = 0;       // queued seats: once more lanes than this found none, all leave
  uint32_t span_shift = 11;     // LaneLayout::span_shift
  uint32_t takers = 0;  // queued seats: lanes below it take seats, the others end what they hold
};
static_assert(sizeof(Params) == 24 * 4);
}  // namespace abi

enum class Trap : uint8_t {
  kNone = 0,
#define WB_TRAP(name, upper, number, words) k##name = number,
#include "compiler/abi/trap.def"
#undef WB_TRAP
};
std::string_view TrapWords(Trap trap);  // "integer divide by zero"; "" for kNone
std::string_view TrapName(Trap trap);   // "DIVIDE_BY_ZERO"
bool IsTrap(uint32_t number);           // a number of the list

enum class End : uint8_t {
#define WB_END(name, upper, number) k##name = number,
#include "compiler/abi/end.def"
#undef WB_END
};
inline constexpr uint32_t kEnds = 0
#define WB_END(name, upper, number) +1
#include "compiler/abi/end.def"
#undef WB_END
    ;                               // that there are, numbered from 0
std::string_view EndName(End end);  // "OUT_OF_FUEL"

}  // namespace wb
