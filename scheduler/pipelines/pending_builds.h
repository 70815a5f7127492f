#pragma once

// PendingBuilds: pipelines that are not there yet, and the jobs that wait for each. One entry for a
// key, however many jobs wait.
//
// An entry is looked for on disk first; then its compiler begins, or it is deferred where every
// waiter can do without a compiler for a while. Only on the coordinator's thread.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "scheduler/base/backoff.h"
#include "scheduler/base/clock.h"
#include "scheduler/pipelines/build_request.h"
#include "scheduler/pipelines/device_builds.h"

namespace wb {

class PendingBuilds {
 public:
  struct PendingBuild {
    bool compiling = false;
    std::optional<uint64_t> first;         // its first build's number, once it is in the queue
    std::optional<BuildRequest> deferred;  // no binary is there, and every waiter can defer
    std::optional<BuiltPipeline> quick;    // while the full one is built
    std::vector<BuildWaiter> waiters;
    // Where the machine failed the compiler: what is tried again, and when.
    std::optional<BuildAttempt> next;
    TimePoint next_at;
    uint32_t tries = 0;  // that failed so
    Backoff backoff;
  };

  // TimeHasCome() is to be called at what `wake_by` says.
  PendingBuilds(DeviceBuilds& builds, Clock& clock, std::function<void(TimePoint)> wake_by)
      : builds_(builds), clock_(clock), wake_by_(std::move(wake_by)) {}

  // True: it is the key's first waiter, and the binary may be on disk; RecordAbsent() or Take()
  // follow.
  bool Add(const BuildRequest& request, const BuildWaiter& waiter);
  void RecordAbsent(const BuildRequest& request);  // neither on disk nor in memory
  void TakeQuick(const Digest& key, const BuiltPipeline& quick);
  // The entry leaves; its waiters are the caller's.
  PendingBuild Take(const Digest& key);

  // The machine failed the compiler: it is tried again later. False: it was tried often enough.
  bool TryAgain(const BuildAttempt& attempt, const Status& why);
  void TimeHasCome();

  bool IsDeferred(const Digest& key) const;
  void Begin(const Digest& key);    // the compiler, where it is deferred
  void Abandon(const Digest& key);  // where it is deferred: the waiters are not told
  uint32_t compilers() const;       // at work, or about to be
  bool IsEmpty() const { return pending_.empty(); }

 private:
  void BeginCompiler(PendingBuild& pending, const BuildRequest& request);
  void PostFirst(PendingBuild& pending, BuildAttempt attempt);

  DeviceBuilds& builds_;
  Clock& clock_;
  const std::function<void(TimePoint)> wake_by_;
  std::map<Digest, PendingBuild> pending_;
};

}  // namespace wb
