// What runs once when a loop is left often stands inside the loop, up to the rest of the program:
//
//     loop L { A; block B { br_if c B; T } C; br L }
//
// where T never comes to its end, nor goes back to L, becomes
//
//     block X { loop L { A; br_if !c X; C; br L } } T
//
// and `loop L { A; br_if c L; T }` becomes `loop L { A; br_if c L } T`, both where T holds a loop.
// The rows that run, and their order, stay the same (but for one that negates c, which costs no
// fuel). Loops that held others are innermost ones then.
//
// Rows are a list here, so that a range moves in constant time.

#include <vector>

#include "compiler/base/check.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

constexpr uint32_t kNone = 0xffffffffu;
constexpr uint64_t kStepsPerRow = 32;  // of walks that deep nests repeat

bool IsBranch(Op op) { return op == Op::kBr || op == Op::kBrIf || op == Op::kBrTable; }
bool IsOpening(Op op) { return op == Op::kBlock || op == Op::kLoop || op == Op::kIf; }
bool Ends(Op op) { return op == Op::kBr || op == Op::kBrTable || op == Op::kTrap; }

// What is known of a construct beside what ir::Construct says.
struct Place {
  uint32_t parent = 0;
  uint32_t begin = kNone;  // its rows
  uint32_t end = kNone;
  uint32_t control = kNone;  // the first row in it that branches or opens a construct
  uint32_t branches = 0;     // to it
  bool has_loop = false;     // it is one, or holds one
  bool falls = false;        // rows may come to its end by falling through
  bool dissolved = false;    // its rows stand in its parent now
};

class LoopTails {
 public:
  explicit LoopTails(ir::Function& function)
      : function_(function),
        rows_(std::move(function.insts)),
        places_(function.constructs.size()),
        budget_((rows_.size() + 1) * kStepsPerRow) {}

  void Run() {
    Link();
    Scan();
    // An inner loop is opened after the one around it.
    for (size_t loop = loops_.size(); loop-- > 0 && budget_ > 0;) {
      MarkWaysBack(loops_[loop]);
      Shorten(loops_[loop]);
      for (const uint32_t block : tails_[loops_[loop]]) MoveTail(loops_[loop], block);
    }
    PutBack();
  }

 private:
  void Link() {
    const auto count = static_cast<uint32_t>(rows_.size());
    head_ = count;
    rows_.emplace_back();
    for (uint32_t row = 0; row <= count; ++row) {
      next_.push_back(row == count ? 0 : row + 1);
      previous_.push_back(row == 0 ? count : row - 1);
    }
    owner_.assign(rows_.size(), 0);
    back_to_.assign(rows_.size(), kNone);
    tails_.resize(places_.size());
    branches_to_.resize(places_.size());
  }

  // ---- the function as it stands

  void Scan() {
    std::vector<uint32_t> open = {0};
    std::vector<bool> then_falls = {false};
    bool falls = true;
    for (uint32_t row = 0; row < head_; ++row) {
      const Inst& inst = rows_[row];
      owner_[row] = open.back();
      Place& around = places_[open.back()];
      if ((IsBranch(inst.op) || IsOpening(inst.op)) && around.control == kNone)
        around.control = row;
      if (IsBranch(inst.op)) CountBranch(row);
      if (IsOpening(inst.op)) {
        const auto index = static_cast<uint32_t>(inst.imm);
        places_[index].parent = open.back();
        places_[index].begin = row;
        places_[index].has_loop = inst.op == Op::kLoop;
        if (inst.op == Op::kLoop) loops_.push_back(index);
        open.push_back(index);
        then_falls.push_back(inst.op == Op::kIf);  // without an else arm it falls
      } else if (inst.op == Op::kElse) {
        then_falls.back() = falls;
        falls = true;
      } else if (inst.op == Op::kEnd) {
        Close(row, falls || then_falls.back());
        falls = places_[open.back()].falls || (function_.constructs[open.back()].targeted &&
                                               rows_[places_[open.back()].begin].op != Op::kLoop);
        open.pop_back();
        then_falls.pop_back();
      } else if (Ends(inst.op)) {
        falls = false;
      }
    }
  }

  void CountBranch(uint32_t row) {
    const Inst& inst = rows_[row];
    const auto to = [&](uint32_t construct) {
      ++places_[construct].branches;
      if (function_.constructs[construct].kind == ConstructKind::kLoop) {
        branches_to_[construct].push_back(row);
      }
    };
    if (inst.op != Op::kBrTable) return to(static_cast<uint32_t>(inst.imm));
    for (const uint32_t construct : function_.br_tables[inst.imm]) to(construct);
  }

