// DeviceLoop: launches in the air, from their begin to what they came to.

#include <algorithm>
#include <utility>

#include "scheduler/run/device_loop.h"
#include "scheduler/placement/decision.h"

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
void DeviceLoop::TellFlights() {
  MutexLock lock(mutex_);
  launching_.clear();
  for (const Flight& flight : flights_) {
    for (const ResidentJob* aboard : Aboard(flight)) launching_.push_back(aboard->job().get());
  }
  std::sort(launching_.begin(), launching_.end(), std::less<>());
  for (Present& present : present_) {
    if (IsLaunching(present.job.get())) present.lack.reset();
  }
  if (!flights_.empty()) status_.state = "bursting";
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

bool DeviceLoop::MayTakeOff(TimePoint now) const {
  if (flights_.empty()) return true;
  return !flights_.front().IsSuspect() && flights_.size() < device_->info().launches_at_once &&
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
  for (const Flight& flight : flights_) time += flight.limits.max_duration;
  return time;
}

// Clears the air for a job that is to be alone there. False: it is here no more, or the device is.
bool DeviceLoop::LandAllFor(const ResidentJob& resident) {
  while (!flights_.empty()) LandOldest();
  const auto is_it = [&](const Resident& candidate) { return candidate.get() == &resident; };
  return device_ && std::any_of(residents_.begin(), residents_.end(), is_it);
}

void DeviceLoop::Begin(const Flight& flight) {
  if (flight.coach != nullptr) {
    flight.coach->in_flight = true;
  } else {
    flight.resident->TakeOff(*flight.seats);
  }
  TellFlights();
  const Dispatch* blamed = &flight.dispatch();
  ResidentJob& resident = *flight.resident;
  const Status begun = device_->Begin(flight.dispatch(), flight.limits);
  if (begun.ok()) {
    resident.NoteGoing();
    for (ResidentJob* aboard : Aboard(flight)) NoteSetup(*aboard);
    if (SomebodyWaitsFor(flight)) device_->Stop();
    return;
  }
  flights_.pop_back();
  LoseDevice(begun, flights_.empty() ? blamed : &flights_.front().dispatch());
  if (resident.IsEnded()) End(resident);
}

// Waits for the launch that runs and takes its results, while the next one runs.
void DeviceLoop::LandOldest() {
  const Flight flight = flights_.front();
  const std::vector<ResidentJob*> aboard = Aboard(flight);
  const Result<LaunchReport> report = device_->Await();
  flights_.pop_front();
  TellFlights();
  const Status landed = report.ok() ? Land(flight, *report) : report.status();
  if (!landed.ok()) LoseDevice(landed, &flight.dispatch());
  for (ResidentJob* resident : aboard) {
    const ActiveJobRef job = resident->job();
    job->Tell();
    if (resident->IsEnded() && !resident->in_flight()) {
      End(*resident);
    } else {
      TellLanded(job);
    }
  }
}

Status DeviceLoop::Land(const Flight& flight, const LaunchReport& report) {
  const Result<ResidentJob::Burst> burst =
      flight.coach != nullptr ? LandCoach(flight, report) : LandSeats(flight, report);
  if (!burst.ok()) return burst.status();
  backoff_.Reset();
  NoteWork(report);
  NoteLaunch(*flight.resident, *burst);
  MutexLock lock(mutex_);
  ++status_.bursts;
  status_.instances += burst->instances;
  status_.fuel += burst->fuel - std::min(burst->fuel, burst->brought);
  status_.busy += burst->busy;
  return {};
}

Result<ResidentJob::Burst> DeviceLoop::LandSeats(const Flight& flight, const LaunchReport& report) {
  ResidentJob& resident = *flight.resident;
  WB_TRY(GiveOutWaiting(flight));
  WB_ASSIGN(const ResidentJob::Burst burst,
            resident.Land(*flight.seats, flight.limits, report, device_->info()));
  queue_.Charge(&resident, burst.busy);
  NoteResidency(resident);
  return burst;
}

// Who waits for memory there takes his state along into a dispatch of this device that has it.
Status DeviceLoop::GiveOutWaiting(const Flight& flight) {
  ResidentJob& resident = *flight.resident;
  const Result<uint64_t> fuel = resident.GiveOutWaiting(
      *device_, *flight.seats, {ExpectedRate(Here(resident), {}), moving_, images_, clock_});
  if (fuel.status().reason() == Reason::kMachineFault) return {};  // they start again instead
  WB_TRY(fuel.status());
  if (*fuel > 0) NoteGivenOut(*fuel);
  return {};
}

void DeviceLoop::NoteLaunch(const ResidentJob& resident, const ResidentJob::Burst& burst) {
  const JobPlan& plan = resident.job()->plan;
  rates_.Note(plan.work, RateKindOf(resident), plan.spec.instances,
              {burst.ran, burst.instances, burst.fuel, burst.busy, burst.useful});
}

// How long the job's first launch here took to begin: its pipeline, memory and seats.
void DeviceLoop::NoteSetup(ResidentJob& resident) {
  const std::optional<TimePoint> since = resident.TakeSetupStart();
  if (!since) return;
  rates_.NoteSetup(resident.job()->plan.work, RateKindOf(resident),
                   resident.job()->SeatedAt(id_).count, clock_.Now() - *since);
}

void DeviceLoop::TellLanded(const ActiveJobRef& job) {
  if (job->devices() > 1 || job->unsettled) events_.landed(job);
}

}  // namespace wb
