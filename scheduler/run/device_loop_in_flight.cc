// DeviceLoop: launches in the air, from their begin to what they came to.

#include <algorithm>
#include <utility>

#include "scheduler/placement/decision.h"
#include "scheduler/run/device_loop.h"

namespace wb {
namespace {

// With less left of a burst a launch waits for the next.
constexpr std::chrono::milliseconds kLeastTime{10};
// Launches are stopped for newcomers so often at most. Processors lose little by a stop; GPUs, with
// their many lanes to leave and to fill again, lose some milliseconds.
constexpr std::chrono::milliseconds kHurryPeriod{20};
constexpr std::chrono::milliseconds kHurryPeriodOfGpu{100};
constexpr std::chrono::milliseconds kShortestLaunch{1};

}  // namespace

// To others: whose launches are under way.
void DeviceLoop::PublishInFlight() {
  MutexLock lock(mutex_);
  launching_.clear();
  for (const InFlightLaunch& launch : in_flight_) {
    for (const DeviceJob* aboard : Aboard(launch)) launching_.push_back(aboard->job().get());
  }
  std::sort(launching_.begin(), launching_.end(), std::less<>());
  for (Present& present : present_) {
    if (IsLaunching(present.job.get())) present.lack.reset();
  }
  if (!in_flight_.empty()) status_.state = "bursting";
}

void DeviceLoop::Cancelled(const ActiveJob* job) {
  std::shared_ptr<Device> running;
  {
    MutexLock lock(mutex_);
    woken_ = true;
    if (IsLaunching(job)) running = shared_device_;
  }
  changed_.NotifyAll();
  if (running) running->Stop();
}

bool DeviceLoop::IsLaunching(const ActiveJob* job) const {
  return std::binary_search(launching_.begin(), launching_.end(), job, std::less<>());
}

bool DeviceLoop::MayLaunch(TimePoint now) const {
  if (in_flight_.empty()) return true;
  return !in_flight_.front().IsSuspect() && in_flight_.size() < device_->info().launches_at_once &&
         TimeLeft(now) >= kLeastTime;
}

// For another launch: of the burst, where a rest follows it, and of a drain.
std::chrono::nanoseconds DeviceLoop::TimeLeft(TimePoint now) const {
  std::chrono::nanoseconds left = settings_.burst_max_duration;
  if (governor_.RestsAfterBurst(now)) left = governor_.Left() - TimeInTheAir();
  if (gate_.deadline()) left = std::min(left, *gate_.deadline() - now - TimeInTheAir());
  return left;
}

std::chrono::nanoseconds DeviceLoop::HurryPeriod(const DeviceInfo& info) {
  return info.seats_per_lane > 1 ? kHurryPeriodOfGpu : kHurryPeriod;
}

bool DeviceLoop::HurriedLately(TimePoint now) const {
  return hurried_ && now - *hurried_ < HurryPeriod(status_.info);
}

// For another launch, so that a newcomer for whom nothing is stopped, since that was done lately,
// waits no longer than until it would be done again.
std::chrono::nanoseconds DeviceLoop::TimeForNewcomers(TimePoint now) const {
  TimePoint until;
  {
    MutexLock lock(mutex_);
    if (!HurriedLately(now)) return settings_.burst_max_duration;
    until = *hurried_ + HurryPeriod(status_.info);
  }
  return std::max<std::chrono::nanoseconds>(until - now - TimeInTheAir(), kShortestLaunch);
}

std::chrono::nanoseconds DeviceLoop::TimeInTheAir() const {
  std::chrono::nanoseconds time{};
  for (const InFlightLaunch& launch : in_flight_) time += launch.limits.max_duration;
  return time;
}

// Clears the air for a job that is to be alone there. False: it is here no more, or the device is.
bool DeviceLoop::CompleteAllFor(const DeviceJob& resident) {
  while (!in_flight_.empty()) CompleteOldest();
  const auto is_it = [&](const Resident& candidate) { return candidate.get() == &resident; };
  return device_ && std::any_of(jobs_.begin(), jobs_.end(), is_it);
}

void DeviceLoop::Begin(const InFlightLaunch& launch) {
  if (launch.batch != nullptr) {
    launch.batch->in_flight = true;
  } else {
    launch.resident->own().Begin(*launch.seats);
  }
  PublishInFlight();
  const Dispatch* blamed = &launch.dispatch();
  DeviceJob& resident = *launch.resident;
  const Status begun = device_->Begin(launch.dispatch(), launch.limits);
  if (begun.ok()) {
    resident.delay().Succeeded();
    for (DeviceJob* aboard : Aboard(launch)) RecordSetup(*aboard);
    if (SomebodyWaitsFor(launch)) device_->Stop();
    return;
  }
  in_flight_.pop_back();
  LoseDevice(begun, in_flight_.empty() ? blamed : &in_flight_.front().dispatch());
  if (resident.state().IsEnded()) End(resident);
}

// Waits for the launch that runs and takes its results, while the next one runs.
void DeviceLoop::CompleteOldest() {
  const InFlightLaunch launch = in_flight_.front();
  const std::vector<DeviceJob*> aboard = Aboard(launch);
  const Result<LaunchReport> report = device_->Await();
  in_flight_.pop_front();
  PublishInFlight();
  const Status completed = report.ok() ? Complete(launch, *report) : report.status();
  if (!completed.ok()) LoseDevice(completed, &launch.dispatch());
  for (DeviceJob* resident : aboard) {
    const ActiveJobRef job = resident->job();
    job->Publish();
    if (resident->state().IsEnded() && !resident->in_flight()) {
      End(*resident);
    } else {
      PublishCompleted(job);
    }
  }
}

Status DeviceLoop::Complete(const InFlightLaunch& launch, const LaunchReport& report) {
  const Result<LaunchOutcome> burst =
      launch.batch != nullptr ? CompleteShared(launch, report) : CompleteSeats(launch, report);
  if (!burst.ok()) return burst.status();
  backoff_.Reset();
  RecordWork(report);
  RecordLaunch(*launch.resident, *burst);
  MutexLock lock(mutex_);
  ++status_.bursts;
  status_.instances += burst->instances;
  status_.fuel += burst->fuel - std::min(burst->fuel, burst->brought);
  status_.busy += burst->busy;
  return {};
}

Result<LaunchOutcome> DeviceLoop::CompleteSeats(const InFlightLaunch& launch,
                                                const LaunchReport& report) {
  DeviceJob& resident = *launch.resident;
  WB_TRY(ExportWaiting(launch));
  WB_ASSIGN(const LaunchOutcome burst,
            resident.own().Complete(*launch.seats, launch.limits, report, device_->info()));
  queue_.Charge(&resident, burst.busy);
  RecordOccupancy(resident);
  return burst;
}

// Who waits for memory there takes his state along into a dispatch of this device that has it.
Status DeviceLoop::ExportWaiting(const InFlightLaunch& launch) {
  DeviceJob& resident = *launch.resident;
  const Result<uint64_t> fuel = resident.own().ExportWaiting(
      *device_, *launch.seats, {ExpectedRate(Here(resident), {}), moving_, images_, clock_});
  if (fuel.status().reason() == Reason::kMachineFault) return {};  // they start again instead
  WB_TRY(fuel.status());
  if (*fuel > 0) RecordExported(*fuel);
  return {};
}

void DeviceLoop::RecordLaunch(const DeviceJob& resident, const LaunchOutcome& burst) {
  const JobPlan& plan = resident.job()->plan;
  rates_.Record(plan.work, RateKindOf(resident), plan.spec.instances,
                {burst.ran, burst.instances, burst.fuel, burst.busy, burst.useful});
}

// How long the job's first launch here took to begin: its pipeline, memory and seats.
void DeviceLoop::RecordSetup(DeviceJob& resident) {
  const std::optional<TimePoint> since = resident.state().TakeSetupStart();
  if (!since) return;
  rates_.RecordSetup(resident.job()->plan.work, RateKindOf(resident),
                     resident.job()->SeatedAt(id_).count, clock_.Now() - *since);
}

void DeviceLoop::PublishCompleted(const ActiveJobRef& job) {
  if (job->devices() > 1 || job->unsettled) events_.completed(job);
}

}  // namespace wb
