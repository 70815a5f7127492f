#include "daemon/process/log.h"

#include <google/protobuf/stubs/common.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "compiler/base/mutex.h"
#include "daemon/process/log_limit.h"

// Newer ones log elsewhere.
#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#define WB_PROTOBUF_LOGS
#endif

namespace wb {
namespace {

constexpr char kDelete = '\x7f';

LogForm g_form = LogForm::kText;  // written once, by SetUpLog, before threads

spdlog::level::level_enum SpdlogLevel(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
    case LogLevel::kOff: return spdlog::level::off;
  }
  return spdlog::level::info;
}

std::string_view LevelName(LogLevel level) {
  const spdlog::string_view_t name = spdlog::level::to_string_view(SpdlogLevel(level));
  return {name.data(), name.size()};
}

// Of syslog(3).
int JournalPriority(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return 7;
    case LogLevel::kInfo: return 6;
    case LogLevel::kWarning: return 4;
    case LogLevel::kError: return 3;
    case LogLevel::kOff: return 6;
  }
  return 6;
}

bool WritesToJournal() {
  const char* const variable = std::getenv("JOURNAL_STREAM");
  struct stat file {};
  if (variable == nullptr || fstat(STDERR_FILENO, &file) != 0) return false;
  return IsJournalStream(variable, file.st_dev, file.st_ino);
}

const char* PatternOf(LogForm form) {
  switch (form) {
    case LogForm::kText: return "%Y-%m-%dT%H:%M:%S.%f%z %l %v";
    case LogForm::kJson: return R"({"ts":"%Y-%m-%dT%H:%M:%S.%f%z","level":"%l",%v})";
    case LogForm::kJournal: return "%v";
  }
  return "%v";
}

// JSON lets DEL through, which terminals do not.
std::string JsonString(std::string_view text) {
  using nlohmann::json;
  const std::string plain =
      json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string escaped;
  for (const char character : plain) {
    if (character == kDelete) {
      escaped += "\\u007f";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

bool NeedsQuotes(std::string_view text) {
  const auto needs_them = [](char character) {
    return static_cast<unsigned char>(character) <= ' ' || character == kDelete ||
           character == '=' || character == '"' || character == '\\';
  };
  return text.empty() || std::any_of(text.begin(), text.end(), needs_them);
}

#ifdef WB_PROTOBUF_LOGS
// Lines of the library, in its own words.
void LogProtobuf(google::protobuf::LogLevel level, const char*, int, const std::string& message) {
  const bool is_error = level >= google::protobuf::LOGLEVEL_ERROR;
  Log(is_error ? LogLevel::kWarning : LogLevel::kInfo, "protobuf", {{"message", message}});
}
#endif

// Lines of one kind: of one event and level.
class SharedLimit {
 public:
  explicit SharedLimit(uint64_t lines_per_second) : limit_(lines_per_second) {}

  bool Take(LogLevel level, std::string_view event) {
    const std::string kind = std::string(event) + "/" + std::string(LevelName(level));
    MutexLock lock(mutex_);
    return limit_.Take(kind, std::chrono::steady_clock::now());
  }
  std::vector<LogLimit::LeftOut> TakeLeftOut() {
    MutexLock lock(mutex_);
    return limit_.TakeLeftOut();
  }

 private:
  Mutex mutex_;
  LogLimit limit_ WB_GUARDED_BY(mutex_);
};

SharedLimit* g_limit = nullptr;  // likewise; none: no limit

std::atomic<uint64_t> g_lines[static_cast<size_t>(LogLevel::kOff) + 1];  // by level

void Write(LogLevel level, std::string_view event, const std::vector<LogField>& fields) {
  g_lines[static_cast<size_t>(level)].fetch_add(1, std::memory_order_relaxed);
  std::string line = LogLine(event, fields, g_form == LogForm::kJson);
  if (g_form == LogForm::kJournal) line = JournalLine(level, line);
  spdlog::default_logger_raw()->log(SpdlogLevel(level), "{}", line);
}

}  // namespace

std::string LogLine(std::string_view event, const std::vector<LogField>& fields, bool as_json) {
  std::string line = as_json ? "\"event\":" + JsonString(event) : std::string(event);
  for (const LogField& field : fields) {
    line += as_json ? "," + JsonString(field.key) + ":" : " " + std::string(field.key) + "=";
    const bool quoted = as_json || NeedsQuotes(field.value);
    line += quoted ? JsonString(field.value) : field.value;
  }
  return line;
}

LogForm LogFormOf(std::string_view format, bool is_journal) {
  if (format == "json") return LogForm::kJson;
  const bool for_journal = format == "journald" || (format == "auto" && is_journal);
  return for_journal ? LogForm::kJournal : LogForm::kText;
}

bool IsJournalStream(std::string_view variable, uint64_t device, uint64_t inode) {
  return variable == std::to_string(device) + ":" + std::to_string(inode);
}

std::string JournalLine(LogLevel level, std::string_view line) {
  const int priority = JournalPriority(level);
  return "<" + std::to_string(priority) + ">" + std::string(line);
}

void SetUpLog(const LogSettings& settings) {
  g_form = LogFormOf(settings.format, WritesToJournal());
  g_limit = new SharedLimit(settings.lines_per_second);  // to the end of the process
  auto logger = spdlog::stderr_logger_mt("wasmburstd");
  logger->set_pattern(PatternOf(g_form));
  logger->set_level(spdlog::level::from_str(std::string(settings.level)));
  logger->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(logger);
#ifdef WB_PROTOBUF_LOGS
  google::protobuf::SetLogHandler(&LogProtobuf);
#endif
}

void SetLogLevel(std::string_view level) {
  spdlog::default_logger_raw()->set_level(spdlog::level::from_str(std::string(level)));
}

void Log(LogLevel level, std::string_view event, const std::vector<LogField>& fields) {
  if (!spdlog::default_logger_raw()->should_log(SpdlogLevel(level))) return;
  if (g_limit != nullptr && !g_limit->Take(level, event)) return;
  Write(level, event, fields);
}

LogLines LinesLogged() {
  const auto of = [](LogLevel level) {
    return g_lines[static_cast<size_t>(level)].load(std::memory_order_relaxed);
  };
  return {of(LogLevel::kDebug), of(LogLevel::kInfo), of(LogLevel::kWarning), of(LogLevel::kError)};
}

void LogLeftOut() {
  if (g_limit == nullptr) return;
  for (const LogLimit::LeftOut& left_out : g_limit->TakeLeftOut()) {
    Write(LogLevel::kWarning, "log_limited",
          {{"kind", left_out.kind},
           {"left_out", std::to_string(left_out.lines)},
           {"setting", "log.lines_per_second"}});
  }
}

}  // namespace wb
