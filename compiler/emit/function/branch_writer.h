#pragma once

// Branches as lines of kernel text, out of structured and flattened constructs.

#include <cstdint>
#include <string>

#include "compiler/emit/function/control_context.h"
#include "compiler/emit/function/flat_writer.h"
#include "compiler/emit/function/structured_writer.h"
#include "compiler/ir/ir.h"

namespace wb {

class BranchWriter {
 public:
  BranchWriter(const ControlContext& context, FlatWriter& flat, StructuredWriter& structured)
      : context_(context), flat_(flat), structured_(structured) {}

  // kBr.
  void Branch(uint32_t target);
  // kBrIf.
  void BranchIf(const ir::Inst& inst);
  // kBrTable.
  void BranchTable(const ir::Inst& inst);

 private:
  // Text that goes to a construct's label; it ends in `break` or `continue`.
  std::string Jump(uint32_t target);

  const ControlContext context_;
  FlatWriter& flat_;
  StructuredWriter& structured_;
};

}  // namespace wb
