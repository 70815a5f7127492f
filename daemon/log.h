#pragma once

// The daemon's log: one line per event on standard error, as text or JSON. Guest data and results
// never go there.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError, kOff };

struct LogField {
  std::string_view key;
  std::string value;
};

// Once, before threads. `level` and `format` are the words of the settings log.level, log.format.
void SetUpLog(std::string_view level, std::string_view format);

// `event` is a stable name in lower case. Any thread.
void Log(LogLevel level, std::string_view event, const std::vector<LogField>& fields);

}  // namespace wb
