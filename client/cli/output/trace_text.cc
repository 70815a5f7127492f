#include "client/cli/output/trace_text.h"

#include <algorithm>

#include "client/cli/output/trap_text.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint32_t kMostIndents = 40;

std::string Hex32(uint32_t number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[number & 15]);
    number >>= 4;
  } while (number != 0);
  return "0x" + digits;
}

template <typename Values>
std::string Joined(const Values& values, const char* between) {
  std::string text;
  for (const v1::Value& value : values) text += (text.empty() ? "" : between) + ValueText(value);
  return text;
}

std::string NameOf(const v1::TraceLine& line) {
  const std::string name = line.function_name().empty()
                               ? "function " + std::to_string(line.function())
                               : Printable(line.function_name());
  return line.module().empty() ? name : Printable(line.module()) + "." + name;
}

std::string OperatorText(const v1::TraceLine& line) {
  std::string text = "  " + Printable(line.operator_());
  if (line.values_size() > 0) text += " " + Joined(line.values(), " ");
  if (line.results_size() > 0) text += " = " + Joined(line.results(), " ");
  text += "  (" + Hex32(line.offset());
  if (line.line() != 0) text += " " + Printable(line.file()) + ":" + std::to_string(line.line());
  return text + ")";
}

}  // namespace

std::string TraceLineText(const v1::TraceLine& line) {
  std::string number = std::to_string(line.number());
  number.insert(0, std::max<size_t>(8, number.size()) - number.size(), ' ');
  const uint32_t depth = std::clamp(line.depth(), 1u, kMostIndents) - 1;
  std::string text = number + "  " + std::string(2 * depth, ' ');
  switch (line.kind()) {
    case v1::TraceLine::CALL:
      text += "> " + NameOf(line) + "(" + Joined(line.values(), ", ") + ")";
      if (line.offset() != 0) text += " from " + Hex32(line.offset());
      return text;
    case v1::TraceLine::RETURN:
      text += "< " + NameOf(line);
      if (line.values_size() > 0) text += " = " + Joined(line.values(), ", ");
      return text;
    default: return text + OperatorText(line);
  }
}

std::string ReplayEndText(const v1::ReplayEnd& end) {
  if (end.reached()) return "Stopped before the operator at that offset.";
  const v1::InstanceResult& result = end.result();
  std::string text = "Instance " + std::to_string(result.instance()) + ": " +
                     v1::End_Name(result.end()) + " after " + std::to_string(result.fuel()) +
                     " instructions";
  if (result.has_trap()) text += ": " + TrapText(result.trap());
  if (!end.has_stored()) return text + "\nThe job's result is not there to compare with.";
  if (end.is_equal()) return text + "\nThe same as the job's result.";
  return text + "\nNot the job's result: " + Printable(end.difference()) + ".";
}

}  // namespace wb::cli
