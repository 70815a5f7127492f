#pragma once

// WaitBoard: what jobs at the coordinator wait for, for others to see, and the queue of each
// tenant's jobs that may not start yet.
//
// Threads: WaitsOf() from any thread; all else on the coordinator's.

#include <map>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/admission_queue.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/job/waits.h"
#include "scheduler/run/device_loop.h"

namespace wb {

class WaitBoard {
 public:
  explicit WaitBoard(Clock& clock) : clock_(clock) {}  // outlives this

  // False: it waits until Leave() of another job of its tenant names it.
  bool Enter(const ActiveJobRef& job);
  // The job has ended. The jobs that may start now.
  std::vector<ActiveJobRef> Leave(const ActiveJobRef& job);

  // The job waits for the compiler, from now on if it did not wait for it already; its progress
  // says so. With a device it is that one's compiler, and what holds the device up holds the job
  // up too.
  void WaitForCompiler(const ActiveJobRef& job);
  void WaitForCompilerOf(const ActiveJobRef& job, const DeviceLoop* device);
  // The compiler is tried again after so many faults of the machine.
  void WaitForRetry(const ActiveJobRef& job, const DeviceLoop* device, uint32_t tries,
                    const Status& why);
  void WaitForDevice(const ActiveJobRef& job, const DeviceLoop* device);
  void EndWait(const ActiveJobRef& job);  // the coordinator does not hold it any more

  std::vector<WaitReason> WaitsOf(const ActiveJobRef& job) const;

 private:
  struct Wait {
    std::string compiler;  // that it waits for; empty: none
    TimePoint since;
    const DeviceLoop* device = nullptr;
  };
  void StartWait(const ActiveJobRef& job, std::string words, const DeviceLoop* device);
  void Record(const ActiveJobRef& job, std::string compiler, const DeviceLoop* device);

  Clock& clock_;
  mutable Mutex mutex_;
  AdmissionQueue<ActiveJobRef> starts_ WB_GUARDED_BY(mutex_);  // by tenant
  std::map<ActiveJobRef, Wait> waits_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
