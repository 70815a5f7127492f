#pragma once

// JobMeter: the limits of a job as a whole: what it has used of them, and which one ended it. Pure.
//
// Fuel counts what has ended and, as of their last launches, the seated instances; an instance that
// starts again counts anew. Results are cut at their limit to the byte. Once a limit is reached it
// stays so: each instance that has not ended ends by it.
// What an earlier scheduler used of the job's limits is used here too.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "scheduler/base/clock.h"
#include "scheduler/job/job.h"
#include "scheduler/job/result_batch.h"

namespace wb {

class JobMeter {
 public:
  JobMeter(const JobLimits& limits, TimePoint submitted, const JobBefore* before = nullptr);

  void StartClock(TimePoint now);             // its first turn on a device
  std::optional<TimePoint> deadline() const;  // of max_time and max_total_time the earlier
  // Counts results. One that is over the limit of results loses what it brings and ends by it.
  void Count(ResultBatch& results);
  // The fuel of some instances that have not ended was `before` and is `now`.
  void RecordSeated(uint64_t before, uint64_t now);
  // So much of it is of instances that stop without a result, the job having ended.
  void RecordGivenUp(uint64_t fuel);
  uint64_t ended_fuel() const { return ended_fuel_; }    // of results
  uint64_t seated_fuel() const { return seated_fuel_; }  // of instances that have not ended
  // Of results, of instances that have not ended, and given up.
  uint64_t used_fuel() const { return ended_fuel_ + seated_fuel_ + given_up_fuel_; }
  // For each of so many lanes in one launch, so that together they use what is left; there are no
  // more lanes than are worth a launch with that.
  uint64_t FuelPerLane(uint64_t lanes) const;
  uint64_t MostSeated() const;

  bool IsOver(TimePoint now);
  std::optional<End> reached() const {
    return reached_;
  }  // by which the instances that are left end
  // What a meter begins with that goes on from here (JobBefore).
  JobBefore Left(TimePoint now) const;
  std::string Words() const;  // which limit, allowed and used; empty: none is reached

 private:
  void GoOnFrom(const JobBefore& before);
  void CountBytes(InstanceResult& result);
  void LookAtFuel();
  uint64_t FuelLeft() const;  // not used yet, under that limit

  const JobLimits limits_;
  TimePoint submitted_;
  std::optional<TimePoint> started_;
  std::chrono::nanoseconds clock_ran_{};  // before that
  uint64_t ended_fuel_ = 0;
  uint64_t seated_fuel_ = 0;
  uint64_t given_up_fuel_ = 0;
  uint64_t fuel_used_ = 0;  // when that limit was reached
  uint64_t result_bytes_ = 0;
  std::optional<End> reached_;
};

}  // namespace wb
