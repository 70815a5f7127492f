#include "compiler/emit/text/write_notes.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/emit/text/data_copy.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;

// Further memories are cleared whole, and have no copies.
bool Writes(const Inst& inst) {
  if (inst.memory != 0) return false;
  return inst.op == Op::kStore || inst.op == Op::kMemoryCopyChunk ||
         inst.op == Op::kMemoryFillChunk || inst.op == Op::kMemoryInitChunk;
}

}  // namespace

WriteNotes::WriteNotes(const ir::Program& program, const LaneLayout& layout,
                       const ir::Function& function, Text& text)
    : program_(program),
      layout_(layout),
      function_(function),
      text_(text),
      reads_copies_(ReadsCopies(program, function)) {
  for (uint32_t row = 0; row < function.insts.size(); ++row) {
    writes_ = writes_ || Writes(function.insts[row]);
    writes_data_ = writes_data_ || MayComeToData(function.insts[row], row);
  }
}

// No store whose bytes are known comes to one between the first and the last that has a copy.
bool WriteNotes::MayComeToData(const Inst& inst, uint32_t row) const {
  if (program_.read_only.empty() || !Writes(inst)) return false;
  return inst.op != Op::kStore || function_.RangeAt(row) == nullptr;
}

void WriteNotes::Declare() const {
  if (writes_) text_.Line("uint D = 0u;");
  if (reads_copies_) {
    text_.Line("uint W = wb_data_written(L);");
  } else if (writes_data_) {
    text_.Line("uint W = 0u;");
  }
}

void WriteNotes::Put() const {
  if (writes_) text_.Line("wb_note_written(L, D);");
  PutOfData();
}

void WriteNotes::PutOfData() const {
  if (writes_data_) text_.Line("wb_note_data(L, W);");
}

void WriteNotes::ReadOfData() const {
  if (reads_copies_) text_.Line("W = W | wb_data_written(L);");
}

// A note serves stores that end up to SPILL_BYTES behind its address, since clearing goes that far.
void WriteNotes::Store(const Inst& inst, uint32_t row, const std::string& address) {
  if (inst.memory != 0) return;
  const uint64_t offset = inst.imm;
  const bool of_data = MayComeToData(inst, row);
  const auto at = noted_.find(address);
  if (at != noted_.end() && at->second.offset <= offset && (at->second.of_data || !of_data) &&
      offset + FactsOf(inst.opcode).bytes - at->second.offset <= abi::SPILL_BYTES) {
    return;
  }
  noted_[address] = {offset, of_data};
  const std::string from = offset == 0 ? address : address + " + " + std::to_string(offset) + "u";
  NoteSpans("wb_span_of(" + from);
  if (!of_data) return;
  const ir::ReadOnlyData& data = program_.read_only;
  const uint32_t first = data.from() - std::min<uint32_t>(data.from(), abi::SPILL_BYTES);
  text_.Line("W = W | wb_is_in(", from, ", ", first, "u, ", data.end() - first, "u);");
}

void WriteNotes::Bulk(const std::string& spans, const std::string& to,
                      const std::string& bytes) const {
  NoteSpans(spans);
  NoteBytes(to, bytes);
}

void WriteNotes::Stream(const std::string& from, const std::string& bytes, bool knows) const {
  NoteSpans("wb_spans_of(" + from + ", " + bytes);
  if (!knows) NoteBytes(from, bytes);
}

void WriteNotes::NoteSpans(const std::string& call) const {
  text_.Line("D = D | ", call, ", ", layout_.span_shift, "u);");
}

void WriteNotes::NoteBytes(const std::string& to, const std::string& bytes) const {
  const ir::ReadOnlyData& data = program_.read_only;
  if (data.empty()) return;
  text_.Line("W = W | wb_touches(", to, ", ", bytes, ", ", data.from(), "u, ", data.end(), "u);");
}

}  // namespace wb
