#include "compiler/passes/loops/counted_loops.h"

#include <algorithm>

#include "compiler/passes/loops/address_streams.h"
#include "compiler/passes/loops/loop_counter.h"
#include "compiler/passes/loops/loop_data.h"
#include "compiler/passes/loops/loop_rows.h"

namespace wb {
namespace {

// All loops of a small module, an eighth of a large one's rows. A hash of 80 rounds has 9,000 rows
// unrolled.
constexpr uint64_t kLeastRows = 2'000;
constexpr uint64_t kMostUnrolledRows = 12'000;
constexpr uint32_t kMostUnrolledRounds = 80;
constexpr uint64_t kMostDataWordsOfAll = 2'048;
constexpr uint64_t kMostTraceSteps = 400'000;
constexpr uint64_t kLeastStraightRows = 8'000;
constexpr uint64_t kMostFuelAtOnce = 16'384;

using ir::CountedLoop;
using ir::LoopValue;

// The values with which the variables of the counter begin, and with these the rounds.
void FindRounds(const LoopRows& rows, const std::vector<KnownBits>& facts, CountedLoop& loop) {
  for (const LoopValue* value : {&loop.counter.from, &loop.counter.to}) {
    for (const ir::LoopTerm& term : value->terms) {
      const auto start = StartOf(rows, loop.construct, term.var, facts);
      if (start) loop.starts.push_back({term.var, *start});
    }
  }
  const auto from = AtStart(loop.counter.from, loop.starts);
  const auto to = AtStart(loop.counter.to, loop.starts);
  if (from && to) loop.rounds = RoundsOf(loop.counter, *from, *to);
  // A long loop runs as far as the fuel lasts, and so may not be one piece.
  if (loop.rounds * loop.cost > kMostFuelAtOnce) loop.rounds = 0;
  if (loop.rounds == 0) loop.starts.clear();
}

// Where the loop has known rounds it is in its first one, so what its addresses begin with is known
// by the same rows. Then compilers know the addresses of loops that are unrolled.
void FindFirstAddresses(const LoopRows& rows, const std::vector<KnownBits>& facts,
                        CountedLoop& loop) {
  if (loop.rounds == 0) return;
  for (ir::AddressStream& stream : loop.streams) {
    std::erase_if(stream.least.terms, [&](const ir::LoopTerm& term) {
      const auto start = StartOf(rows, loop.construct, term.var, facts);
      if (start) stream.least.constant += *start * term.times;
      return start.has_value();
    });
  }
}

// An access has a test less or an address that is stepped, or a word lives in a variable.
bool Gains(const ir::Function& function, const CountedLoop& loop) {
  if (!loop.slots.empty()) return true;
  return std::any_of(loop.accesses.begin(), loop.accesses.end(), [&](const ir::LoopAccess& access) {
    const uint32_t row = loop.RowAt(access.at);
    if (access.stream != ir::kNoStream && loop.streams[access.stream].per_round != 0) return true;
    return !function.IsInside(row) || (access.aligned && !function.IsAligned(row));
  });
}

std::optional<CountedLoop> Find(const LoopRows& rows, uint32_t construct,
                                const std::vector<KnownBits>& facts, const RoundTrace* trace) {
  if (!rows.simple()) return std::nullopt;
  auto counter = FindCounter(rows);
  if (!counter) return std::nullopt;
  CountedLoop loop;
  if (trace != nullptr) loop.steps = trace->steps;
  loop.construct = construct;
  loop.counter = std::move(*counter);
  loop.cost = rows.cost();
  FindRounds(rows, facts, loop);
  if (!FindStreams(rows, loop)) return std::nullopt;
  FindFirstAddresses(rows, facts, loop);
  FindSlots(rows, loop);
  if (!Gains(rows.function(), loop)) return std::nullopt;
  return loop;
}

// Whether its rounds stand one behind the other, and then once more with data as numbers.
void Unroll(const LoopRows& rows, uint64_t count, const ir::Image& image, LoopBudget* budget,
            CountedLoop& loop) {
  if (loop.rounds == 0 || loop.rounds > kMostUnrolledRounds) return;
  if (loop.rounds * count > budget->unrolled_rows) return;
  loop.unrolls = true;
  budget->unrolled_rows -= loop.rounds * count;
  if (count > budget->rows) return;
  loop.data = FindData(rows, loop, image, &budget->data_words);
  if (!loop.data.empty()) budget->rows -= count;
}

}  // namespace

LoopBudget BudgetOf(const ir::Program& program) {
  uint64_t rows = 0;
  for (const ir::Function& function : program.functions) rows += function.insts.size();
  return {kLeastRows + rows / 8, kMostUnrolledRows, kMostDataWordsOfAll, kMostTraceSteps,
          kLeastStraightRows + rows / 8};
}

std::vector<CountedLoop> FindCountedLoops(const ir::Function& function, const ir::Image& image,
                                          const std::vector<KnownBits>& facts, LoopBudget* budget) {
  std::vector<CountedLoop> loops;
  const bool any =
      std::any_of(function.constructs.begin(), function.constructs.end(),
                  [](const ir::Construct& item) { return item.kind == ir::ConstructKind::kLoop; });
  if (!any || function.vars.size() > StableValues::kMostVariables) return loops;
  const StableValues stable(function, facts);
  for (uint32_t i = 1; i < function.constructs.size(); ++i) {
    const ir::Construct& construct = function.constructs[i];
    if (construct.kind != ir::ConstructKind::kLoop) continue;
    const bool is_innermost = construct.header_safepoint == construct.last_safepoint;
    const auto trace =
        is_innermost ? std::nullopt : TraceRound(function, i, facts, &budget->trace_steps);
    if (!is_innermost && !trace) continue;
    const uint64_t rows = trace ? trace->steps.size() : construct.end - construct.begin;
    if (rows > budget->rows) continue;
    const LoopRows loop_rows(function, i, facts, stable, trace ? &*trace : nullptr);
    auto loop = Find(loop_rows, i, facts, trace ? &*trace : nullptr);
    if (!loop) continue;
    budget->rows -= rows;
    Unroll(loop_rows, rows, image, budget, *loop);
    loops.push_back(std::move(*loop));
  }
  return loops;
}

}  // namespace wb
