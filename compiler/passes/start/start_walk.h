#pragma once

// How far a function's rows are the same in every instance that calls it first, as far as they do
// not depend on some of its parameters. Pure; linear in the function's rows.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

// Where instances that are in a function may first differ.
struct StartPoint {
  uint32_t row = 0;            // from here on; the number of rows: nowhere in the function
  std::vector<uint32_t> open;  // rows of the blocks around it, from the outermost in
  // Rows before it that read what may differ, and that have no other effect than their result: they
  // move behind the point. Ascending.
  std::vector<uint32_t> deferred;
  std::vector<bool> differs;       // by variable, at the point
  std::vector<ir::Var> results;    // what other rows before it define and later ones read
  bool has_work = false;           // there is a loop or a call before it
  bool is_narrow = false;          // the results can be constants of the text
  const ir::Call* call = nullptr;  // the row there, if it is a call of a body of the module
};

// `may_differ`: by function of the program, whether a call of it may do what depends on more than
// the module (MayDiffer). `differs`: by parameter.
StartPoint FindStartPoint(const ir::Program& program, const ir::Function& function,
                          const std::vector<bool>& may_differ, const std::vector<bool>& differs);

// Functions that ask the host or a group, grow a memory, or change tables or what else of a
// module's state no data segment or global can begin with; and all that may call them.
std::vector<bool> MayDiffer(const ir::Program& program);

}  // namespace wb
