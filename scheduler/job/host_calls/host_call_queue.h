#pragma once

// HostCallQueue: where a job leaves the calls that its caller answers, and the caller its answers.
// A call lies here until it is answered or its instance has ended. What one server was given and
// did not answer is given to the next.
//
// Threads: any. `Answered` and `wake` are called without its lock.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "compiler/link/binding.h"
#include "scheduler/job/host_calls/host_call.h"

namespace wb {

class HostCallQueue {
 public:
  using Answered = std::function<void(std::vector<HostAnswer>)>;
  static constexpr uint64_t kMostHeld = uint64_t{64} << 20;     // bytes of calls
  static constexpr uint64_t kMostInFlight = uint64_t{4} << 20;  // given and not answered

  explicit HostCallQueue(std::vector<HostImport> imports) : imports_(std::move(imports)) {}

  // --- the job's side
  void Open(Answered answered);
  void Ask(const std::vector<HostCall>& calls);
  void Withdraw(const std::vector<uint64_t>& instances);  // they wait no more
  void Close();                                           // the job has ended
  bool HasRoom() const;                                   // for calls of further instances
  bool IsServed() const;
  const std::vector<HostImport>& imports() const { return imports_; }

  // --- the caller's side
  // From here on `wake` is called when there is something to take. HOST_CALLS_SERVED: another one
  // serves.
  Status Serve(std::function<void()> wake);
  void StopServing();
  // Calls that the server has not been given yet, of about so many bytes; at least one where there
  // is room in flight.
  std::vector<HostCall> Take(uint64_t most_bytes);
  // INVALID_ARGUMENT names the first answer to no call under way; the others are taken.
  Status Answer(std::vector<HostAnswer> answers);
  bool closed() const;

 private:
  struct Lying {
    HostCall call;
    bool given = false;
  };
  void Wake();
  void DropLocked(std::map<uint64_t, Lying>::iterator at) WB_REQUIRES(mutex_);

  const std::vector<HostImport> imports_;
  mutable Mutex mutex_;
  std::map<uint64_t, Lying> calls_ WB_GUARDED_BY(mutex_);  // by instance, which has one at a time
  std::map<uint64_t, uint64_t> queue_ WB_GUARDED_BY(mutex_);  // turn -> instance: not given yet
  uint64_t next_turn_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t held_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t in_flight_ WB_GUARDED_BY(mutex_) = 0;
  bool served_ WB_GUARDED_BY(mutex_) = false;
  bool closed_ WB_GUARDED_BY(mutex_) = false;
  std::function<void()> wake_ WB_GUARDED_BY(mutex_);
  Answered answered_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
