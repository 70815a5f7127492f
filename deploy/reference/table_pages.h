#pragma once

// Pages of the reference that follow from tables: settings, metrics, errors, and how instances end.

#include <string>

namespace wb {

// In Markdown. Pure. `help`: what wasmburstd --help prints.
std::string SettingsPage(const std::string& help);
std::string MetricsPage();
std::string ErrorsPage();  // errors of calls, and traps and ends of instances

}  // namespace wb
