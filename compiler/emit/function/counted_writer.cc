#include "compiler/emit/function/counted_writer.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"
#include "compiler/emit/text/names.h"

namespace wb {

using ir::AddressStream;
using ir::CountedLoop;
using ir::Inst;
using ir::LoopAccess;
using ir::LoopTest;

namespace {

std::string Unsigned(uint64_t value) { return std::to_string(value) + "u"; }
std::string Long64(uint64_t value) { return std::to_string(value) + "ul"; }
uint64_t Distance(int64_t per_round) {
  return static_cast<uint64_t>(per_round < 0 ? -per_round : per_round);
}

}  // namespace

std::string CountedWriter::Name(const char* letter) const {
  return letter + std::to_string(loop_->construct);
}
std::string CountedWriter::Name(const char* letter, uint32_t index) const {
  return Name(letter) + "_" + std::to_string(index);
}
std::string CountedWriter::Number() const {
  return is_known() ? Unsigned(loop_->rounds) : Name("n");
}
std::string CountedWriter::Slot(uint32_t stream, uint64_t word) const {
  return Name("q", stream) + "_" + std::to_string(word);
}

std::string CountedWriter::Text(const ir::LoopValue& value) const {
  std::string text;
  for (const ir::LoopTerm& term : value.terms) {
    if (!text.empty()) text += " + ";
    text += context_.expressions.Use(term.var);
    if (term.times != 1) text += " * " + Unsigned(term.times);
  }
  if (text.empty()) return Unsigned(value.constant);
  return value.constant == 0 ? text : text + " + " + Unsigned(value.constant);
}

std::string CountedWriter::RoundsCall() const {
  const ir::LoopCounter& counter = loop_->counter;
  const std::string from = Text(counter.from), to = Text(counter.to);
  const std::string step = ", " + Unsigned(counter.step);
  if (counter.test == LoopTest::kDiffers) {
    return "wb_rounds_until(" + (counter.falls ? to + ", " + from : from + ", " + to) + step + ")";
  }
  const std::string name =
      counter.test == LoopTest::kBelow ? "wb_rounds_below(" : "wb_rounds_up_to(";
  return name + from + ", " + to + step + ", " + Hex(counter.flip) + ")";
}

// The bytes from `skipped` behind a stream's lowest address to the end of its last round.
std::string CountedWriter::Span(const AddressStream& stream, uint64_t skipped) const {
  std::string bytes = Long64(stream.bytes - skipped);
  if (stream.per_round == 0) return bytes;
  return "wb_span_of_rounds(" + Number() + ", " + Long64(Distance(stream.per_round)) + ", " +
         bytes + ")";
}

std::string CountedWriter::Apart(const ir::StreamPair& pair) const {
  uint32_t first = ~0u, last = 0;
  for (const ir::LoopSlot& slot : loop_->slots) {
    if (slot.stream != pair.slots) continue;
    first = std::min(first, slot.word);
    last = std::max(last, slot.word);
  }
  return ApartFrom(pair.other, Name("a", pair.slots) + " + " + Unsigned(uint64_t{first} * 4),
                   uint64_t{last - first + 1} * 4);
}

std::string CountedWriter::ApartFrom(uint32_t stream, const std::string& from,
                                     uint64_t bytes) const {
  const AddressStream& other = loop_->streams[stream];
  return "wb_apart(" + from + ", " + Long64(bytes) + ", " + Name("a", stream) + " + " +
         Unsigned(other.first) + ", " + Span(other, other.first) + ")";
}

// Nothing wrote there, or else the words are equal; and the loop itself does not write there.
std::string CountedWriter::HoldsData(const ir::LoopData& data) const {
  const std::string name = LoopDataText(data.address, data.words);
  const uint32_t from = data.address - std::min<uint32_t>(data.address, abi::SPILL_BYTES);
  std::string condition = "(wb_are_kept(L, ";
  condition += memory_.notes_writes() ? "D" : "0u";
  condition += ", wb_spans_of(" + Unsigned(from) + ", " +
               Unsigned(data.address - from + uint64_t{data.words} * 4) + ", " +
               Unsigned(context_.layout.span_shift) + ")) || wb_words_are(wb_words_at(M, " +
               Unsigned(data.address) + "), " + name + ", " + Unsigned(data.words) + "))";
  for (uint32_t i = 0; i < loop_->streams.size(); ++i) {
    if (!loop_->streams[i].stores) continue;
    condition += " && " + ApartFrom(i, Unsigned(data.address), uint64_t{data.words} * 4);
  }
  return condition;
}

void CountedWriter::AskForData() {
  std::string condition;
  for (const ir::LoopData& data : loop_->data) {
    condition += (condition.empty() ? "" : " && ") + HoldsData(data);
  }
  context_.text.Line("bool ", Name("d"), " = ", condition, ";");
}

const ir::LoopData* CountedWriter::DataOf(uint32_t stream) const {
  const auto at = std::find_if(loop_->data.begin(), loop_->data.end(),
                               [&](const ir::LoopData& data) { return data.stream == stream; });
  return reads_data_ && at != loop_->data.end() ? &*at : nullptr;
}

std::string CountedWriter::Condition(bool resumes) const {
  std::string condition = resumes ? "r == 0u && " : "";
  for (const ir::KnownStart& start : loop_->starts) {
    condition += context_.expressions.Use(start.var) + " == " + Unsigned(start.value) + " && ";
  }
  condition += is_known() ? "wb_fuel_lasts(fuel, " + Number() + ", " + Long64(loop_->cost) + ")"
                          : Name("n") + " != 0u";
  for (uint32_t i = 0; i < loop_->streams.size(); ++i) {
    const AddressStream& stream = loop_->streams[i];
    condition +=
        " && wb_inside(" + memory_.BytesOfFirst() + ", " + Name("a", i) + ", " + Span(stream) + ")";
    if (stream.align > 1) {
      condition += " && (" + Name("a", i) + " & " + Unsigned(stream.align - 1) + ") == 0u";
    }
  }
  for (const ir::StreamPair& pair : loop_->apart) condition += " && " + Apart(pair);
  return condition;
}

void CountedWriter::Open(const CountedLoop& loop, bool resumes) {
  loop_ = &loop;
  if (!is_known()) {
    context_.text.Line("uint ", Name("n"), " = ", RoundsCall(), ";");
    context_.text.Line("uint ", Name("e"), " = 0u;");
  }
  for (uint32_t i = 0; i < loop.streams.size(); ++i) {
    const AddressStream& stream = loop.streams[i];
    std::string least = Text(stream.least);
    if (stream.per_round < 0) {
      least += " - (" + Number() + " - 1u) * " + Unsigned(Distance(stream.per_round));
    }
    context_.text.Line("uint ", Name("a", i), " = ", least, ";");
  }
  context_.text.Open("if (", Condition(resumes), ")");
  if (!is_known()) {
    context_.text.Line("ulong ", Name("k"), " = 0ul;");
    context_.text.Line("ulong ", Name("m"), " = wb_rounds_that_last(fuel, ", Name("n"), ", ",
                       Unsigned(loop.cost), ");");
  }
  PrintStarts();
  reads_data_ = !loop.data.empty();
  if (reads_data_) AskForData();
  NoteStores();
  for (uint32_t i = 0; i < loop.streams.size(); ++i) {
    if (!loop.streams[i].by_words) continue;
    context_.text.Line("wb_words ", Name("P", i), " = wb_words_at(M, ", Name("a", i), ");");
  }
  PrintSlots();
  if (reads_data_) context_.text.Open("if (", Name("d"), ")");
  // Compilers decide by a loop's size alone, and count what falls away.
  if (loop.unrolls) context_.text.Line("#pragma unroll");
}

// Rare, and so not unrolled.
bool CountedWriter::OpenWithoutData() {
  if (!reads_data_) return false;
  reads_data_ = false;
  context_.text.CloseOpen("else");
  return true;
}

// As the test has found them: a compiler that sees it knows how often the loop goes round.
void CountedWriter::PrintStarts() {
  for (const ir::KnownStart& start : loop_->starts) {
    context_.text.Line(Expressions::Name(context_.function, start.var), " = ",
                       Unsigned(start.value), ";");
  }
}

void CountedWriter::PrintSlots() {
  for (const ir::LoopSlot& slot : loop_->slots) {
    context_.text.Line("uint ", Slot(slot.stream, slot.word), " = wb_word_get(",
                       Name("P", slot.stream), ", ", Long64(slot.word), ");");
  }
}

void CountedWriter::NoteStores() {
  for (uint32_t i = 0; i < loop_->streams.size(); ++i) {
    if (!loop_->streams[i].stores) continue;
    context_.text.Line("D = D | wb_spans_of(", Name("a", i), ", (uint)", Span(loop_->streams[i]),
                       ", ", context_.layout.span_shift, "u);");
  }
}

std::string CountedWriter::Rounds() const {
  const std::string k = Name("k");
  const std::string begin = is_known() ? "ulong " : "", end = is_known() ? Number() : Name("m");
  return "for (" + begin + k + " = 0ul; " + k + " != (ulong)" + end + "; " + k + " = " + k +
         " + 1ul)";
}

void CountedWriter::Close() {
  if (!loop_->data.empty()) context_.text.Close();
  for (const ir::LoopSlot& slot : loop_->slots) {
    if (!slot.stored) continue;
    context_.text.Line("wb_word_put(", Name("P", slot.stream), ", ", Long64(slot.word), ", ",
                       Slot(slot.stream, slot.word), ");");
  }
  if (is_known()) {
    context_.text.CloseOpen("else");
  } else {
    const std::string k = Name("k"), m = Name("m");
    context_.text.Line("if (", k, " != ", m, " || ", m, " == (ulong)", Number(), ") { ", Name("e"),
                       " = 1u; }");
    context_.text.Close();
    context_.text.Open("if (", Name("e"), " == 0u)");
  }
  loop_ = nullptr;
}

bool CountedWriter::Write(uint32_t place) {
  const Inst& inst = context_.function.insts[loop_->RowAt(place)];
  if (inst.op != ir::Op::kLoad && inst.op != ir::Op::kStore) return false;
  const auto at =
      std::lower_bound(loop_->accesses.begin(), loop_->accesses.end(), place,
                       [](const LoopAccess& access, uint32_t index) { return access.at < index; });
  if (at == loop_->accesses.end() || at->at != place) return false;
  inst.op == ir::Op::kLoad ? Load(inst, *at) : Store(inst, *at);
  return true;
}

// "k4 * 2ul + 9ul": the number of the word from the stream's lowest, or from the first of its data.
std::string CountedWriter::Place(const LoopAccess& access) const {
  const AddressStream& stream = loop_->streams[access.stream];
  const ir::LoopData* data = DataOf(access.stream);
  std::string offset = Long64(access.offset / 4 - (data == nullptr ? 0 : data->skipped));
  if (stream.per_round == 0) return offset;
  const std::string times = " * " + Long64(Distance(stream.per_round) / 4) + " + " + offset;
  if (stream.per_round > 0) return Name("k") + times;
  return "((ulong)" + Number() + " - 1ul - " + Name("k") + ")" + times;
}

// "P4_0, k4 * 2ul + 9ul"
std::string CountedWriter::WordAt(const LoopAccess& access) const {
  return Name("P", access.stream) + ", " + Place(access);
}

std::string CountedWriter::Word(const LoopAccess& access, uint64_t further) const {
  if (access.in_slot) return Slot(access.stream, access.offset / 4 + further);
  if (const ir::LoopData* data = DataOf(access.stream)) {
    const std::string beyond = further == 0 ? "" : " + " + Long64(further);
    return LoopDataText(data->address, data->words) + "[" + Place(access) + beyond + "]";
  }
  WB_CHECK(further == 0);
  return "wb_word_get(" + WordAt(access) + ")";
}

std::string CountedWriter::Long(const LoopAccess& access) const {
  if (!access.in_slot && DataOf(access.stream) == nullptr)
    return "wb_word_get64(" + WordAt(access) + ")";
  return "((ulong)" + Word(access, 0) + " | ((ulong)" + Word(access, 1) + " << 32u))";
}

std::string CountedWriter::Address(const Inst& inst, const LoopAccess& access) {
  std::string address = context_.expressions.UseOften(inst.a);
  const bool aligned = access.aligned || context_.function.IsAligned(loop_->RowAt(access.at));
  const uint32_t bytes = FactsOf(inst.opcode).bytes;
  if (!aligned || bytes == 1 || context_.expressions.IsConstant(inst.a)) return address;
  return (bytes == 2 ? "wb_at_half(" : "wb_at_word(") + address + ")";
}

void CountedWriter::Load(const Inst& inst, const LoopAccess& access) {
  Expressions& expressions = context_.expressions;
  if (!access.by_words) {
    std::string args = "(M, " + Address(inst, access) + ", " + Long64(inst.imm);
    if (inst.b != ir::kNoVar) args += ", " + expressions.Use(inst.b);
    if (inst.c != ir::kNoVar) args += ", " + expressions.Use(inst.c);
    expressions.DefineNow(inst.dst, std::string(FactsOf(inst.opcode).function) + args + ")");
    return;
  }
  expressions.Use(inst.a);
  std::string value;
  switch (inst.opcode) {
    case Opcode::kI32Load: value = Word(access, 0); break;
    case Opcode::kF32Load: value = "wb_f32_reinterpret_i32(" + Word(access, 0) + ")"; break;
    case Opcode::kI64Load32U: value = "(ulong)" + Word(access, 0); break;
    case Opcode::kI64Load32S:
      value = "((ulong)" + Word(access, 0) + " ^ 0x80000000ul) - 0x80000000ul";
      break;
    case Opcode::kI64Load: value = Long(access); break;
    case Opcode::kF64Load: value = "wb_f64_reinterpret_i64(" + Long(access) + ")"; break;
    default: WB_CHECK(!"a load of words");
  }
  expressions.DefineNow(inst.dst, value);
}

void CountedWriter::Store(const Inst& inst, const LoopAccess& access) {
  Expressions& expressions = context_.expressions;
  const std::string value = expressions.UseOften(inst.b);
  if (!access.by_words) {
    const std::string lane = inst.c == ir::kNoVar ? "" : ", " + expressions.Use(inst.c);
    context_.text.Line(FactsOf(inst.opcode).function, "(M, ", Address(inst, access), ", ", inst.imm,
                       "ul, ", value, lane, ");");
    return;
  }
  expressions.Use(inst.a);
  switch (inst.opcode) {
    case Opcode::kI32Store: Put(access, false, value); break;
    case Opcode::kF32Store: Put(access, false, "wb_i32_reinterpret_f32(" + value + ")"); break;
    case Opcode::kI64Store32: Put(access, false, "(uint)" + value); break;
    case Opcode::kI64Store: Put(access, true, value); break;
    case Opcode::kF64Store: Put(access, true, "wb_i64_reinterpret_f64(" + value + ")"); break;
    default: WB_CHECK(!"a store of words");
  }
}

void CountedWriter::Put(const LoopAccess& access, bool is_long, const std::string& value) {
  if (!access.in_slot) {
    context_.text.Line(is_long ? "wb_word_put64(" : "wb_word_put(", WordAt(access), ", ", value,
                       ");");
    return;
  }
  context_.text.Line(Word(access, 0), " = ", is_long ? "(uint)" + value : value, ";");
  if (is_long) context_.text.Line(Word(access, 1), " = (uint)(", value, " >> 32u);");
}

}  // namespace wb