  void Close(uint32_t row, bool falls) {
    const auto index = static_cast<uint32_t>(rows_[row].imm);
    Place& place = places_[index];
    Place& around = places_[place.parent];
    place.end = row;
    place.falls = falls;
    around.has_loop = around.has_loop || place.has_loop;
    if (HoldsTail(index)) tails_[place.parent].push_back(index);
  }

  // A block that one br_if, before anything else that branches, leaves. The rest holds a loop, and
  // never comes to the block's end.
  bool HoldsTail(uint32_t index) const {
    const Place& place = places_[index];
    if (function_.constructs[index].kind != ConstructKind::kBlock || !place.has_loop ||
        place.falls || place.branches != 1 ||
        function_.constructs[place.parent].kind != ConstructKind::kLoop) {
      return false;
    }
    const Inst& control = rows_[place.control];
    return control.op == Op::kBrIf && control.imm == index;
  }

  // ---- what goes back to a loop

  // Of rows that go back to the loop, the row or construct directly in the loop which is or holds
  // each.
  void MarkWaysBack(uint32_t loop) {
    for (const uint32_t row : branches_to_[loop]) {
      uint32_t item = row;
      for (uint32_t at = owner_[row]; at != loop; at = places_[at].parent) {
        if (!Spend()) return;
        if (!places_[at].dissolved) item = places_[at].begin;
      }
      back_to_[item] = loop;
    }
  }

  // The loop ends behind the last of these, if a loop stands behind it. (Else it stays: lanes that
  // leave in different rounds then go on without one another, which the lexer of the race is half
  // as fast without.)
  void Shorten(uint32_t loop) {
    const uint32_t end = places_[loop].end;
    uint32_t last = previous_[end];
    bool loops_behind = false;
    while (back_to_[FirstOf(last)] != loop) {
      if (!Spend() || last == places_[loop].begin) return;
      loops_behind = loops_behind || HoldsLoop(last);
      last = previous_[FirstOf(last)];
    }
    if (budget_ == 0 || !loops_behind) return;
    const uint32_t around = places_[loop].parent;
    for (uint32_t item = previous_[end]; item != last; item = previous_[FirstOf(item)]) {
      if (rows_[item].op == Op::kEnd) {
        places_[rows_[item].imm].parent = around;
      } else {
        owner_[item] = around;
      }
    }
    Unlink(end, end);
    Insert(last, end, end);
  }

  bool HoldsLoop(uint32_t row) const {
    return rows_[row].op == Op::kEnd && places_[rows_[row].imm].has_loop;
  }
  // Of a construct's end its first row, else the row itself.
  uint32_t FirstOf(uint32_t row) const {
    return rows_[row].op == Op::kEnd ? places_[rows_[row].imm].begin : row;
  }

  bool Spend() {
    if (budget_ > 0) --budget_;
    return budget_ > 0;
  }

  // ---- a tail

  void MoveTail(uint32_t loop, uint32_t block) {
    const Place tail = places_[block];
    if (budget_ == 0 || back_to_[tail.begin] == loop || tail.parent != loop) return;
    uint32_t behind = places_[loop].end;  // what is left of the loop ends here
    while (next_[behind] != head_ && IsPassed(next_[behind])) behind = next_[behind];
    if (!Ends(rows_[previous_[places_[loop].end]].op) && behind == places_[loop].end)
      behind = PassBy(loop);
    const uint32_t left = Wrap(loop, behind);
    const uint32_t first = next_[tail.control], last = previous_[tail.end];
    Unlink(first, last);
    Insert(places_[left].end, first, last);
    Unlink(tail.begin, tail.begin);
    Unlink(tail.end, tail.end);
    places_[block].dissolved = true;
    places_[block].parent = places_[left].parent;
    Negate(tail.control, left);
  }

  Inst& NewRow(Op op, uint64_t imm) {
    rows_.emplace_back();
    next_.push_back(kNone);
    previous_.push_back(kNone);
    owner_.push_back(0);
    back_to_.push_back(kNone);
    rows_.back().op = op;
    rows_.back().imm = imm;
    return rows_.back();
  }
  uint32_t Newest() const { return static_cast<uint32_t>(rows_.size() - 1); }

