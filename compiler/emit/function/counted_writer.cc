#include "compiler/emit/function/counted_writer.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/emit/text/names.h"

namespace wb {

using ir::AddressStream;
using ir::CountedLoop;
using ir::LoopTest;

std::string CountedWriter::RoundsCall() const {
  const ir::LoopCounter& counter = loop_->counter;
  const std::string from = names().Sum(counter.from), to = names().Sum(counter.to);
  const std::string step = ", " + Names::Unsigned(counter.step);
  if (counter.test == LoopTest::kDiffers) {
    return "wb_rounds_until(" + (counter.falls ? to + ", " + from : from + ", " + to) + step + ")";
  }
  const std::string name =
      counter.test == LoopTest::kBelow ? "wb_rounds_below(" : "wb_rounds_up_to(";
  return name + from + ", " + to + step + ", " + Hex(counter.flip) + ")";
}

std::string CountedWriter::Apart(const ir::StreamPair& pair) const {
  uint32_t first = ~0u, last = 0;
  for (const ir::LoopSlot& slot : loop_->slots) {
    if (slot.stream != pair.slots) continue;
    first = std::min(first, slot.word);
    last = std::max(last, slot.word + slot.words() - 1);
  }
  return ApartFrom(pair.other,
                   names().Name("a", pair.slots) + " + " + Names::Unsigned(uint64_t{first} * 4),
                   uint64_t{last - first + 1} * 4);
}

std::string CountedWriter::ApartFrom(uint32_t stream, const std::string& from,
                                     uint64_t bytes) const {
  const AddressStream& other = loop_->streams[stream];
  return "wb_apart(" + from + ", " + Names::Long(bytes) + ", " + names().Name("a", stream) + " + " +
         Names::Unsigned(other.first) + ", " + names().Span(other, other.first) + ")";
}

// Nothing wrote there, or else the words are equal; and the loop itself does not write there.
std::string CountedWriter::HoldsData(const ir::LoopData& data) const {
  const std::string name = LoopDataText(data.address, data.words);
  const uint32_t from = data.address - std::min<uint32_t>(data.address, abi::SPILL_BYTES);
  std::string condition = "(wb_are_kept(L, ";
  condition += memory_.notes().Spans();
  condition += ", wb_spans_of(" + Names::Unsigned(from) + ", " +
               Names::Unsigned(data.address - from + uint64_t{data.words} * 4) + ", " +
               Names::Unsigned(context_.layout.span_shift) + ")) || wb_words_are(wb_words_at(M, " +
               Names::Unsigned(data.address) + "), " + name + ", " + Names::Unsigned(data.words) +
               "))";
  for (uint32_t i = 0; i < loop_->streams.size(); ++i) {
    if (!loop_->streams[i].stores) continue;
    condition += " && " + ApartFrom(i, Names::Unsigned(data.address), uint64_t{data.words} * 4);
  }
  return condition;
}

void CountedWriter::AskForData() {
  std::string condition;
  for (const ir::LoopData& data : loop_->data) {
    condition += (condition.empty() ? "" : " && ") + HoldsData(data);
  }
  context_.text.Line("bool ", names().Name("d"), " = ", condition, ";");
}

std::string CountedWriter::RoundsLast() const {
  if (!is_known()) return names().Name("n") + " != 0u";
  return "wb_fuel_lasts(fuel, " + names().Rounds() + ", " + Names::Long(loop_->cost) + ")";
}

std::string CountedWriter::Condition(bool resumes) const {
  std::string condition = resumes ? "r == 0u && " : "";
  for (const ir::KnownStart& start : loop_->starts) {
    condition +=
        context_.expressions.Use(start.var) + " == " + Names::Unsigned(start.value) + " && ";
  }
  // In a straight run no row asks for fuel.
  if (!loop_->once) condition += RoundsLast();
  for (uint32_t i = 0; i < loop_->streams.size(); ++i) {
    const AddressStream& stream = loop_->streams[i];
    if (!condition.empty()) condition += " && ";
    condition += memory_.InsideFirst() + names().Name("a", i) + ", " + names().Span(stream) + ")";
    if (stream.align > 1) {
      condition +=
          " && (" + names().Name("a", i) + " & " + Names::Unsigned(stream.align - 1) + ") == 0u";
    }
  }
  for (const ir::StreamPair& pair : loop_->apart) condition += " && " + Apart(pair);
  return condition;
}

void CountedWriter::Open(const CountedLoop& loop, bool resumes) {
  loop_ = &loop;
  if (!is_known()) {
    context_.text.Line("uint ", names().Name("n"), " = ", RoundsCall(), ";");
    context_.text.Line("uint ", names().Name("e"), " = 0u;");
  }
  for (uint32_t i = 0; i < loop.streams.size(); ++i) {
    const AddressStream& stream = loop.streams[i];
    std::string least = names().Sum(stream.least);
    if (stream.per_round < 0) {
      least += " - (" + names().Rounds() + " - 1u) * " + Names::Unsigned(Names::Distance(stream));
    }
    context_.text.Line("uint ", names().Name("a", i), " = ", least, ";");
  }
  context_.text.Open("if (", Condition(resumes), ")");
  if (!is_known()) {
    context_.text.Line("wb_round ", names().Name("k"), " = 0u;");
    context_.text.Line("wb_round ", names().Name("m"), " = (wb_round)wb_rounds_that_last(fuel, ",
                       names().Name("n"), ", ", Names::Unsigned(loop.cost), ");");
  }
  PrintStarts();
  reads_data_ = !loop.data.empty();
  if (reads_data_) AskForData();
  NoteStores();
  for (uint32_t i = 0; i < loop.streams.size(); ++i) {
    if (!loop.streams[i].by_words) continue;
    const std::string at = names().Name("a", i);
    context_.text.Line("wb_words ", names().Name("P", i), " = wb_words_at(M, ",
                       loop.streams[i].at_tile ? "wb_at_tile(" + at + ")" : at, ");");
  }
  PrintSlots();
  OpenWithData();
  // Compilers decide by a loop's size alone, and count what falls away.
  if (loop.unrolls) context_.text.Line("#pragma unroll");
}

// Of copies behind the notes of the loop's own stores.
void CountedWriter::OpenWithData() {
  knows_copies_ = KnowsCopies();
  std::string condition = reads_data_ ? names().Name("d") : "";
  if (knows_copies_) {
    condition += reads_data_ ? " && wb_copies_hold(W)" : "wb_copies_hold(W)";
    context_.copies = CopyUse::kAlways;
  }
  if (!condition.empty()) context_.text.Open("if (", condition, ")");
}

// A store that is no stream's is noted in its round.
bool CountedWriter::KnowsCopies() const {
  if (loop_->once) return false;
  const ir::Construct& construct = context_.function.constructs[loop_->construct];
  if (!ReadsCopies(context_.program, context_.function, construct.begin, construct.end)) {
    return false;
  }
  const uint32_t begin = loop_->steps.empty() ? construct.begin : 0;
  const auto end =
      loop_->steps.empty() ? construct.end : static_cast<uint32_t>(loop_->steps.size());
  auto access = loop_->accesses.begin();
  for (uint32_t at = begin; at < end; ++at) {
    while (access != loop_->accesses.end() && access->at < at) ++access;
    const bool is_of_stream = access != loop_->accesses.end() && access->at == at;
    const uint32_t row = loop_->RowAt(at);
    const bool may_write = memory_.notes().MayComeToData(context_.function.insts[row], row);
    if (may_write && !is_of_stream) return false;
  }
  return true;
}

// Rare, and so not unrolled.
bool CountedWriter::OpenWithoutData() {
  if (!reads_data_ && !knows_copies_) return false;
  reads_data_ = false;
  if (knows_copies_) context_.copies = CopyUse::kNever;
  context_.text.CloseOpen("else");
  return true;
}

// As the test has found them: a compiler that sees it knows how often the loop goes round.
void CountedWriter::PrintStarts() {
  for (const ir::KnownStart& start : loop_->starts) {
    context_.text.Line(Expressions::Name(context_.function, start.var), " = ",
                       Names::Unsigned(start.value), ";");
  }
}

void CountedWriter::PrintSlots() {
  for (const ir::LoopSlot& slot : loop_->slots) {
    std::string value = slot.words() == 2 ? "wb_word_get64(" : "wb_word_get(";
    value += names().Name("P", slot.stream) + ", " + Names::Long(slot.word) + ")";
    if (slot.type == ValueType::kF32) value = "wb_f32_reinterpret_i32(" + value + ")";
    if (slot.type == ValueType::kF64) value = "wb_f64_reinterpret_i64(" + value + ")";
    context_.text.Line(TypeText(slot.type), " ", names().Slot(slot.stream, slot.word), " = ", value,
                       ";");
  }
}

// Without a round nothing was stored, and what was loaded keeps its bits.
void CountedWriter::PutSlots() {
  const bool any_nan = std::any_of(loop_->slots.begin(), loop_->slots.end(),
                                   [](const ir::LoopSlot& slot) { return slot.any_nan; });
  if (any_nan && !is_known()) context_.text.Open("if (", names().Name("m"), " != 0u)");
  for (const ir::LoopSlot& slot : loop_->slots) {
    if (!slot.stored) continue;
    std::string value = names().Slot(slot.stream, slot.word);
    if (slot.any_nan) value = CanonText(slot.type, value);
    if (slot.type == ValueType::kF32) value = "wb_i32_reinterpret_f32(" + value + ")";
    if (slot.type == ValueType::kF64) value = "wb_i64_reinterpret_f64(" + value + ")";
    context_.text.Line(slot.words() == 2 ? "wb_word_put64(" : "wb_word_put(",
                       names().Name("P", slot.stream), ", ", Names::Long(slot.word), ", ", value,
                       ");");
  }
  if (any_nan && !is_known()) context_.text.Close();
}

bool CountedWriter::KnowsStores(uint32_t stream) const {
  return std::all_of(
      loop_->accesses.begin(), loop_->accesses.end(), [&](const ir::LoopAccess& access) {
        const uint32_t row = loop_->RowAt(access.at);
        return access.stream != stream || context_.function.insts[row].op != ir::Op::kStore ||
               context_.function.RangeAt(row) != nullptr;
      });
}

void CountedWriter::NoteStores() {
  for (uint32_t i = 0; i < loop_->streams.size(); ++i) {
    if (!loop_->streams[i].stores) continue;
    memory_.notes().Stream(names().Name("a", i), "(uint)" + names().Span(loop_->streams[i]),
                           KnowsStores(i));
  }
}

std::string CountedWriter::Rounds() const {
  const std::string k = names().Name("k");
  const std::string begin = is_known() ? "wb_round " : "",
                    end = is_known() ? "(wb_round)" + names().Rounds() : names().Name("m");
  return "for (" + begin + k + " = 0u; " + k + " != " + end + "; " + k + " = " + k + " + 1u)";
}

void CountedWriter::Close() {
  if (!loop_->data.empty() || knows_copies_) context_.text.Close();
  context_.copies = CopyUse::kAsk;
  knows_copies_ = false;
  PutSlots();
  if (is_known()) {
    context_.text.CloseOpen("else");
  } else {
    const std::string k = names().Name("k"), m = names().Name("m");
    context_.text.Line("if (", k, " != ", m, " || ", m, " == (wb_round)", names().Rounds(), ") { ",
                       names().Name("e"), " = 1u; }");
    context_.text.Close();
    context_.text.Open("if (", names().Name("e"), " == 0u)");
  }
  loop_ = nullptr;
}

}  // namespace wb
