#pragma once

// DeviceBuilds: the threads that run compilers, for each device its own. No build of one device
// waits behind one of another, and no first build behind a full one that has a quick one already. A
// best build begins while no other build waits or is under way, whichever device's. Tenants take
// turns (build_turns.h).
//
// Threads: any.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "compiler/base/mutex.h"
#include "scheduler/pipelines/build_queue.h"
#include "scheduler/pipelines/build_request.h"

namespace wb {

class DeviceBuilds {
 public:
  using Run = std::function<void(const BuildAttempt&)>;  // on a build thread of the device
  DeviceBuilds(Clock& clock, Run run) : clock_(clock), run_(std::move(run)) {}

  // `at_once`: builds under way at a time; one more runs behind a quick one, and one best build.
  void AddDevice(const BuildTarget& device, uint32_t at_once);
  uint64_t Post(BuildAttempt attempt);  // the number is for ShareFirst()
  // Another tenant waits for that first build too.
  void ShareFirst(const BuildTarget* device, uint64_t number, const FairShare& share);
  void Close();  // waits for the builds under way, drops the others

 private:
  struct Queues {
    Queues(Clock& clock, uint32_t at_once)
        : first(clock, at_once), behind(clock, 1), best(clock, 1) {}
    BuildQueue& Of(const BuildAttempt& attempt) {
      return attempt.effort == Effort::kBest ? best : attempt.behind ? behind : first;
    }
    BuildQueue first;
    BuildQueue behind;  // full builds of what has a quick one
    BuildQueue best;    // of what has a full one
  };
  Queues& QueuesOf(const BuildTarget* device);
  void RunOne(const BuildAttempt& attempt);
  bool AwaitOthers();  // false: it is closed

  Clock& clock_;
  const Run run_;
  Mutex mutex_;
  CondVar changed_;
  uint64_t others_ WB_GUARDED_BY(mutex_) = 0;  // no best builds; they wait or are under way
  bool closed_ WB_GUARDED_BY(mutex_) = false;
  std::map<const BuildTarget*, std::unique_ptr<Queues>> queues_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
