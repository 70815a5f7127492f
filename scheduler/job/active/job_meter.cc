#include "scheduler/job/active/job_meter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// A launch for less is not worth it; so much may a lane use beyond the limit.
constexpr uint64_t kLeastSlice = 4096;

uint64_t Milliseconds(std::chrono::nanoseconds time) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

JobMeter::JobMeter(const JobLimits& limits, TimePoint submitted, const JobBefore* before)
    : limits_(limits), submitted_(submitted) {
  if (before != nullptr) GoOnFrom(*before);
}

// A clock that has run out needs no turn to be over.
void JobMeter::GoOnFrom(const JobBefore& before) {
  if (limits_.max_time && before.clock_ran >= *limits_.max_time) started_ = submitted_;
  clock_ran_ = before.clock_ran;
  submitted_ -= before.age;
  if (limits_.max_results_bytes) {
    result_bytes_ = std::min(before.result_bytes, *limits_.max_results_bytes);
  }
  ended_fuel_ = before.fuel;
  LookAtFuel();
}

JobBefore JobMeter::Left(TimePoint now) const {
  JobBefore left;
  left.fuel = ended_fuel_;
  left.result_bytes = result_bytes_;
  left.clock_ran = clock_ran_;
  if (started_) left.clock_ran += now - *started_;
  left.age = now - submitted_;
  return left;
}

void JobMeter::StartClock(TimePoint now) {
  if (!started_) started_ = now;
}

std::optional<TimePoint> JobMeter::deadline() const {
  std::optional<TimePoint> deadline;
  if (started_ && limits_.max_time) deadline = *started_ + *limits_.max_time - clock_ran_;
  if (!limits_.max_total_time) return deadline;
  const TimePoint by = submitted_ + *limits_.max_total_time;
  return deadline ? std::min(*deadline, by) : by;
}

void JobMeter::Count(ResultBatch& results) {
  ended_fuel_ += results.fuel();
  LookAtFuel();
  if (!limits_.max_results_bytes) return;
  const bool fit = results.bytes() <= *limits_.max_results_bytes - result_bytes_;
  if (fit && reached_ != End::kResultsLimit) {
    result_bytes_ += results.bytes();
    return;
  }
  std::vector<InstanceResult> cut = results.All();
  for (InstanceResult& result : cut) CountBytes(result);
  results = ResultBatch(cut);
}

void JobMeter::CountBytes(InstanceResult& result) {
  const uint64_t bytes = ResultBytes(result);
  const bool fits = bytes <= *limits_.max_results_bytes - result_bytes_;
  if (bytes == 0 || (fits && reached_ != End::kResultsLimit)) {
    result_bytes_ += bytes;
    return;
  }
  if (!reached_) reached_ = End::kResultsLimit;
  result.end = End::kResultsLimit;
  result.trap = Trap::kNone;
  result.steps.clear();
  result.outputs.clear();
}

void JobMeter::RecordSeated(uint64_t before, uint64_t now) {
  seated_fuel_ = seated_fuel_ - before + now;
  LookAtFuel();
}

void JobMeter::RecordGivenUp(uint64_t fuel) {
  seated_fuel_ -= fuel;
  given_up_fuel_ += fuel;
}

void JobMeter::LookAtFuel() {
  if (reached_ || !limits_.max_total_fuel) return;
  const uint64_t ended = std::min(ended_fuel_, *limits_.max_total_fuel);
  if (seated_fuel_ < *limits_.max_total_fuel - ended) return;
  reached_ = End::kJobOutOfFuel;
  fuel_used_ = ended_fuel_ + seated_fuel_;
}

uint64_t JobMeter::FuelLeft() const {
  const uint64_t left = *limits_.max_total_fuel - std::min(ended_fuel_, *limits_.max_total_fuel);
  return left - std::min(left, seated_fuel_);
}

uint64_t JobMeter::FuelPerLane(uint64_t lanes) const {
  if (!limits_.max_total_fuel) return ~uint64_t{0};
  return std::max(FuelLeft() / std::max<uint64_t>(lanes, 1), kLeastSlice);
}

uint64_t JobMeter::MostSeated() const {
  if (!limits_.max_total_fuel) return ~uint64_t{0};
  return std::max<uint64_t>(FuelLeft() / kLeastSlice, 1);
}

bool JobMeter::IsOver(TimePoint now) {
  if (reached_) return true;
  if (limits_.max_total_time && now - submitted_ >= *limits_.max_total_time) {
    reached_ = End::kExpired;
  } else if (const auto by = deadline(); by && *by <= now) {
    reached_ = End::kDeadline;
  }
  return reached_.has_value();
}

std::string JobMeter::Words() const {
  if (!reached_) return "";
  switch (*reached_) {
    case End::kJobOutOfFuel:
      return "limits.max_total_fuel: " + Quoted(*limits_.max_total_fuel) +
             " instructions for all instances together, " + Quoted(fuel_used_) + " used.";
    case End::kResultsLimit:
      return "limits.max_results_bytes: " + Quoted(*limits_.max_results_bytes) +
             " bytes for all results together, " + Quoted(result_bytes_) +
             " used; the next result did not fit.";
    case End::kExpired:
      return "limits.max_total_time: " + Quoted(Milliseconds(*limits_.max_total_time)) +
             " ms from the job's submission are over.";
    case End::kDeadline:
      return "limits.max_time: " + Quoted(Milliseconds(*limits_.max_time)) +
             " ms from the job's first turn on a device are over.";
    default: return "";
  }
}

}  // namespace wb
