#include "compiler/emit/function/counted_names.h"

namespace wb {

std::string CountedNames::Name(const char* letter) const {
  return letter + std::to_string(loop_->construct);
}

std::string CountedNames::Name(const char* letter, uint32_t index) const {
  return Name(letter) + "_" + std::to_string(index);
}

std::string CountedNames::Slot(uint32_t stream, uint64_t word) const {
  return Name("q", stream) + "_" + std::to_string(word);
}

std::string CountedNames::Rounds() const {
  return loop_->rounds != 0 ? Unsigned(loop_->rounds) : Name("n");
}

std::string CountedNames::Sum(const ir::LoopValue& value) const {
  std::string text;
  for (const ir::LoopTerm& term : value.terms) {
    if (!text.empty()) text += " + ";
    text += expressions_->Use(term.var);
    if (term.times != 1) text += " * " + Unsigned(term.times);
  }
  if (text.empty()) return Unsigned(value.constant);
  return value.constant == 0 ? text : text + " + " + Unsigned(value.constant);
}

std::string CountedNames::Span(const ir::AddressStream& stream, uint64_t skipped) const {
  std::string bytes = Long(stream.bytes - skipped);
  if (stream.per_round == 0) return bytes;
  return "wb_span_of_rounds(" + Rounds() + ", " + Long(Distance(stream)) + ", " + bytes + ")";
}

}  // namespace wb
