#pragma once

// LoopJobs: the jobs that a device's loop has: whose turn is next, what they are charged, and what
// the coordinator and their other devices are told of them. Only on the device's own thread.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/control/fair_queue.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/run/device_events.h"
#include "scheduler/run/device_job.h"
#include "scheduler/run/loop_inbox.h"

namespace wb {

class LoopJobs {
 public:
  // All outlive it.
  LoopJobs(const DeviceEvents& events, LoopInbox& inbox) : events_(events), inbox_(inbox) {}
  LoopJobs(const LoopJobs&) = delete;
  LoopJobs& operator=(const LoopJobs&) = delete;

  const std::vector<std::unique_ptr<DeviceJob>>& all() const { return jobs_; }
  bool empty() const { return jobs_.empty(); }
  bool Has(const DeviceJob& job) const;
  DeviceJob* Find(const ActiveJobRef& job) const;  // one that has not ended; nullptr: none

  void Add(std::unique_ptr<DeviceJob> job, TimePoint now);
  // A job that has ended, or has no time left, goes at once; otherwise by fair shares. nullptr: no
  // job can go.
  DeviceJob* NextTurn(TimePoint now, bool may_launch);
  void Charge(DeviceJob* job, std::chrono::nanoseconds busy) { queue_.Charge(job, busy); }
  // The next time after `now` at which something happens to a job by itself.
  TimePoint NextDeadline(TimePoint now) const;

  void SetClosed(bool closed);
  // To the jobs' other devices, which share what this one does not take.
  void PublishTaking(bool takes) const;
  // Seats of the job were filled or left here, where it is on other devices too or may go there.
  void PublishCompleted(const ActiveJobRef& job) const;
  // Why no job runs, to those without a launch in flight.
  void PublishWait(const std::string& words) const;

  void Drop(DeviceJob& job) { (void)Release(job); }  // without a word
  void End(DeviceJob& job);  // all results are delivered, or it was cancelled
  void GiveBack(DeviceJob& job, GivenBack why, const Status& status);

 private:
  Departure Release(DeviceJob& job);

  const DeviceEvents& events_;
  LoopInbox& inbox_;
  FairQueue<DeviceJob*> queue_;
  std::vector<std::unique_ptr<DeviceJob>> jobs_;
};

}  // namespace wb
