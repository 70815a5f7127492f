#pragma once

// JumpPatcher: writes the targets of a function's jumps. The target of a jump back is known. A jump
// ahead waits in a list until its construct ends or its else arm begins, so that one pass over the
// rows is enough and nothing recurses on nesting.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

class JumpPatcher {
 public:
  // Both outlive it. The caller appends instructions to `out`, and calls in the order of the rows.
  JumpPatcher(const std::vector<ir::Construct>& constructs, ByteFunction& out);

  // The loop's first instruction is the next one.
  void BeginLoop(uint64_t construct);
  // The last instruction goes to the construct: to the begin of a loop, to the end of another one.
  void JumpTo(uint64_t construct);
  // Appends a target of a table (ByteFunction::targets) that goes there.
  void AddTarget(uint64_t construct);
  // The last instruction goes to the else arm of an if, or to its end if it has none.
  void JumpToElse(uint64_t construct);
  // The next instruction is the first of the else arm. The jump to it must be there.
  void BeginElse(uint64_t construct);
  // The next instruction is the first behind the construct.
  void End(uint64_t construct);

 private:
  uint32_t Here() const { return static_cast<uint32_t>(out_.code.size()); }
  bool IsLoop(uint64_t construct) const;
  bool ResolveElse(uint64_t construct);  // false: no jump waits for it

  // Where a jump's target is written: an instruction's dst or an entry of a table.
  struct Waiting {
    bool in_table = false;
    size_t at = 0;
  };

  const std::vector<ir::Construct>& constructs_;
  ByteFunction& out_;
  std::vector<std::vector<Waiting>> waiting_;            // per construct
  std::vector<uint32_t> start_;                          // per loop: its first instruction
  std::vector<std::pair<uint64_t, size_t>> else_jumps_;  // open ifs and their jump to the else arm
};

}  // namespace wb
