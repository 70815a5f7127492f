#include "daemon/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

namespace wb {
namespace {

bool g_json = false;  // written once, by SetUpLog, before threads

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

std::string JsonString(std::string_view text) {
  using nlohmann::json;
  return json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool NeedsQuotes(std::string_view text) {
  return text.empty() || text.find_first_of(" =\"\\\n\t") != std::string_view::npos;
}

std::string Line(std::string_view event, const std::vector<LogField>& fields) {
  std::string line = g_json ? "\"event\":" + JsonString(event) : std::string(event);
  for (const LogField& field : fields) {
    line += g_json ? "," + JsonString(field.key) + ":" : " " + std::string(field.key) + "=";
    bool quoted = g_json || NeedsQuotes(field.value);
    line += quoted ? JsonString(field.value) : field.value;
  }
  return line;
}

}  // namespace

void SetUpLog(std::string_view level, std::string_view format) {
  g_json = format == "json";
  auto logger = spdlog::stderr_logger_mt("wasmburstd");
  logger->set_pattern(g_json ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%f%z","level":"%l",%v})"
                             : "%Y-%m-%dT%H:%M:%S.%f%z %l %v");
  logger->set_level(spdlog::level::from_str(std::string(level)));
  logger->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(logger);
}

void Log(LogLevel level, std::string_view event, const std::vector<LogField>& fields) {
  spdlog::level::level_enum spdlog_level = SpdlogLevel(level);
  spdlog::logger* logger = spdlog::default_logger_raw();
  if (!logger->should_log(spdlog_level)) return;
  logger->log(spdlog_level, "{}", Line(event, fields));
}

}  // namespace wb
