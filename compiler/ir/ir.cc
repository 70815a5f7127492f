#include "compiler/ir/ir.h"

#include <algorithm>
#include <iterator>

namespace wb::ir {

const CountedLoop* Function::CountedLoopOf(uint64_t construct) const {
  const auto at = std::lower_bound(
      counted_loops.begin(), counted_loops.end(), construct,
      [](const CountedLoop& loop, uint64_t wanted) { return loop.construct < wanted; });
  return at != counted_loops.end() && at->construct == construct ? &*at : nullptr;
}

const Function::AccessRange* Function::RangeAt(uint32_t row) const {
  const auto at = std::lower_bound(
      ranges.begin(), ranges.end(), row,
      [](const AccessRange& range, uint32_t wanted) { return range.row < wanted; });
  return at != ranges.end() && at->row == row ? &*at : nullptr;
}

bool Image::HasData(uint64_t from, uint64_t bytes_wanted) const {
  return std::any_of(memory.begin(), memory.end(), [&](const MemoryRange& range) {
    if (range.memory != 0 || from < range.address) return false;
    const uint64_t at = from - range.address;
    if (at + bytes_wanted > range.bytes.size()) return false;
    const auto begin = range.bytes.begin() + static_cast<ptrdiff_t>(at);
    return std::any_of(begin, begin + static_cast<ptrdiff_t>(bytes_wanted),
                       [](auto byte) { return byte != decltype(byte){}; });
  });
}

const ReadOnlyData::Piece* ReadOnlyData::Holding(const Function::AccessRange& range) const {
  const auto behind =
      std::upper_bound(pieces.begin(), pieces.end(), range.from,
                       [](uint64_t wanted, const Piece& piece) { return wanted < piece.from; });
  if (behind == pieces.begin()) return nullptr;
  const Piece& piece = *std::prev(behind);
  return range.end <= piece.end ? &piece : nullptr;
}

const StraightRun* Function::StraightRunAt(uint64_t row) const {
  const auto at =
      std::lower_bound(straight_runs.begin(), straight_runs.end(), row,
                       [](const StraightRun& run, uint64_t wanted) { return run.begin < wanted; });
  return at != straight_runs.end() && at->begin == row ? &*at : nullptr;
}

bool Function::IsBorderOfRun(uint64_t row) const {
  const auto behind =
      std::upper_bound(straight_runs.begin(), straight_runs.end(), row,
                       [](uint64_t wanted, const StraightRun& run) { return wanted < run.begin; });
  if (behind == straight_runs.begin()) return false;
  const StraightRun& run = *std::prev(behind);
  return run.begin == row || run.end == row;
}

std::optional<uint64_t> ConstantOf(const ConstExpr& expression) {
  switch (expression.instruction.opcode) {
    case Opcode::kI32Const:
    case Opcode::kI64Const:
    case Opcode::kF32Const:
    case Opcode::kF64Const: return expression.instruction.imm;
    case Opcode::kRefNull: return kNullReference;
    case Opcode::kRefFunc: return expression.instruction.imm + 1;
    default: return std::nullopt;
  }
}

std::vector<uint32_t> SlotsByNumber(const Program& program) {
  std::vector<uint32_t> slots;
  for (uint32_t function = 0; function < program.callee_numbers.size(); ++function) {
    const uint32_t number = program.callee_numbers[function];
    if (number == 0 || function < program.module->imported_functions) continue;
    if (slots.size() <= number) slots.resize(number + 1, 0);
    slots[number] = program.function(function).stack_slots;
  }
  return slots;
}

std::vector<ValueType> ResultTypes(const Function& function) {
  std::vector<ValueType> types;
  for (Var result : function.results) types.push_back(function.vars[result]);
  return types;
}

}  // namespace wb::ir
