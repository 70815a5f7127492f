#include "client/cli/invocation/watch.h"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <thread>

#include "client/cli/output/standard_output.h"
#include "client/cli/program/duration.h"

namespace wb::cli {
namespace {

constexpr const char* kHome = "\033[H";          // the upper left corner of a terminal
constexpr const char* kClearLineEnd = "\033[K";  // what an earlier look left behind a line
constexpr const char* kClearBelow = "\033[J";    // and below the last one
constexpr const char* kClearAll = "\033[H\033[2J";

int64_t UnixMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Over the look before, without a moment of emptiness.
void Draw(const std::string& table, bool is_first) {
  std::string text = is_first ? kClearAll : kHome;
  for (const char c : table) {
    if (c == '\n') text += kClearLineEnd;
    text += c;
  }
  Print(text + kClearBelow);
}

}  // namespace

void AddWatchFlags(CLI::App* command, WatchOptions* options) {
  CLI::Option* on = command->add_flag(
      "--watch", options->on,
      "look again and again: drawn in place on a terminal, else a line of JSON for each that is "
      "new or has changed");
  command->add_option("--interval", options->interval, "of --watch: from look to look")
      ->needs(on)
      ->default_str("1s");
  command->add_option("--count", options->looks, "of --watch: looks; 0: until it is interrupted")
      ->needs(on);
}

std::string ChangedMessages::LineOf(const std::string& name,
                                    const google::protobuf::Message& message, int64_t unix_ms) {
  std::string json = MessageJson(message, false);
  std::string& shown = shown_[name];
  if (shown == json) return "";
  shown = std::move(json);
  const std::string rest = shown == "{}" ? "}" : "," + shown.substr(1);
  return "{\"time_unix_ms\":" + std::to_string(unix_ms) + rest;
}

Result<int> WatchLooks(Invocation& invocation, const WatchOptions& options,
                       const std::function<Result<Look>()>& look) {
  WB_ASSIGN(const int64_t interval, ParseDuration(options.interval));
  const bool draws = !invocation.json() && isatty(STDOUT_FILENO) != 0;
  ChangedMessages changed;
  for (uint64_t i = 0; options.looks == 0 || i < options.looks; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(interval));
    const Result<Look> seen = look();
    if (seen.status().code() == Code::kCancelled && !invocation.is_late()) return 0;
    if (!seen.ok()) return seen.status();
    if (draws) {
      Draw(seen->table, i == 0);
    } else {
      seen->each([&](const std::string& name, const google::protobuf::Message& message) {
        const std::string line = changed.LineOf(name, message, UnixMs());
        if (!line.empty()) PrintLine(line);
      });
    }
    if (!OutputWorks()) return 0;
  }
  return 0;
}

}  // namespace wb::cli
