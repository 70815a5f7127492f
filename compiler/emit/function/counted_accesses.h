#pragma once

// Accesses to memory in the rounds of a counted loop's first form (ir/counted_loop.h): without
// tests of bounds and alignment; words that stay in place are variables, and data may be numbers.

#include <cstdint>
#include <string>

#include "compiler/emit/function/counted_names.h"
#include "compiler/emit/function/row_context.h"
#include "compiler/ir/ir.h"

namespace wb {

class CountedAccesses {
 public:
  // `reads_data`: loads of the loop's data are numbers of the text. `loop` outlives this.
  CountedAccesses(const RowContext& context, const ir::CountedLoop& loop, bool reads_data)
      : context_(context),
        loop_(&loop),
        names_(loop, context.expressions),
        reads_data_(reads_data) {}

  // The row at this place (CountedLoop::RowAt). False: it is no such access, nor what makes a NaN
  // canonical that need not be.
  bool Write(uint32_t place) const;

 private:
  const ir::LoopData* DataOf(uint32_t stream) const;
  const ir::LoopAccess* AccessAt(uint32_t place) const;
  const ir::LoopSlot& SlotAt(uint32_t stream, uint64_t word) const;
  bool StaysAnyNan(const ir::Inst& canon, uint32_t place) const;
  std::string Place(const ir::LoopAccess& access) const;
  std::string WordAt(const ir::LoopAccess& access) const;
  std::string Word(const ir::LoopAccess& access, uint64_t further) const;
  std::string TwoWords(const ir::LoopAccess& access) const;
  std::string Address(const ir::Inst& inst, const ir::LoopAccess& access) const;
  void Load(const ir::Inst& inst, const ir::LoopAccess& access) const;
  void Store(const ir::Inst& inst, const ir::LoopAccess& access) const;
  void Put(const ir::LoopAccess& access, bool is_long, const std::string& value) const;
  std::string FromCopy(const ir::Inst& inst, const ir::LoopAccess& access,
                       const std::string& otherwise) const;
  bool LoadSlot(const ir::Inst& inst, const ir::LoopAccess& access) const;
  bool StoreSlot(const ir::Inst& inst, const ir::LoopAccess& access) const;

  const RowContext context_;
  const ir::CountedLoop* loop_;
  const CountedNames names_;
  const bool reads_data_;
};

}  // namespace wb
