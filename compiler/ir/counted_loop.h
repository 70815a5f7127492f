#pragma once

// What is known of a loop that steps a variable towards a bound: how many rounds it has
// at most, and where its accesses to memory 0 lie in all of them, in terms of values that variables
// have when the loop is entered. Printers of kernel text ask once, before the loop, what the loop's
// rows would ask in every round (compiler/docs/counted_loops.md). The interpreter does without.
//
// All arithmetic is modulo 2^32 unless said otherwise.

#include <cstdint>
#include <vector>

#include "compiler/wasm/opcode.h"

namespace wb::ir {

// What stands in a round of a loop that has loops inside (passes/loops/round_trace).
struct RoundStep {
  enum class Kind : uint8_t {
    kRow,
    kDecided,  // a branch or an if whose condition is known here: it only reads it
    kOpen,     // a round of an inner loop begins
    kClose,
  };
  Kind kind = Kind::kRow;
  uint32_t row = 0;
};

// A variable's value where the loop is entered, times a constant. A loop is entered anew where it
// is resumed at its header.
struct LoopTerm {
  uint32_t var = 0;
  uint32_t times = 1;
  bool operator==(const LoopTerm&) const = default;
};

// The sum of its terms and a constant.
struct LoopValue {
  std::vector<LoopTerm> terms;
  uint32_t constant = 0;
};

// Behind round k, counted from 0, the loop goes on only while (from + step * k) differs from `to`,
// or compares with it.
enum class LoopTest : uint8_t { kDiffers, kBelow, kUpTo };
struct LoopCounter {
  LoopTest test = LoopTest::kDiffers;
  // kBelow, kUpTo: both sides are compared without signs after XOR with this. It turns signed
  // comparisons into unsigned ones (bit 31), and falling counters into rising ones (all bits).
  uint32_t flip = 0;
  LoopValue from;
  LoopValue to;
  uint32_t step = 1;     // not 0, at most 2^31; towards `to`
  bool falls = false;    // the value falls by `step` in each round
  uint32_t test_at = 0;  // the branch that decides: a row (CountedLoop::RowAt)
  // The branch is the loop's last row and goes to its header: behind the last round nothing
  // follows.
  bool test_ends_round = false;
};

// Accesses whose addresses differ by constants, or by a bounded rest, in any one round. In round k
// they lie in [least + per_round * k + first, least + per_round * k + bytes), without wrapping
// round if [least + per_round * k, ... + bytes) lies in memory.
struct AddressStream {
  LoopValue least;
  int64_t per_round = 0;
  uint64_t first = 0;  // of the offsets of accesses, which are added without wrapping
  uint64_t bytes = 0;
  uint32_t align = 1;     // `least` must be a multiple of this: 1, 2 or 4
  bool by_words = false;  // some access is printed by words from `least`
  bool stores = false;
  bool at_tile = false;  // `least` is known to be a multiple of a tile's bytes (abi::TILE_WORDS)
};

inline constexpr uint32_t kNoStream = 0xffffffffu;

struct LoopAccess {
  uint32_t at = 0;  // its row (CountedLoop::RowAt)
  uint32_t stream = kNoStream;
  uint64_t offset = 0;    // of its first byte, from the stream's lowest; exact if by_words
  bool by_words = false;  // 4 or 8 bytes, a multiple of 4 from `least` in every round
  bool aligned = false;   // address and offset are multiples as Function::aligned says
  bool in_slot = false;   // all its words are slots
};

// A word at an address that does not change in the loop, or two that every access takes together.
// No other access of the loop comes to it if the streams named in `apart` are apart. So it lives in
// a variable meanwhile.
struct LoopSlot {
  uint32_t stream = 0;
  uint32_t word = 0;  // the first one, from the stream's lowest
  bool stored = false;
  ValueType type = ValueType::kI32;  // of the variable; i64 and f64 are of two words
  // A float that the first round stores before it can be left, and whose bits no row shows. It is
  // made canonical when it goes back to memory, not at each store.
  bool any_nan = false;

  uint32_t words() const { return type == ValueType::kI64 || type == ValueType::kF64 ? 2 : 1; }
};

struct StreamPair {
  uint32_t slots = 0;
  uint32_t other = 0;
};

// The words of a stream in all rounds, where memory holds what the module's data say.
struct LoopData {
  uint32_t stream = 0;
  uint32_t address = 0;  // of the first word, a multiple of 4
  uint32_t words = 0;
  uint32_t skipped = 0;  // words of the stream before it, which no access reads
};

// The loop's counter begins with this value wherever the loop is entered but by resuming.
struct KnownStart {
  uint32_t var = 0;
  uint32_t value = 0;
};

struct CountedLoop {
  uint32_t construct = 0;
  bool once = false;  // no loop, but the one round of a straight run (straight_run.h)
  LoopCounter counter;
  uint64_t cost = 0;  // fuel of a round, at most
  // If each of `starts` holds: how many at most; then it is in its first round, and what the
  // streams begin with follows. 0: not known.
  uint32_t rounds = 0;
  bool unrolls = false;  // `rounds` are known, and printed one behind the other
  std::vector<KnownStart> starts;
  std::vector<AddressStream> streams;
  std::vector<LoopAccess> accesses;  // by rising `at`; those that are not here are not known
  std::vector<LoopSlot> slots;       // by stream and word
  std::vector<StreamPair> apart;
  std::vector<LoopData> data;  // of loops that are unrolled: loads of them are numbers in the text
  // Of a loop with loops inside: its round, the rounds of those one behind the other. A place in
  // the round is then an index of `steps`, else a row of the function.
  std::vector<RoundStep> steps;
  uint32_t RowAt(uint32_t at) const { return steps.empty() ? at : steps[at].row; }
};

// Each variable that is read where the loop is entered, some more than once.
template <typename Visit>
void ForEachTerm(const CountedLoop& loop, Visit visit) {
  const auto terms = [&](const LoopValue& value) {
    for (const LoopTerm& term : value.terms) visit(term.var);
  };
  terms(loop.counter.from);
  terms(loop.counter.to);
  for (const AddressStream& stream : loop.streams) terms(stream.least);
}

}  // namespace wb::ir
