#include "scheduler/devices/compile/compile_report.h"

namespace wb {
namespace {

constexpr int kLines = 6;

std::string InBrackets(uint64_t number) { return "[" + std::to_string(number) + "]"; }

}  // namespace

std::string FirstLines(const std::string& text, int lines) {
  size_t end = 0;
  while (lines-- > 0 && end != std::string::npos) end = text.find('\n', end == 0 ? 0 : end + 1);
  return end == std::string::npos ? text : text.substr(0, end);
}

std::string HowItEnded(const ChildReport& report) {
  if (report.signal == 0) return "ended with code " + InBrackets(uint64_t(report.exit_code));
  return "was ended by signal " + InBrackets(uint64_t(report.signal));
}

Status StatusOf(const ChildReport& report, const std::string& compiler, size_t text_bytes,
                const ChildLimits& limits) {
  const std::string on = " on a kernel text of " + InBrackets(text_bytes) + " bytes";
  if (report.timed_out) {
    return Status(Reason::kCompileTimeout, "The compiler [" + compiler + "] was stopped after " +
                                               InBrackets(uint64_t(limits.max_time.count())) +
                                               " ms" + on + ".");
  }
  if (report.signal == 0 && report.exit_code == 0) return {};
  std::string message = "The compiler [" + compiler + "] " + HowItEnded(report) + on;
  // Want of memory ends compilers in many ways, most of them by a signal.
  if (report.signal != 0) {
    message += " (it may use " + InBrackets(limits.max_memory_bytes) + " bytes of memory)";
  }
  if (!report.message.empty()) message += " and said: " + FirstLines(report.message, kLines);
  return Status(Reason::kCompileFailed, message);
}

}  // namespace wb
