#pragma once

// The processes of --host: calls are dealt to them by instance, and every call gets an answer.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/host/call_json.h"
#include "client/cli/host/handler_process.h"
#include "client/cli/host/host_bindings.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/host_calls.pb.h"

namespace wb::cli {

class Handlers {
 public:
  // Any thread; must not block.
  using Warn = std::function<void(const std::string& sentence)>;
  using Reply = std::function<void(wasmburst::v1::HostAnswer answer)>;

  // Starts `count` processes. IO_ERROR.
  static Result<std::unique_ptr<Handlers>> Start(const HandlerOptions& options, size_t count,
                                                 ResultTypes types, Warn warn);
  ~Handlers();  // Finish

  // Sends a call to the process of its instance. `instance`: its number over all jobs of the run.
  // `reply` gets the answer once, on any thread, with the call's own instance and number: an error
  // where the process has ended, or answers nonsense. Of a process that is silent none comes. Any
  // thread.
  void Take(const wasmburst::v1::HostCall& call, uint64_t instance, Reply reply)
      WB_EXCLUDES(mutex_);
  // Ends the processes. Calls that wait get no answer: their jobs have ended. Once.
  void Finish() WB_EXCLUDES(mutex_);

 private:
  struct Pending {
    size_t process = 0;
    std::string import;
    uint64_t instance = 0, number = 0;  // in its job
    Reply reply;
  };
  struct Process {
    std::unique_ptr<HandlerProcess> process;
    std::optional<std::string> end;  // why it ended; guarded by mutex_
  };

  Handlers(ResultTypes types, Warn warn) : types_(std::move(types)), warn_(std::move(warn)) {}

  void OnLine(const std::string& line) WB_EXCLUDES(mutex_);
  void OnEnd(size_t process, const std::string& why) WB_EXCLUDES(mutex_);
  std::optional<WaitingCall> Find(const CallKey& key) WB_EXCLUDES(mutex_);
  std::optional<Pending> Remove(const CallKey& key) WB_EXCLUDES(mutex_);
  // Of a line that answers no call, or answers one wrongly.
  void WarnOfLine(const std::string& line, const HandlerLine& read) WB_EXCLUDES(mutex_);
  static void Give(const Pending& call, wasmburst::v1::HostAnswer answer);
  static void Fail(const Pending& call, const std::string& why);

  const ResultTypes types_;
  const Warn warn_;
  Mutex mutex_;
  std::vector<Process> processes_;
  std::map<CallKey, Pending> pending_ WB_GUARDED_BY(mutex_);
  uint64_t dropped_lines_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t warnings_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb::cli
