#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/passes/analysis/callers.h"
#include "compiler/passes/analysis/loop_depths.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using Piece = ir::ReadOnlyData::Piece;

// Of all pieces together: what a text may grow by is three times as much.
constexpr uint64_t kMostBytes = uint64_t{32} << 10;
// A store of which nothing is known takes three instructions more, and a load from memory of one's
// own waits: loads from copies weigh at least a quarter of such stores.
constexpr uint64_t kMostStores = 4;
// Of loads, and of stores; beyond them there are no copies.
constexpr size_t kMostRanges = size_t{1} << 16;

struct Span {
  uint64_t from = 0;
  uint64_t end = 0;
  uint64_t weight = 0;
};

// Loads that have a form that reads a copy.
bool MayRead(const ir::Function& function, const Inst& inst, uint32_t row) {
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  const bool is_scalar = facts.klass == OpcodeClass::kLoad && facts.code <= 0xff;
  return is_scalar && (facts.bytes == 1 || function.IsAligned(row));
}

// Loads of counted loops that are numbers of the text already.
std::vector<bool> RowsWithNumbers(const ir::Function& function) {
  std::vector<bool> rows(function.insts.size());
  for (const ir::CountedLoop& loop : function.counted_loops) {
    for (const ir::LoopAccess& access : loop.accesses) {
      const bool is_number =
          std::any_of(loop.data.begin(), loop.data.end(),
                      [&](const ir::LoopData& data) { return data.stream == access.stream; });
      if (is_number) rows[loop.RowAt(access.at)] = true;
    }
  }
  return rows;
}

// By where they begin. Loads in loops of what the module's data has, and all stores to known bytes.
// A load that always comes to the same bytes does not count: memory serves all lanes at once.
struct Accesses {
  std::vector<Span> loads;
  std::vector<Span> stores;
  uint64_t other_stores = 0;  // their weight
};

bool Writes(const Inst& inst) {
  return inst.memory == 0 && (inst.op == Op::kStore || inst.op == Op::kMemoryCopyChunk ||
                              inst.op == Op::kMemoryFillChunk || inst.op == Op::kMemoryInitChunk);
}

Accesses FindAccesses(const ir::Program& program) {
  Accesses all;
  const LoopDepths depths(program);
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[i];
    const std::vector<bool> numbers = RowsWithNumbers(function);
    depths.Walk(i, [&](uint32_t row, uint32_t loops) {
      const ir::Function::AccessRange* range = function.RangeAt(row);
      const Inst& inst = function.insts[row];
      if (range == nullptr) {
        if (Writes(inst)) all.other_stores += LoopDepths::WeightOf(loops);
        return;
      }
      if (inst.op == Op::kStore) all.stores.push_back({range->from, range->end, 0});
      if (inst.op != Op::kLoad || loops == 0 || numbers[row] || !MayRead(function, inst, row)) {
        return;
      }
      const uint64_t bytes = range->end - range->from;
      if (bytes == FactsOf(inst.opcode).bytes || !program.image.HasData(range->from, bytes)) return;
      all.loads.push_back({range->from, range->end, LoopDepths::WeightOf(loops)});
    });
  }
  const auto by_place = [](const Span& a, const Span& b) { return a.from < b.from; };
  std::sort(all.loads.begin(), all.loads.end(), by_place);
  std::sort(all.stores.begin(), all.stores.end(), by_place);
  return all;
}

// Spans that have a byte in common with another are one, by where they begin.
std::vector<Span> Joined(const std::vector<Span>& spans) {
  std::vector<Span> joined;
  for (const Span& span : spans) {
    if (joined.empty() || span.from >= joined.back().end) {
      joined.push_back(span);
    } else {
      joined.back().end = std::max(joined.back().end, span.end);
    }
  }
  return joined;
}

// Of stores that are apart, by where they begin.
bool AreWritten(const std::vector<Span>& stores, uint64_t from, uint64_t end) {
  const auto behind =
      std::lower_bound(stores.begin(), stores.end(), end,
                       [](const Span& store, uint64_t wanted) { return store.from < wanted; });
  return behind != stores.begin() && std::prev(behind)->end > from;
}

// Pieces one behind the other without a byte between them that a store is known to come to.
class PieceFinder {
 public:
  explicit PieceFinder(const std::vector<Span>& stores) : stores_(stores) {}

  // By where they begin.
  void Add(const Span& load) {
    const auto from = static_cast<uint32_t>(load.from & ~uint64_t{3});
    const auto end = static_cast<uint32_t>((load.end + 3) & ~uint64_t{3});
    if (end - from > kMostBytes || AreWritten(stores_, from, end)) return;
    const bool overlaps = !pieces_.empty() && from < pieces_.back().end;
    const uint32_t begin = overlaps ? pieces_.back().end : from;
    const uint64_t more = end > begin ? end - begin : 0;
    if (!pieces_.empty() &&
        (bytes_ + more > kMostBytes || AreWritten(stores_, pieces_.front().from, end))) {
      TakeIfBest();
      Add(load);
      return;
    }
    if (overlaps) {
      pieces_.back().end = std::max(pieces_.back().end, end);
    } else {
      pieces_.push_back({from, end});
    }
    bytes_ += more;
    weight_ += load.weight;
  }

  // Empty: none weighs so much.
  std::vector<Piece> Best(uint64_t least_weight) {
    TakeIfBest();
    return best_weight_ >= least_weight ? std::move(best_) : std::vector<Piece>();
  }

 private:
  void TakeIfBest() {
    if (weight_ > best_weight_) {
      best_weight_ = weight_;
      best_ = std::move(pieces_);
    }
    pieces_.clear();
    bytes_ = weight_ = 0;
  }

  const std::vector<Span>& stores_;
  std::vector<Piece> pieces_, best_;
  uint64_t bytes_ = 0, weight_ = 0, best_weight_ = 0;
};

bool ReadsCopies(const ir::Program& program, const ir::Function& function) {
  return std::any_of(function.ranges.begin(), function.ranges.end(),
                     [&](const ir::Function::AccessRange& range) {
                       const Inst& inst = function.insts[range.row];
                       return inst.op == Op::kLoad && program.read_only.Holding(range) != nullptr &&
                              MayRead(function, inst, range.row);
                     });
}

}  // namespace

void ChooseReadOnlyData(ir::Program& program) {
  if (program.image.trap != Trap::kNone) return;
  const Accesses all = FindAccesses(program);
  if (all.loads.size() > kMostRanges || all.stores.size() > kMostRanges) return;
  const std::vector<Span> stores = Joined(all.stores);
  PieceFinder finder(stores);
  for (const Span& load : all.loads) finder.Add(load);
  program.read_only.pieces = finder.Best(all.other_stores / kMostStores);
  std::vector<bool> readers(program.functions.size());
  for (size_t i = 0; i < readers.size(); ++i) {
    readers[i] = ReadsCopies(program, program.functions[i]);
  }
  readers = WithCallers(program, std::move(readers));
  for (size_t i = 0; i < readers.size(); ++i) program.functions[i].reads_copies = readers[i];
}

}  // namespace wb
