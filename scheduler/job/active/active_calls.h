#pragma once

// ActiveCalls: the host calls of an active job, from the instances that ask to their answers.
// Instances that ask have no seat; those that have their answers may be seated again.
//
// Threads: any. The job's sink is called with the ledger's lock held.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/job/active/job_ledger.h"

namespace wb {

class ActiveCalls {
 public:
  // Instances of a job with host calls that have had a seat and have not ended.
  static constexpr uint64_t kMostUnderWay = 16384;

  explicit ActiveCalls(JobLedger& ledger) : ledger_(ledger) {}  // which outlives it

  // `due` is called with the time at which Expire is due, with the lock held. To be set before a
  // device has the job.
  void OnExpiry(std::function<void(TimePoint)> due) { expiry_due_ = std::move(due); }

  // The instances were seated on the device. Calls that are new are left at the queue.
  void Ask(const std::string& device, std::vector<AskingInstance> asking);
  void Answer(std::vector<HostAnswer> answers);
  // Ends the calls that have waited for too long; true: there was one.
  bool Expire(TimePoint now);

  std::optional<TimePoint> NextExpiry() const;
  uint64_t Asking() const;                                   // instances
  bool HasAnswer(uint64_t instance, uint64_t number) const;  // to this call, from before

 private:
  void Settle(HostCallOutcome outcome) WB_REQUIRES(ledger_.mutex);

  JobLedger& ledger_;
  std::function<void(TimePoint)> expiry_due_;
};

}  // namespace wb
