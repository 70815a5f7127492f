#include "daemon/config/setting_table.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "daemon/config/units.h"
#include "scheduler/devices/gpu_search.h"

namespace wb {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kMaxBytes = uint64_t{1} << 50;

constexpr std::string_view kReloaded[] = {
#define WB_RELOADED(name) name,
#include "daemon/config/reload.def"
#undef WB_RELOADED
};

// The number that `text` means for this kind, if it is one.
std::optional<uint64_t> NumberOf(SettingKind kind, std::string_view text) {
  if (kind == SettingKind::kTime) {
    std::optional<int64_t> time = ParseDuration(text);
    if (!time) return std::nullopt;
    return static_cast<uint64_t>(*time);
  }
  if (kind == SettingKind::kBytes) return ParseByteSize(text);
  if (kind == SettingKind::kBool && (text == "true" || text == "false"))
    return text == "true" ? 1 : 0;
  if (kind == SettingKind::kCount && !text.empty() &&
      text.find_first_not_of("0123456789") == std::string_view::npos && text.size() < 20) {
    return std::stoull(std::string(text));
  }
  return std::nullopt;
}

}  // namespace

const std::vector<Setting>& SettingTable() {
  static const std::vector<Setting> table = {
#define WB_SETTING(section, key, member, type, fallback, low, high, meaning) \
  {{#section, #key, #type, fallback, meaning},                               \
   SettingKind::k##type,                                                     \
   static_cast<uint64_t>(low),                                               \
   static_cast<uint64_t>(high),                                              \
   [](Config* config) -> SettingTarget { return &config->member; }},
#include "daemon/config/settings.def"
#undef WB_SETTING
  };
  return table;
}

std::string NameOf(const SettingInfo& info) {
  return std::string(info.section) + "." + std::string(info.key);
}

bool Reloads(const std::string& name) {
  return name == "identity" ||
         std::any_of(std::begin(kReloaded), std::end(kReloaded), [&name](std::string_view row) {
           return row.ends_with('.') ? name.starts_with(row) : name == row;
         });
}

std::string KindWords(SettingKind kind) {
  switch (kind) {
    case SettingKind::kBool: return "true or false";
    case SettingKind::kCount: return "a whole number";
    case SettingKind::kBytes: return "a size such as \"64MiB\"";
    case SettingKind::kTime: return "a time such as \"500ms\"";
    case SettingKind::kText: return "a text";
    case SettingKind::kChoice: return "one of its words";
    case SettingKind::kGpus: return "\"all\" or numbers of GPUs such as \"0,2\", each once";
  }
  return "";
}

const std::vector<SettingInfo>& Settings() {
  static const std::vector<SettingInfo> infos = [] {
    std::vector<SettingInfo> rows;
    for (const Setting& setting : SettingTable()) rows.push_back(setting.info);
    return rows;
  }();
  return infos;
}

std::string AssignSetting(const Setting& setting, std::string_view text, Config* config) {
  SettingTarget target = setting.target(config);
  if (setting.kind == SettingKind::kGpus) {
    if (!ParseGpuOrdinals(std::string(text)).ok()) return "is not " + KindWords(setting.kind);
    *std::get<std::string*>(target) = std::string(text);
    return "";
  }
  if (setting.kind == SettingKind::kText || setting.kind == SettingKind::kChoice) {
    std::string word = "|" + std::string(text) + "|";
    bool known = setting.kind == SettingKind::kText ||
                 (text.find('|') == std::string_view::npos &&
                  setting.info.meaning.find(word) != std::string_view::npos);
    if (!known) return "must be one of " + std::string(setting.info.meaning);
    *std::get<std::string*>(target) = std::string(text);
    return "";
  }
  std::optional<uint64_t> number = NumberOf(setting.kind, text);
  if (!number) return "is not " + KindWords(setting.kind);
  if (*number < setting.min || *number > setting.max) {
    std::string unit = setting.kind == SettingKind::kTime ? " nanoseconds" : "";
    return "must lie between " + std::to_string(setting.min) + " and " +
           std::to_string(setting.max) + unit;
  }
  if (auto* flag = std::get_if<bool*>(&target)) **flag = *number != 0;
  if (auto* count = std::get_if<uint64_t*>(&target)) **count = *number;
  if (auto* time = std::get_if<int64_t*>(&target)) **time = static_cast<int64_t>(*number);
  if (auto* time = std::get_if<std::chrono::milliseconds*>(&target)) {
    **time = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::nanoseconds(static_cast<int64_t>(*number)));
  }
  return "";
}

}  // namespace wb
