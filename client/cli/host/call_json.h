#pragma once

// Calls and answers as lines of JSON, as the program of --host reads and writes them. Pure.

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "wasmburst/v1/host_calls.pb.h"
#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

// A call as the handler knows it: `instance` counts over all jobs of a run.
struct CallKey {
  uint64_t instance = 0;
  uint64_t call = 0;
  auto operator<=>(const CallKey&) const = default;
};

// {"instance":3,"call":0,"import":"env.f","args":[1],"bytes":["aGk="]} and a line end. An i64 that
// a double does not hold is a text.
std::string CallLine(const wasmburst::v1::HostCall& call, const CallKey& key);

// What is known of a call that waits.
struct WaitingCall {
  std::string import;
  // Of its results; null: they cannot be written, so every answer with results is wrong.
  const std::vector<wasmburst::v1::ValueType>* results = nullptr;
};
// nullopt: no such call waits.
using FindCall = std::function<std::optional<WaitingCall>(const CallKey&)>;

struct HandlerLine {
  std::optional<CallKey> key;  // of the call that waits for it; nullopt: no call that waits
  // Without instance and number. An error tells what is wrong with the line.
  Result<wasmburst::v1::HostAnswer> answer;
};
// {"instance":3,"call":0,"results":[0],"writes":[{"at":1024,"bytes":"aGk="}]}, or "error":"why" in
// place of these two.
HandlerLine ReadHandlerLine(const std::string& line, const FindCall& find);

// The line's beginning, quoted, for messages.
std::string QuotedLine(const std::string& line);

}  // namespace wb::cli
