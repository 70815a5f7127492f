#pragma once

// The rows of settings.def, and how a text becomes a setting's value.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/config/config.h"

namespace wb {

enum class SettingKind : uint8_t { kBool, kCount, kBytes, kTime, kText, kChoice, kGpus };

// Of a time: int64_t in nanoseconds, or whole milliseconds.
using SettingTarget =
    std::variant<bool*, uint64_t*, int64_t*, std::chrono::milliseconds*, std::string*>;

// One row of settings.def, for documents and tests.
struct SettingInfo {
  std::string_view section;
  std::string_view key;
  std::string_view kind;
  std::string_view default_text;
  std::string_view meaning;
};
std::string NameOf(const SettingInfo& info);  // "limits.fuel"
// Whether the setting, or [[identity]], takes effect when the file is read again (reload.def).
bool Reloads(const std::string& name);

// A row of the table, and how to find its field.
struct Setting {
  SettingInfo info;
  SettingKind kind;
  uint64_t min;
  uint64_t max;
  SettingTarget (*target)(Config*);
};

const std::vector<Setting>& SettingTable();
const std::vector<SettingInfo>& Settings();

// What a value of this kind is called in messages.
std::string KindWords(SettingKind kind);

// Stores `text` into the setting's field. Returns what is wrong with it, or nothing.
std::string AssignSetting(const Setting& setting, std::string_view text, Config* config);

}  // namespace wb
