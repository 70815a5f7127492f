#pragma once

// What a scheduler says to an operator, one sentence at a time.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace wb {

enum class Severity : uint8_t {
  kInfo,     // how things are
  kWarning,  // what an operator should know: something is lost, missing or slower
};

// Any thread.
using SchedulerLog = std::function<void(Severity severity, const std::string& sentence)>;

// For parts that say nothing but warnings. An empty log gives one that says nothing.
inline std::function<void(const std::string&)> WarningsOf(SchedulerLog log) {
  return [log = std::move(log)](const std::string& sentence) {
    if (log) log(Severity::kWarning, sentence);
  };
}

}  // namespace wb