  // A block around the loop, that ends behind this row.
  uint32_t Wrap(uint32_t loop, uint32_t behind) {
    const auto index = static_cast<uint32_t>(places_.size());
    const uint32_t around = places_[loop].parent;
    function_.constructs.push_back(
        {.kind = ConstructKind::kBlock, .targeted = true, .parent = around});
    places_.push_back({.parent = around, .has_loop = true});
    places_[loop].parent = index;
    NewRow(Op::kBlock, index).offset = rows_[places_[loop].begin].offset;
    places_[index].begin = Newest();
    Insert(previous_[places_[loop].begin], Newest(), Newest());
    NewRow(Op::kEnd, index);
    places_[index].end = Newest();
    Insert(behind, Newest(), Newest());
    return index;
  }

  // What leaves the loop by falling through goes past what will stand behind it.
  uint32_t PassBy(uint32_t loop) {
    const uint32_t block = Wrap(loop, places_[loop].end);
    NewRow(Op::kBr, block);
    owner_[Newest()] = block;
    Insert(places_[loop].end, Newest(), Newest());
    return Newest();
  }
  bool IsPassed(uint32_t row) const { return row > head_ && rows_[row].op == Op::kBr; }

  // The branch leaves the loop where it stayed, and stays where it left the block.
  void Negate(uint32_t branch, uint32_t to) {
    const auto negated = static_cast<ir::Var>(function_.vars.size());
    function_.vars.push_back(ValueType::kI32);
    Inst& row = NewRow(Op::kNumeric, 0);
    row.opcode = Opcode::kI32Eqz;
    row.dst = negated;
    row.a = rows_[branch].a;
    row.offset = rows_[branch].offset;
    Insert(previous_[branch], Newest(), Newest());
    rows_[branch].a = negated;
    rows_[branch].imm = to;
  }

  // ---- the list

  void Unlink(uint32_t first, uint32_t last) {
    next_[previous_[first]] = next_[last];
    previous_[next_[last]] = previous_[first];
  }
  void Insert(uint32_t behind, uint32_t first, uint32_t last) {
    next_[last] = next_[behind];
    previous_[next_[last]] = last;
    next_[behind] = first;
    previous_[first] = behind;
  }

  // The rows in their order, and constructs numbered as they open.
  void PutBack() {
    std::vector<uint32_t> number(places_.size(), 0), open = {0};
    std::vector<Construct> constructs = {function_.constructs[0]};
    std::vector<Inst> insts;
    insts.reserve(rows_.size());
    for (uint32_t row = next_[head_]; row != head_; row = next_[row]) {
      Inst& inst = insts.emplace_back(rows_[row]);
      if (IsOpening(inst.op)) {
        number[inst.imm] = static_cast<uint32_t>(constructs.size());
        constructs.push_back(function_.constructs[inst.imm]);
        constructs.back().parent = open.back();
        open.push_back(number[inst.imm]);
      } else if (inst.op == Op::kEnd) {
        open.pop_back();
      }
      if (IsOpening(inst.op) || inst.op == Op::kElse || inst.op == Op::kEnd || inst.op == Op::kBr ||
          inst.op == Op::kBrIf) {
        inst.imm = number[inst.imm];
      }
    }
    WB_CHECK(open.size() == 1);
    for (auto& table : function_.br_tables) {
      for (uint32_t& target : table) target = number[target];
    }
    function_.insts = std::move(insts);
    function_.constructs = std::move(constructs);
  }

  ir::Function& function_;
  std::vector<Inst> rows_;  // head_ is none: the list begins and ends there
  std::vector<uint32_t> next_, previous_;
  uint32_t head_ = 0;
  std::vector<Place> places_;      // by construct
  std::vector<uint32_t> owner_;    // by row: the construct around it
  std::vector<uint32_t> back_to_;  // by row: the loop that something in it goes back to
  std::vector<uint32_t> loops_;    // as they open
  std::vector<std::vector<uint32_t>> branches_to_;  // by loop: rows
  std::vector<std::vector<uint32_t>> tails_;        // by loop: blocks directly in it
  uint64_t budget_;
};

}  // namespace

void MoveLoopTails(ir::Function& function) {
  size_t loops = 0;
  for (const Construct& construct : function.constructs) {
    loops += construct.kind == ConstructKind::kLoop ? 1 : 0;
  }
  if (!function.synthetic && loops > 1) LoopTails(function).Run();
}

}  // namespace wb
