#pragma once

// ActiveLimits: the limits of an active job as a whole (job_meter.h), and the end of its instances
// once one of them is reached.
//
// Threads: any. The job's sink is called with the ledger's lock held.

#include <cstdint>
#include <optional>

#include "scheduler/job/active/job_ledger.h"

namespace wb {

class ActiveLimits {
 public:
  explicit ActiveLimits(JobLedger& ledger) : ledger_(ledger) {}  // which outlives it

  void StartClock(TimePoint now);
  std::optional<TimePoint> deadline() const;

  // The fuel of some instances that have a seat was `before` and is `now`.
  void RecordSeatedFuel(uint64_t before, uint64_t now);
  // Instances that had used so much are seated no more, and have no result. Where the job has ended
  // it stays used.
  void RecordLeftFuel(uint64_t fuel);
  uint64_t FuelPerLane(uint64_t lanes) const;

  bool IsOver(TimePoint now);
  // Over: ends every instance that is not seated.
  void EndOver();

 private:
  void EndWaiting(End end) WB_REQUIRES(ledger_.mutex);
  void EndUnfinished(const EndedRange& range) WB_REQUIRES(ledger_.mutex);
  void EndRange(const EndedRange& range) WB_REQUIRES(ledger_.mutex);

  JobLedger& ledger_;
};

}  // namespace wb
