#include "compiler/emit/plan/rounds.h"

namespace wb {

uint64_t RowsOfRounds(const ir::Function& function) {
  uint64_t rows = 0;
  for (const ir::CountedLoop& loop : function.counted_loops) {
    const ir::Construct& construct = function.constructs[loop.construct];
    const uint64_t round = loop.steps.empty() ? construct.end - construct.begin : loop.steps.size();
    rows += round * (loop.unrolls ? loop.rounds : 1);
  }
  for (const ir::StraightRun& run : function.straight_runs) rows += run.end - run.begin;
  return rows;
}

}  // namespace wb
