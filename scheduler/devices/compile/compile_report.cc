#include "scheduler/devices/compile/compile_report.h"

#include <signal.h>

#include <cerrno>
#include <string_view>
#include <system_error>

namespace wb {
namespace {

constexpr int kLines = 6;

std::string InBrackets(uint64_t number) { return "[" + std::to_string(number) + "]"; }

// Signals from outside, as a compiler's driver names them when they end a program that it had
// started.
struct OutsideSignal {
  int number;
  std::string_view name;
};
constexpr OutsideSignal kOutsideSignals[] = {
    {SIGKILL, "Killed"}, {SIGTERM, "Terminated"}, {SIGINT, "Interrupt"}, {SIGHUP, "Hangup"}};

// What clang's driver and gcc's say of it.
bool TellsOf(const std::string& message, std::string_view signal) {
  const std::string name(signal);
  return message.find("unable to execute command: " + name) != std::string::npos ||
         message.find(name + " signal terminated program") != std::string::npos;
}

constexpr int kWants[] = {ENOSPC, EDQUOT, EMFILE, ENFILE, EAGAIN};

bool TellsOfWant(const std::string& message) {
  for (const int error : kWants) {
    if (message.find(std::system_category().message(error)) != std::string::npos) return true;
  }
  return false;
}

bool LackedSomething(const ChildReport& report) {
  return report.disk_full || TellsOfWant(report.message);
}

}  // namespace

bool WasEndedFromOutside(const ChildReport& report) {
  for (const OutsideSignal& signal : kOutsideSignals) {
    if (report.signal == signal.number) return true;
    if (report.signal == 0 && TellsOf(report.message, signal.name)) return true;
  }
  return false;
}

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
  // The system keeps the bound of processor time, by a signal that kills.
  const bool from_outside = WasEndedFromOutside(report);
  if (report.timed_out || (from_outside && report.processor_time >= limits.max_time)) {
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
  if (report.disk_full) message += ", where the disk is full";
  if (!report.message.empty()) message += " and said: " + FirstLines(report.message, kLines);
  const bool of_machine = from_outside || LackedSomething(report);
  return Status(of_machine ? Reason::kMachineFault : Reason::kCompileFailed, message);
}

}  // namespace wb
