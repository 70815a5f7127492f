#include "compiler/passes/cut/plan_cuts.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace wb {
namespace {

using ir::Inst;
using ir::Op;

constexpr uint64_t kCallWeight = 10;
constexpr uint64_t kStub = 2;  // rows that say which label of a ladder was reached

bool IsPay(const Inst& inst) {
  return inst.op == Op::kPay || inst.op == Op::kPayVar || inst.op == Op::kPayPer16;
}

// A tail call ends the function that it stands in.
bool EndsFunction(const ir::Function& function, const Inst& inst) {
  if (inst.op == Op::kCall) return function.calls[inst.imm].tail;
  return inst.op == Op::kCheckRoom && function.room_checks[inst.imm].in_callers_place;
}

uint64_t WeightOf(const Inst& inst) { return inst.op == Op::kCall ? kCallWeight : 1; }

class CutPlanner {
 public:
  CutPlanner(const ir::Function& function, const CutSizes& sizes)
      : function_(function), sizes_(sizes) {}

  std::vector<RowRange> Run() {
    levels_.push_back({0, true, {}, {}});
    for (uint32_t row = 0; row < function_.insts.size(); ++row) Visit(row);
    EndArm();
    std::sort(cuts_.begin(), cuts_.end(), [](const RowRange& a, const RowRange& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    return std::move(cuts_);
  }

 private:
  struct Piece;
  // What stands behind each of several blocks that begin within one another.
  struct Ladder {
    std::vector<Piece> rungs;
    uint64_t weight = 0;  // each counts as its stub at least
  };
  // Rows that stand one behind the other in one arm.
  struct Piece {
    uint32_t begin = 0;
    uint32_t end = 0;
    uint64_t weight = 0;          // rows that are left after the cuts inside
    uint32_t depth = 0;           // of the cuts inside
    bool straight = false;        // part of one basic block
    bool pinned = false;          // stays in its arm
    bool ends_function = false;   // so does what it lies in
    std::vector<uint32_t> exits;  // constructs around it that it branches to, ascending
    std::optional<uint32_t> block = std::nullopt;  // that it is
    Ladder ladder = {};                            // of a block: that ends with it
  };
  struct Level {
    uint32_t construct = 0;
    bool at_head = false;       // no row but the head's has come
    std::vector<Piece> pieces;  // of the arm
    Piece whole;                // of the arms before
  };

  void Visit(uint32_t row);
  Piece PieceOf(uint32_t row);
  bool GoesOn(uint32_t row, const Piece& piece) const;
  void Close(uint32_t row);
  void EndArm();
  uint64_t CutArm(std::vector<Piece>& pieces, uint64_t weight, Ladder& ladder);
  Ladder LadderOf(std::vector<Piece>& pieces) const;
  void CutLadder(std::vector<Piece>& pieces, const Ladder& ladder);
  uint64_t CutRungs(std::span<const Piece> rungs);
  std::vector<Piece> Joined(std::vector<Piece> pieces) const;
  bool MayJoin(const Piece& run, const Piece& piece) const;
  static void Join(Piece& run, Piece piece);
  static void MergeExits(std::vector<uint32_t>& into, std::vector<uint32_t> exits);

  const ir::Function& function_;
  const CutSizes sizes_;
  std::vector<Level> levels_;
  std::vector<RowRange> cuts_;
};

void CutPlanner::Visit(uint32_t row) {
  const Inst& inst = function_.insts[row];
  switch (inst.op) {
    case Op::kBlock:
    case Op::kIf:
    case Op::kLoop: {
      levels_.back().at_head = false;
      Level& level = levels_.emplace_back();
      level.construct = static_cast<uint32_t>(inst.imm);
      level.at_head = inst.op == Op::kLoop;
      level.whole.begin = row;
      return;
    }
    case Op::kElse: EndArm(); return;
    case Op::kEnd: Close(row); return;
    default: break;
  }
  Level& level = levels_.back();
  level.at_head = level.at_head && (IsPay(inst) || inst.op == Op::kSafepoint);
  Piece piece = PieceOf(row);
  if (GoesOn(row, piece)) {
    Join(level.pieces.back(), std::move(piece));
  } else {
    level.pieces.push_back(std::move(piece));
  }
}

// Few values of the operand stack live where a basic block begins. A check for room stands with its
// call, which alone tells whether there is room to ask for.
bool CutPlanner::GoesOn(uint32_t row, const Piece& piece) const {
  const std::vector<Piece>& pieces = levels_.back().pieces;
  if (pieces.empty() || !pieces.back().straight) return false;
  if (function_.insts[row - 1].op == Op::kCheckRoom) return true;
  return !IsPay(function_.insts[row]) && MayJoin(pieces.back(), piece);
}

CutPlanner::Piece CutPlanner::PieceOf(uint32_t row) {
  const Inst& inst = function_.insts[row];
  Piece piece;
  piece.begin = row;
  piece.end = row + 1;
  piece.weight = WeightOf(inst);
  piece.straight = true;
  piece.pinned = levels_.back().at_head;
  piece.ends_function = EndsFunction(function_, inst);
  if (inst.op == Op::kBr || inst.op == Op::kBrIf) {
    piece.exits.push_back(static_cast<uint32_t>(inst.imm));
  } else if (inst.op == Op::kBrTable) {
    piece.exits = function_.br_tables[inst.imm];
    std::sort(piece.exits.begin(), piece.exits.end());
    piece.exits.erase(std::unique(piece.exits.begin(), piece.exits.end()), piece.exits.end());
  }
  return piece;
}

void CutPlanner::Close(uint32_t row) {
  EndArm();
  Level level = std::move(levels_.back());
  levels_.pop_back();
  Piece& whole = level.whole;
  whole.end = row + 1;
  whole.weight += 2;
  // Constructs are numbered as they open, so this one has the highest number.
  if (!whole.exits.empty() && whole.exits.back() == level.construct) whole.exits.pop_back();
  if (function_.constructs[level.construct].kind == ir::ConstructKind::kBlock) {
    whole.block = level.construct;
  } else {
    whole.ladder = {};
  }
  levels_.back().pieces.push_back(std::move(whole));
}

void CutPlanner::EndArm() {
  Level& level = levels_.back();
  std::vector<Piece> pieces = std::exchange(level.pieces, {});
  uint64_t weight = 0;
  for (const Piece& piece : pieces) weight += piece.weight;
  Ladder ladder = LadderOf(pieces);
  if (weight > sizes_.most) weight = CutArm(pieces, weight, ladder);
  if (weight > sizes_.whole && ladder.weight >= sizes_.most) {
    CutLadder(pieces, ladder);
    ladder = {};
  }
  for (Piece& piece : pieces) Join(level.whole, std::move(piece));
  level.whole.ladder = std::move(ladder);
}

// That of the block in the arm with the longest one, and what stands behind that block.
CutPlanner::Ladder CutPlanner::LadderOf(std::vector<Piece>& pieces) const {
  auto nest = pieces.end();
  for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
    if (!piece->block) continue;
    const size_t most = nest == pieces.end() ? 0 : nest->ladder.rungs.size();
    if (nest == pieces.end() || piece->ladder.rungs.size() > most) nest = piece;
  }
  if (nest == pieces.end()) return {};
  Piece rung;
  rung.begin = rung.end = nest->end;
  for (auto piece = nest + 1; piece != pieces.end(); ++piece) {
    if (piece->pinned || piece->depth == kMostPartDepth) return {};
    Join(rung, *piece);
  }
  if (rung.ends_function || rung.weight > sizes_.most / 2) return {};
  rung.block = nest->block;
  Ladder ladder = std::move(nest->ladder);
  ladder.weight += std::max(rung.weight, kStub);
  ladder.rungs.push_back(std::move(rung));
  return ladder;
}

// Parts of some `most` rows each. The arm is one piece from here on.
void CutPlanner::CutLadder(std::vector<Piece>& pieces, const Ladder& ladder) {
  const std::span<const Piece> rungs = ladder.rungs;
  uint64_t saved = 0;
  for (size_t begin = 0, end = 0; begin < rungs.size(); begin = end) {
    Piece run;
    while (end < rungs.size() && (end == begin || MayJoin(run, rungs[end]))) {
      Join(run, rungs[end++]);
    }
    if (run.weight >= sizes_.most / 4) saved += CutRungs(rungs.subspan(begin, end - begin));
  }
  Piece all;
  all.begin = pieces.front().begin;
  for (Piece& piece : pieces) {
    all.pinned = all.pinned || piece.pinned;
    Join(all, std::move(piece));
  }
  all.weight -= std::min(all.weight, saved);
  ++all.depth;
  pieces.clear();
  pieces.push_back(std::move(all));
}

// How many rows fewer are left.
uint64_t CutPlanner::CutRungs(std::span<const Piece> rungs) {
  RowRange cut{rungs.front().begin, rungs.back().end, {}};
  uint64_t weight = 0;
  for (const Piece& rung : rungs) {
    cut.labels.push_back(*rung.block);
    weight += rung.weight;
  }
  cuts_.push_back(std::move(cut));
  const uint64_t left = rungs.size() * kStub + sizes_.call;
  return weight > left ? weight - left : 0;
}

// The heaviest runs first, until the rest of the arm is small enough.
uint64_t CutPlanner::CutArm(std::vector<Piece>& pieces, uint64_t weight, Ladder& ladder) {
  pieces = Joined(std::move(pieces));
  std::vector<Piece*> runs;
  for (Piece& piece : pieces) {
    const bool worth = piece.weight >= sizes_.least && piece.weight > sizes_.call;
    const bool movable = !piece.pinned && !piece.ends_function && piece.depth < kMostPartDepth;
    if (worth && movable && piece.exits.size() <= kMostExits) runs.push_back(&piece);
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Piece* a, const Piece* b) { return a->weight > b->weight; });
  for (Piece* run : runs) {
    if (weight <= sizes_.most) break;
    cuts_.push_back({run->begin, run->end});
    const uint64_t saved = run->weight - sizes_.call;
    if (!ladder.rungs.empty()) {
      Piece& rung = ladder.rungs.back();
      rung.weight -= std::min(rung.weight, saved);
      rung.depth = std::max(rung.depth, run->depth + 1);
      if (run->begin < rung.begin) ladder = {};  // some of it is in a part now
    }
    weight -= saved;
    run->weight = sizes_.call;
    ++run->depth;
  }
  return weight;
}

std::vector<CutPlanner::Piece> CutPlanner::Joined(std::vector<Piece> pieces) const {
  std::vector<Piece> runs;
  for (Piece& piece : pieces) {
    if (!runs.empty() && MayJoin(runs.back(), piece)) {
      Join(runs.back(), std::move(piece));
    } else {
      runs.push_back(std::move(piece));
    }
  }
  return runs;
}

bool CutPlanner::MayJoin(const Piece& run, const Piece& piece) const {
  const bool stays = run.pinned || piece.pinned || run.ends_function || piece.ends_function;
  if (stays || run.weight + piece.weight > sizes_.most) return false;
  if (run.exits.size() > kMostExits || piece.exits.size() > kMostExits) return false;
  std::vector<uint32_t> exits = run.exits;
  MergeExits(exits, piece.exits);
  return exits.size() <= kMostExits;
}

void CutPlanner::Join(Piece& run, Piece piece) {
  run.straight = run.straight && piece.straight;
  run.block.reset();
  run.ladder = {};
  run.end = piece.end;
  run.weight += piece.weight;
  run.depth = std::max(run.depth, piece.depth);
  run.ends_function = run.ends_function || piece.ends_function;
  MergeExits(run.exits, std::move(piece.exits));
}

// The longer list stays in place: in a nest of blocks around a wide table it is moved outwards many
// times.
void CutPlanner::MergeExits(std::vector<uint32_t>& into, std::vector<uint32_t> exits) {
  if (into.size() < exits.size()) std::swap(into, exits);
  for (uint32_t exit : exits) {
    const auto at = std::lower_bound(into.begin(), into.end(), exit);
    if (at == into.end() || *at != exit) into.insert(at, exit);
  }
}

}  // namespace

uint64_t CutWeight(const ir::Function& function) {
  uint64_t weight = 0;
  for (const Inst& inst : function.insts) weight += WeightOf(inst);
  return weight;
}

std::vector<RowRange> PlanCuts(const ir::Function& function, const CutSizes& sizes) {
  if (CutWeight(function) <= sizes.whole) return {};
  return CutPlanner(function, sizes).Run();
}

}  // namespace wb
