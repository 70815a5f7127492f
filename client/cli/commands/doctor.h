#pragma once

// What `wasmburstctl doctor` finds: the way to the daemon, step by step, and the daemon's own
// state.

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/identity/connection_choice.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb::cli {

struct Finding {
  enum class State : uint8_t { kOk, kWrong, kUnknown };  // unknown: it was not asked, or may not be
  std::string check;                                     // "devices"
  State state = State::kOk;
  std::string said;
  std::string advice;  // of what is wrong
};

// Calls the daemon; each call waits a few seconds at most.
std::vector<Finding> Diagnose(const ConnectionFlags& flags,
                              const ConnectionEnvironment& environment);

// Pure, for Diagnose. `asked` and `answered`: when, by this machine's clock, in nanoseconds since
// 1970.
Finding JudgeVersion(const wasmburst::v1::ServerInfo& info, const std::string& own);
Finding JudgeState(const wasmburst::v1::ServerInfo& info);
Finding JudgeAlarms(const wasmburst::v1::ServerInfo& info);
Finding JudgeClock(const wasmburst::v1::ServerInfo& info, int64_t asked, int64_t answered);
Finding JudgeDevices(const wasmburst::v1::ListDevicesResponse& devices);
Finding JudgeCache(const wasmburst::v1::ListCacheResponse& cache);

// "ok", "wrong", "unknown".
const char* FindingStateText(Finding::State state);
// "wrong devices: there are none. See the daemon's log."
std::string FindingText(const Finding& finding);

// Whether nothing is wrong.
bool AllPass(const std::vector<Finding>& findings);

}  // namespace wb::cli
