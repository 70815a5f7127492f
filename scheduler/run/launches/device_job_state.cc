#include "scheduler/run/launches/device_job_state.h"

#include <algorithm>
#include <utility>

#include "scheduler/run/seats/seating.h"

namespace wb {
namespace {

InstanceResult FailureOf(const InstanceRef& instance) {
  InstanceResult result;
  result.instance = instance.instance;
  result.attempt = instance.attempt;
  result.end = End::kFailed;
  return result;
}

// The result of an instance under which the device died, if no attempt is left.
std::optional<InstanceResult> ResultOfLoss(InstanceRef& instance, bool blamed, bool keeps_given) {
  instance.moved.reset();
  if (!keeps_given) instance.given.reset();
  instance.brought = 0;
  if (!blamed || ++instance.seat_class.deaths < kMaxAttempts) {
    ++instance.attempt;
    return std::nullopt;
  }
  return FailureOf(instance);
}

bool IsLargest(const DispatchShape& shape) {
  return shape.ReservesAll() && shape.StackReserve() >= shape.max_stack;
}

// Whether another dispatch might take in what this one did not.
bool MayFitElsewhere(const SeatTable::Refused& refused, const DispatchShape& shape) {
  if (!refused.was_given) return true;  // what it was given is another state
  return refused.why.reason() == Reason::kInvalidArgument && !IsLargest(shape);
}

// As much as an instance of the job may have.
SeatClass LargestClass(SeatClass seat_class, const DispatchShape& shape) {
  seat_class.pages = seat_class.further_pages = shape.max_pages;
  seat_class.stack = shape.max_stack;
  return seat_class;
}

}  // namespace

DeviceJobState::DeviceJobState(ActiveJobRef its_job, PreparedPipeline its_pipeline,
                               std::string device_id, const DeviceSettings& device_settings,
                               MemoryBudget& device_memory, KeptInputs& kept_inputs)
    : job(std::move(its_job)),
      device(std::move(device_id)),
      settings(device_settings),
      memory(device_memory, job->plan.spec.tenant, job->tenant.max_device_memory_bytes),
      inputs(kept_inputs),
      prepared(std::move(its_pipeline)) {}

uint64_t DeviceJobState::Waiting(SeatClass seat_class) const {
  if (closed) return 0;
  for (const auto& [waiting_class, count] : job->Waiting(device)) {
    if (waiting_class == seat_class) return count;
  }
  return 0;
}

void DeviceJobState::StartClockIfHeldUp(TimePoint now) {
  if (clock_runs_ || closed || !job->HeldUpByReader()) return;
  clock_runs_ = true;
  job->limits.StartClock(now);
}

void DeviceJobState::StartSetup(TimePoint now) {
  if (!is_set_up_ && !setup_since_) setup_since_ = now;
}

std::optional<TimePoint> DeviceJobState::TakeSetupStart() {
  is_set_up_ = true;
  return std::exchange(setup_since_, std::nullopt);
}

MovingTerms DeviceJobState::TermsOf(const Migration& migration) const {
  return {prepared.module->layout, prepared.fast32,  migration.fuel_per_s,
          migration.rule,          migration.budget, migration.clock};
}

KeepingTerms DeviceJobState::KeepingTermsOf(StateKeeper& keeper) const {
  return {prepared.module->layout, prepared.fast32, job->plan.spec.InstancesPlanned(), keeper};
}

void DeviceJobState::StartMissedAgain(Harvest& harvest, const DispatchShape& shape) {
  if (touched != nullptr && touched->Record(shape.window, harvest.results.size(), harvest.misses)) {
    for (InstanceRef& instance : harvest.missed) {
      instance.seat_class.pages = std::max(prepared.module->program.image.min_pages, 1u);
    }
  }
  job->Unseat(device, harvest.missed);
}

// Before lengths are known the hint counts; afterwards what was seen of them, unless they are said
// to be alike.
uint32_t DeviceJobState::QuantumOfNext() const {
  const LaneHint hint = job->plan.spec.hint;
  if (hint == LaneHint::kUniform) return Quantum::kLongest;
  if (hint == LaneHint::kDivergent && !quantum.knows()) return Quantum::kOfDivergent;
  return quantum.next();
}

void DeviceJobState::Take(Harvest harvest, const DispatchShape& shape, LaunchOutcome& outcome) {
  outcome.ran = AddBounded(outcome.ran, harvest.results.fuel());
  outcome.ran = AddBounded(outcome.ran, AddBounded(harvest.left_fuel, harvest.seated.fuel));
  outcome.drained += harvest.drained;
  job->Unseat(device, harvest.need_memory);
  StartMissedAgain(harvest, shape);
  for (InstanceRef& instance : harvest.need_stack) {
    instance.brought = 0;
    instance.seat_class.stack = GrownStack(shape.capacity_stack, job->plan.spec.limits.max_stack);
  }
  job->Unseat(device, harvest.need_stack);
  job->calls.Ask(device, std::move(harvest.asking));
  const ResultBatch& results = harvest.results;
  outcome.fuel += results.fuel();
  outcome.brought = AddBounded(outcome.brought, harvest.brought);
  quantum.Record(results.size(), results.fuel(), results.fuel_squares());
  outcome.instances += results.size();
  job->Deliver(device, std::move(harvest.results));
}

Status DeviceJobState::TakeRefused(std::vector<SeatTable::Refused> refused,
                                   const DispatchShape& shape) {
  if (refused.empty()) return {};
  if (!job->plan.spec.MustKeepStates()) {
    job->Record([&](JobProgress& progress) { progress.usage.lost_states += refused.size(); });
    return {};
  }
  Status of_machine;
  std::vector<InstanceRef> again;
  std::vector<InstanceResult> failed;
  for (SeatTable::Refused& one : refused) {
    const bool is_machine = one.why.reason() == Reason::kMachineFault;
    if (is_machine) of_machine = one.why;
    if (!is_machine && !MayFitElsewhere(one, shape)) {
      failed.push_back(FailureOf(one.instance));
      job->Record([&](JobProgress& progress) {
        progress.usage.failures =
            "Instances failed because no device goes on with their states: " + one.why.message();
      });
      continue;
    }
    if (one.was_given && !is_machine) {
      one.instance.seat_class = LargestClass(one.instance.seat_class, shape);
    }
    again.push_back(std::move(one.instance));
  }
  job->Unseat(device, again);
  job->Deliver(device, ResultBatch(failed));
  job->Publish();
  return of_machine;
}

void DeviceJobState::StartAgain(std::vector<InstanceRef> instances, bool blamed,
                                std::vector<InstanceResult>& failed) {
  std::vector<InstanceRef> again;
  for (InstanceRef& instance : instances) {
    std::optional<InstanceResult> result =
        ResultOfLoss(instance, blamed, job->plan.spec.MustKeepStates());
    if (result) {
      failed.push_back(std::move(*result));
    } else {
      again.push_back(instance);
    }
  }
  job->Unseat(device, again);
}

}  // namespace wb
