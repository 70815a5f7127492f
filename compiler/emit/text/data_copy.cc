#include "compiler/emit/text/data_copy.h"

#include <algorithm>
#include <iterator>

#include "compiler/base/check.h"
#include "compiler/emit/text/names.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;

// What stands around the bits that a load takes, and the function that takes them.
struct LoadForm {
  Opcode opcode;
  const char* before;
  const char* function;
  const char* behind;
};
constexpr LoadForm kForms[] = {
    {Opcode::kI32Load, "", "wb_copy32", ""},
    {Opcode::kI64Load, "", "wb_copy64", ""},
    {Opcode::kF32Load, "wb_f32_reinterpret_i32(", "wb_copy32", ")"},
    {Opcode::kF64Load, "wb_f64_reinterpret_i64(", "wb_copy64", ")"},
    {Opcode::kI32Load8S, "(", "wb_copy8", " ^ 0x80u) - 0x80u"},
    {Opcode::kI32Load8U, "", "wb_copy8", ""},
    {Opcode::kI32Load16S, "(", "wb_copy16", " ^ 0x8000u) - 0x8000u"},
    {Opcode::kI32Load16U, "", "wb_copy16", ""},
    {Opcode::kI64Load8S, "((ulong)", "wb_copy8", " ^ 0x80ul) - 0x80ul"},
    {Opcode::kI64Load8U, "(ulong)", "wb_copy8", ""},
    {Opcode::kI64Load16S, "((ulong)", "wb_copy16", " ^ 0x8000ul) - 0x8000ul"},
    {Opcode::kI64Load16U, "(ulong)", "wb_copy16", ""},
    {Opcode::kI64Load32S, "((ulong)", "wb_copy32", " ^ 0x80000000ul) - 0x80000000ul"},
    {Opcode::kI64Load32U, "(ulong)", "wb_copy32", ""},
};

const LoadForm* FormOf(Opcode opcode) {
  const auto* form = std::find_if(std::begin(kForms), std::end(kForms),
                                  [&](const LoadForm& of) { return of.opcode == opcode; });
  return form == std::end(kForms) ? nullptr : form;
}

}  // namespace

const ir::ReadOnlyData::Piece* PieceOf(const ir::Program& program, const ir::Function& function,
                                       const Inst& inst, uint32_t row) {
  if (program.read_only.empty() || inst.op != Op::kLoad || FormOf(inst.opcode) == nullptr) {
    return nullptr;
  }
  const bool is_whole = FactsOf(inst.opcode).bytes == 1 || function.IsAligned(row);
  const ir::Function::AccessRange* range = function.RangeAt(row);
  return is_whole && range != nullptr ? program.read_only.Holding(*range) : nullptr;
}

std::string CopyText(const ir::ReadOnlyData::Piece& piece, const Inst& inst,
                     const std::string& address, const std::string& otherwise, CopyUse use) {
  if (use == CopyUse::kNever) return otherwise;
  const LoadForm* form = FormOf(inst.opcode);
  WB_CHECK(form != nullptr);
  // Bytes behind where the piece begins, modulo 2^32.
  const auto by = static_cast<uint32_t>(inst.imm - piece.from);
  const bool is_behind = by < piece.from;
  const std::string distance = std::to_string(is_behind ? by : 0 - by);
  return (use == CopyUse::kAlways ? "(wb_has_copies() ? " : "(wb_reads_copy(W) ? ") +
         std::string(form->before) + form->function + "(" +
         LoopDataText(piece.from, (piece.end - piece.from) / 4) + ", " + address +
         (is_behind ? " + " : " - ") + distance + "u)" + form->behind + " : " + otherwise + ")";
}

bool ReadsCopies(const ir::Program& program, const ir::Function& function, uint32_t begin,
                 uint32_t end) {
  const auto is_before = [](const ir::Function::AccessRange& range, uint32_t row) {
    return range.row < row;
  };
  const auto& ranges = function.ranges;
  const auto from = std::lower_bound(ranges.begin(), ranges.end(), begin, is_before);
  return std::any_of(from, std::lower_bound(from, ranges.end(), end, is_before),
                     [&](const ir::Function::AccessRange& range) {
                       return PieceOf(program, function, function.insts[range.row], range.row) !=
                              nullptr;
                     });
}

}  // namespace wb
