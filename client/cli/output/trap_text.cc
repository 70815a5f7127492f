#include "client/cli/output/trap_text.h"

#include <cstdio>

#include "client/cli/output/demangle.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint32_t kNone = 0xffffffff;

// Trap or TraceFrame: where it is, in its module.
template <typename Proto>
std::string PlaceText(const Proto& place) {
  char offset[32];
  std::snprintf(offset, sizeof(offset), "0x%x", place.offset());
  const std::string module =
      place.module().empty() ? "" : "module " + Printable(place.module()) + ", ";
  const std::string function = place.function() == kNone
                                   ? "in instantiation"
                                   : "function " + std::to_string(place.function());
  return "(" + module + function + ", offset " + offset + ")";
}

template <typename Proto>
std::string LineText(const Proto& place) {
  if (place.file().empty()) return "";
  return " at " + Printable(place.file()) + ":" + std::to_string(place.line());
}

}  // namespace

std::string TrapText(const v1::Trap& trap) {
  const bool nowhere = trap.function() == kNone && trap.offset() == kNone;
  const std::string why = trap.host_error().empty() ? "" : ": " + Printable(trap.host_error());
  const bool of_group = trap.code() == "COLLECTIVE_MISMATCH" || trap.code() == "ASSERTION_FAILED";
  if (nowhere && of_group) return trap.message() + why;
  if (nowhere) return trap.message() + (why.empty() ? " (by the step itself)" : why);
  if (trap.code() == "IMPORT_CALLED") return trap.message() + ": " + trap.module();
  const std::string& name = trap.function_name();
  const std::string named = name.empty() ? "" : " in " + Printable(DemangledName(name));
  return trap.message() + why + named + " " + PlaceText(trap) + LineText(trap);
}

std::string FrameText(const v1::TraceFrame& frame) {
  const std::string& name = frame.function_name();
  const std::string named = name.empty() ? "" : Printable(DemangledName(name)) + " ";
  return named + PlaceText(frame) + LineText(frame);
}

std::string BacktraceText(const v1::InstanceResult& result) {
  const v1::Trap& trap = result.trap();
  std::string text;
  for (const v1::TraceFrame& frame : result.backtrace()) {
    const bool is_trap = frame.function() == trap.function() && frame.offset() == trap.offset() &&
                         frame.module() == trap.module();
    // The trap itself is in words already.
    if (is_trap && text.empty()) continue;
    text += "\n    from " + FrameText(frame);
  }
  if (!result.backtrace_error().empty()) {
    text += "\n    no backtrace: " + Printable(result.backtrace_error());
  }
  return text;
}

std::string Printable(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string printable;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      printable += c;
    } else {
      printable += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return printable;
}

}  // namespace wb::cli
