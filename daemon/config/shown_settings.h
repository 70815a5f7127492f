#pragma once

// The configuration in force, for people: each setting as text, and where it comes from. Pure.
// Secrets are in files, of which settings have the names, so that all of it may be shown.

#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config/setting_table.h"

namespace wb {

struct ShownSetting {
  std::string name;    // "limits.fuel"; "listen", "identity", "tenant" once for each table
  std::string value;   // as the file has it, without quotation marks
  std::string origin;  // "default", "file", "flag", "reloaded"
  std::string default_value;
  bool reloads = false;       // takes effect when the file is read again
  std::string after_restart;  // what the file said when it was read last; empty: the same
};

// In the order of settings.def, then the tables.
std::vector<ShownSetting> ShowSettings(const Config& config);

// "64MiB", "500ms", "true": AssignSetting takes it and gives the same value.
std::string SettingText(const Setting& setting, const Config& config);

}  // namespace wb
