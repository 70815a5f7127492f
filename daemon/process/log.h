#pragma once

// The daemon's log: one line per event on standard error, as text, as JSON, or as text for the
// systemd journal. Guest data and results never go there.

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

struct LogSettings {
  std::string_view level;         // as log.level
  std::string_view format;        // as log.format
  uint64_t lines_per_second = 0;  // of each kind, as log.lines_per_second
};

// Once, before threads. What protobuf says goes to this log from then on.
void SetUpLog(const LogSettings& settings);

void SetLogLevel(std::string_view level);  // as log.level; any thread

// `event` is a stable name in lower case. Lines of one event and level are of one kind; beyond the
// limit they are left out and counted. Any thread.
void Log(LogLevel level, std::string_view event, const std::vector<LogField>& fields);

// Says how many lines were left out since the last call, if any. To be called every second or so.
void LogLeftOut();

// Lines written so far, by level.
struct LogLines {
  uint64_t debug = 0, info = 0, warning = 0, error = 0;
};
LogLines LinesLogged();

// A line without time and level, for tests: values with blanks, quotes or control characters are
// quoted and escaped.
std::string LogLine(std::string_view event, const std::vector<LogField>& fields, bool as_json);

enum class LogForm : uint8_t { kText, kJson, kJournal };
// What log.format says; `is_journal`: standard error goes to the journal. Pure.
LogForm LogFormOf(std::string_view format, bool is_journal);
// Whether $JOURNAL_STREAM names this file: "DEVICE:INODE" of the journal's end of standard error.
bool IsJournalStream(std::string_view variable, uint64_t device, uint64_t inode);
// "<4>rpc method=..." The journal takes the priority off, and has the time and the process itself.
std::string JournalLine(LogLevel level, std::string_view line);

}  // namespace wb
