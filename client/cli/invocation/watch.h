#pragma once

// A list that is looked at again and again: on a terminal drawn in place, else as lines of JSON, of
// which each look adds those that are new or have changed.

#include <google/protobuf/message.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "client/cli/invocation/invocation.h"

namespace CLI {
class App;
}

namespace wb::cli {

struct WatchOptions {
  bool on = false;
  std::string interval = "1s";
  uint64_t looks = 0;  // 0: until it is interrupted
};

// The flags that fill it.
void AddWatchFlags(CLI::App* command, WatchOptions* options);

// Which messages are new or have changed since they were shown last, by name. Pure.
class ChangedMessages {
 public:
  // The message as a line of JSON with the time; empty: as it was.
  std::string LineOf(const std::string& name, const google::protobuf::Message& message,
                     int64_t unix_ms);

 private:
  std::map<std::string, std::string> shown_;
};

// What a look found.
struct Look {
  std::string table;  // for a terminal
  // Calls `show` with the name of each thing and its message.
  std::function<void(
      const std::function<void(const std::string& name, const google::protobuf::Message&)>& show)>
      each;
};

// Looks until it is interrupted, or as often as the options say. An interrupt is a good end.
Result<int> WatchLooks(Invocation& invocation, const WatchOptions& options,
                       const std::function<Result<Look>()>& look);

}  // namespace wb::cli
