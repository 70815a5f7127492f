#include "deploy/reference/table_pages.h"

#include <string_view>

#include "client/cli/tree/markdown.h"
#include "compiler/abi/lane.h"
#include "compiler/base/status.h"
#include "daemon/config/setting_table.h"
#include "daemon/config/units.h"
#include "daemon/metrics/metric.h"

namespace wb {
namespace {

using cli::MarkdownCode;
using cli::MarkdownText;

std::string NumberOf(const Setting& setting, uint64_t number) {
  if (setting.kind == SettingKind::kBytes) return ByteSizeText(number);
  if (setting.kind == SettingKind::kTime) return DurationText(static_cast<int64_t>(number));
  return std::to_string(number);
}

// A choice says its words between bars before what it is.
std::string ChoicesOf(const Setting& setting) {
  std::string out;
  std::string_view words = setting.info.meaning.substr(1);
  words = words.substr(0, words.rfind('|') + 1);
  while (!words.empty()) {
    const size_t bar = words.find('|');
    out += (out.empty() ? "`" : ", `") + std::string(words.substr(0, bar)) + "`";
    words.remove_prefix(bar + 1);
  }
  return out;
}

std::string ValuesOf(const Setting& setting) {
  switch (setting.kind) {
    case SettingKind::kChoice: return ChoicesOf(setting);
    case SettingKind::kCount:
    case SettingKind::kBytes:
    case SettingKind::kTime:
      return NumberOf(setting, setting.min) + " to " + NumberOf(setting, setting.max);
    case SettingKind::kBool:
    case SettingKind::kText:
    case SettingKind::kGpus: return KindWords(setting.kind);
  }
  return "";
}

std::string MeaningOf(const Setting& setting) {
  if (setting.kind != SettingKind::kChoice) return std::string(setting.info.meaning);
  std::string_view words = setting.info.meaning.substr(setting.info.meaning.rfind('|') + 1);
  while (words.starts_with(' ')) words.remove_prefix(1);
  return std::string(words);
}

std::string SettingRow(const Setting& setting) {
  const std::string usual(setting.info.default_text);
  return "| " + MarkdownCode(NameOf(setting.info)) + " | " +
         (usual.empty() ? "empty" : MarkdownCode(usual)) + " | " + MarkdownText(ValuesOf(setting)) +
         " | " + (Reloads(NameOf(setting.info)) ? "yes" : "") + " | " +
         MarkdownText(MeaningOf(setting)) + " |\n";
}

// What a program says of its usage names the place where it lay when the page was made.
std::string WithoutPlace(const std::string& help) {
  constexpr std::string_view kUsage = "Usage: ";
  const size_t usage = help.find(kUsage);
  if (usage == std::string::npos) return help;
  const size_t from = usage + kUsage.size();
  const size_t slash = help.rfind('/', help.find(' ', from));
  return slash == std::string::npos || slash < from ? help
                                                    : help.substr(0, from) + help.substr(slash + 1);
}

std::string_view KindOf(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter: return "counter";
    case MetricKind::kGauge: return "gauge";
    case MetricKind::kShortTimes:
    case MetricKind::kLongTimes: return "histogram of seconds";
  }
  return "";
}

std::string_view NameOf(Code code) {
  switch (code) {
    case Code::kOk: return "OK";
    case Code::kInvalidArgument: return "INVALID_ARGUMENT";
    case Code::kFailedPrecondition: return "FAILED_PRECONDITION";
    case Code::kNotFound: return "NOT_FOUND";
    case Code::kAlreadyExists: return "ALREADY_EXISTS";
    case Code::kResourceExhausted: return "RESOURCE_EXHAUSTED";
    case Code::kOutOfRange: return "OUT_OF_RANGE";
    case Code::kCancelled: return "CANCELLED";
    case Code::kDeadlineExceeded: return "DEADLINE_EXCEEDED";
    case Code::kUnavailable: return "UNAVAILABLE";
    case Code::kUnauthenticated: return "UNAUTHENTICATED";
    case Code::kPermissionDenied: return "PERMISSION_DENIED";
    case Code::kDataLoss: return "DATA_LOSS";
    case Code::kInternal: return "INTERNAL";
  }
  return "";
}

constexpr Reason kReasons[] = {
#define WB_ERROR(name, reason, code, advice) Reason::k##name,
#include "compiler/base/errors.def"
#undef WB_ERROR
};
constexpr Trap kTraps[] = {
#define WB_TRAP(name, upper, number, words) Trap::k##name,
#include "compiler/abi/trap.def"
#undef WB_TRAP
};

}  // namespace

std::string SettingsPage(const std::string& help) {
  std::string out =
      "# wasmburstd: flags and settings\n\n```text\n" + WithoutPlace(help) +
      "```\n\nThe file of `--config` is TOML. `wasmburstd --print-default-config` prints one with "
      "every setting at its\ndefault, `[[listen]]`, `[[identity]]` and `[[tenant]]` as well. "
      "Settings with \"yes\" take effect when the daemon\nreads its file again (SIGHUP), the "
      "others "
      "when it starts.\n";
  std::string_view section;
  for (const Setting& setting : SettingTable()) {
    if (setting.info.section != section) {
      section = setting.info.section;
      out +=
          "\n## " + std::string(section) +
          "\n\n| setting | default | values | reloads | what |\n| --- | --- | --- | --- | --- |\n";
    }
    out += SettingRow(setting);
  }
  return out;
}

std::string MetricsPage() {
  std::string out =
      "# Metrics\n\nServed at `/metrics` of the setting `metrics.address`, as Prometheus reads "
      "them.\n\n| metric | kind | labels | what |\n| --- | --- | --- | --- |\n";
  for (const MetricInfo& metric : MetricTable()) {
    std::string labels;
    for (const std::string& label : metric.labels) {
      labels += (labels.empty() ? "`" : ", `") + label + "`";
    }
    out += "| " + MarkdownCode(metric.name) + " | " + std::string(KindOf(metric.kind)) + " | " +
           labels + " | " + MarkdownText(metric.help) + " |\n";
  }
  return out;
}

std::string ErrorsPage() {
  std::string out =
      "# Errors, traps and ends\n\n## Errors of calls\n\nA call that fails carries a reason, which "
      "stays the same from version to version.\n\n| reason | gRPC code | what to do |\n"
      "| --- | --- | --- |\n";
  for (const Reason reason : kReasons) {
    out += "| " + MarkdownCode(ReasonName(reason)) + " | " +
           MarkdownCode(NameOf(ReasonCode(reason))) + " | " + MarkdownText(ReasonAdvice(reason)) +
           " |\n";
  }
  out +=
      "\n## Traps of instances\n\nA trap ends its instance alone, and is a result.\n\n"
      "| trap | what |\n| --- | --- |\n";
  for (const Trap trap : kTraps) {
    out += "| " + MarkdownCode(TrapName(trap)) + " | " + MarkdownText(TrapWords(trap)) + " |\n";
  }
  return out + "\n## Ends of instances\n\nThey are told in [results.md](results.md) (`End`).\n";
}

}  // namespace wb
