#pragma once

// What the text calls the parts of a counted loop (ir/counted_loop.h), and its sums as expressions.
// The loop with construct 4 has k4 (the round), n4 (how many at most), m4 (how many the fuel lasts
// for), a4_0 (the lowest address of stream 0), P4_0 (the words from there) and q4_0_7 (its word 7
// as a variable).

#include <cstdint>
#include <string>

#include "compiler/emit/function/expressions.h"
#include "compiler/ir/ir.h"

namespace wb {

class CountedNames {
 public:
  // Both outlive this.
  CountedNames(const ir::CountedLoop& loop, Expressions& expressions)
      : loop_(&loop), expressions_(&expressions) {}

  std::string Name(const char* letter) const;                  // "k4"
  std::string Name(const char* letter, uint32_t index) const;  // "a4_0"
  std::string Slot(uint32_t stream, uint64_t word) const;      // "q4_0_7"
  // How many rounds there are at most: "48u" or "n4".
  std::string Rounds() const;
  std::string Sum(const ir::LoopValue& value) const;  // "l3 + t5 * 4u + 16u"
  // The bytes from `skipped` behind a stream's lowest address to the end of its last round.
  std::string Span(const ir::AddressStream& stream, uint64_t skipped = 0) const;

  static std::string Unsigned(uint64_t value) { return std::to_string(value) + "u"; }
  static std::string Long(uint64_t value) { return std::to_string(value) + "ul"; }
  // Bytes from one round to the next.
  static uint64_t Distance(const ir::AddressStream& stream) {
    return static_cast<uint64_t>(stream.per_round < 0 ? -stream.per_round : stream.per_round);
  }

 private:
  const ir::CountedLoop* loop_;
  Expressions* expressions_;
};

}  // namespace wb
