#include "scheduler/run/launch_cycle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"

namespace wb {
namespace {

// With less left of a burst a launch waits for the next.
constexpr std::chrono::milliseconds kLeastTime{10};
constexpr std::chrono::milliseconds kShortestLaunch{1};

// What a launch drew that took so long; the job is told of its part.
std::optional<double> Charge(std::optional<double> watts, std::chrono::nanoseconds busy,
                             ActiveJob& job) {
  if (!watts) return std::nullopt;
  const double joules = *watts * std::chrono::duration<double>(busy).count();
  job.Record([joules](JobProgress& progress) {
    progress.usage.joules = progress.usage.joules.value_or(0) + joules;
  });
  return joules;
}

// Before the launch is completed, which may drop its dispatch.
BurstLaunch BurstLaunchOf(const InFlightLaunch& launch) {
  BurstLaunch burst;
  burst.lanes = launch.table().shape().lanes;
  burst.seated = launch.table().taken_seats();
  burst.build = launch.job->state().prepared.build;
  return burst;
}

BurstLaunch::Part PartOf(const ActiveJob& job, uint64_t instances, uint64_t fuel,
                         std::chrono::nanoseconds busy) {
  const JobSpec& spec = job.plan.spec;
  return {job.id, &spec.name, &spec.tenant, instances, fuel, busy};
}

}  // namespace

bool LaunchCycle::MayLaunch(TimePoint now) const {
  if (parts_.in_flight.empty()) return true;
  return parts_.in_flight.MayAdd(parts_.lifecycle.device()->info()) && TimeLeft(now) >= kLeastTime;
}

// Of the burst, where a rest follows it, and of a drain.
std::chrono::nanoseconds LaunchCycle::TimeLeft(TimePoint now) const {
  const std::chrono::nanoseconds ahead = parts_.in_flight.Time();
  std::chrono::nanoseconds left = parts_.settings.burst_max_duration;
  if (const auto of_burst = parts_.thermal.TimeLeft(now)) left = *of_burst - ahead;
  if (const auto deadline = parts_.gate.gate().deadline()) {
    left = std::min(left, *deadline - now - ahead);
  }
  return left;
}

// A newcomer for which nothing is stopped, since that was done lately, waits no longer than until
// it would be done again.
std::chrono::nanoseconds LaunchCycle::TimeForNewcomers(TimePoint now) const {
  const std::optional<TimePoint> until = parts_.inbox.NextNewcomerStop(now);
  if (!until) return parts_.settings.burst_max_duration;
  return std::max<std::chrono::nanoseconds>(*until - now - parts_.in_flight.Time(),
                                            kShortestLaunch);
}

LaunchTimes LaunchCycle::TimesForNext(TimePoint now) const {
  return {parts_.in_flight.Time(), std::min(TimeLeft(now), TimeForNewcomers(now))};
}

void LaunchCycle::PublishInFlight() {
  parts_.inbox.PublishLaunching(parts_.in_flight.Jobs());
  parts_.board.Publish(parts_.in_flight.ForBoard());
  if (!parts_.in_flight.empty()) parts_.lifecycle.SetState("bursting");
}

// What came between the loop's last look and PublishInFlight found no launch that it could end.
bool LaunchCycle::MustStop(const InFlightLaunch& launch) {
  for (const DeviceJob* job : launch.Jobs()) {
    if (job->job()->cancelled.load()) return true;
  }
  if (parts_.gate.HasNewDeadline()) return true;
  return parts_.inbox.WantsStop(launch.limits.max_duration, parts_.clock.Now());
}

void LaunchCycle::Begin(InFlightLaunch launch) {
  const bool is_first = parts_.in_flight.empty();
  launch.begun = parts_.clock.Now();
  parts_.in_flight.Add(launch);
  if (launch.batch != nullptr) {
    launch.batch->in_flight = true;
  } else {
    launch.job->own().Begin(*launch.seats);
  }
  PublishInFlight();
  Device& device = *parts_.lifecycle.device();
  const Status begun = device.Begin(launch.dispatch(), launch.limits);
  if (begun.ok()) {
    launch.job->delay().Succeeded();
    for (DeviceJob* job : launch.Jobs()) RecordSetup(*job);
    if (MustStop(launch)) device.Stop();
    if (is_first) parts_.thermal.BeginWork(device, parts_.clock.Now());
    return;
  }
  const Dispatch* blamed = &launch.dispatch();
  parts_.in_flight.RemoveNewest();
  LoseDevice(begun, parts_.in_flight.empty() ? blamed : &parts_.in_flight.oldest().dispatch());
  if (launch.job->state().IsEnded()) End(*launch.job);
}

void LaunchCycle::CompleteOldest() {
  const InFlightLaunch launch = parts_.in_flight.oldest();
  const std::vector<DeviceJob*> jobs = launch.Jobs();
  const Result<LaunchReport> report = parts_.lifecycle.device()->Await();
  parts_.in_flight.RemoveOldest();
  PublishInFlight();
  const Status completed = report.ok() ? Complete(launch, *report) : report.status();
  if (!completed.ok()) LoseDevice(completed, &launch.dispatch());
  for (DeviceJob* job : jobs) {
    const ActiveJobRef active = job->job();
    active->Publish();
    if (job->state().IsEnded() && !job->in_flight()) {
      End(*job);
    } else {
      parts_.jobs.PublishCompleted(active);
    }
  }
}

void LaunchCycle::CompleteAll() {
  while (!parts_.in_flight.empty()) CompleteOldest();
}

Status LaunchCycle::Complete(const InFlightLaunch& launch, const LaunchReport& report) {
  BurstLaunch burst = BurstLaunchOf(launch);
  WB_ASSIGN(LaunchOutcome outcome, launch.batch != nullptr ? CompleteShared(launch, report, &burst)
                                                           : CompleteOwn(launch, report, &burst));
  outcome.lane_fuel = report.lane_fuel;
  parts_.lifecycle.ResetBackoff();
  const JobPlan& plan = launch.job->job()->plan;
  parts_.rates.Record(plan.work, RateKindOf(*launch.job), plan.spec.InstancesToRun(),
                      {outcome.ran, outcome.instances, outcome.fuel, outcome.busy, outcome.useful});
  parts_.totals.Record(outcome);
  parts_.pipelines.RecordLaunch(*launch.job, {outcome.ran, outcome.busy, outcome.lane_fuel});
  burst.busy = report.busy;
  burst.end = parts_.clock.Now();
  parts_.RecordLaunch(burst);
  return {};
}

Result<LaunchOutcome> LaunchCycle::CompleteOwn(const InFlightLaunch& launch,
                                               const LaunchReport& report, BurstLaunch* burst) {
  DeviceJob& job = *launch.job;
  const DeviceInfo& info = parts_.lifecycle.device()->info();
  WB_TRY(ExportWaiting(launch));
  WB_TRY(job.own().states().ExportResidents(*parts_.lifecycle.device(), *launch.seats));
  WB_ASSIGN(LaunchOutcome outcome, job.own().Complete(*launch.seats, launch.limits, report, info));
  outcome.joules = Charge(RecordWork(report), report.busy, *job.job());
  parts_.jobs.Charge(&job, outcome.busy);
  parts_.pipelines.RecordOccupancy(job, info);
  burst->parts = {PartOf(*job.job(), outcome.instances, outcome.ran, outcome.busy)};
  return outcome;
}

Result<LaunchOutcome> LaunchCycle::CompleteShared(const InFlightLaunch& launch,
                                                  const LaunchReport& report, BurstLaunch* burst) {
  const std::shared_ptr<Batcher> batcher = launch.job->batcher();
  const BatchOutcome batch = batcher->Complete(*launch.batch, launch.limits, report);
  if (!batch.sound) return UnsoundRecord(parts_.id);
  const std::optional<double> watts = RecordWork(report);
  LaunchOutcome outcome;
  for (const BatchOutcome::CostShare& share : batch.cost_shares) {
    parts_.jobs.Charge(share.member->owner(), share.busy);
    const auto joules = Charge(watts, share.busy, *share.member->owner()->job());
    if (joules) outcome.joules = outcome.joules.value_or(0) + *joules;
    burst->parts.push_back(
        PartOf(share.member->job(), share.instances, share.fuel_run, share.busy));
  }
  batcher->DropIfIdle(*launch.batch, parts_.clock.Now());
  outcome.busy = report.busy;
  outcome.instances = batch.instances;
  outcome.fuel = batch.fuel;
  outcome.brought = batch.brought;
  outcome.ran = batch.fuel_run;
  const double width = FullWidth(parts_.lifecycle.device()->info());
  outcome.useful = std::min(1.0, static_cast<double>(batch.ran) / width);
  return outcome;
}

std::optional<double> LaunchCycle::RecordWork(const LaunchReport& report) {
  const TimePoint now = parts_.clock.Now();
  parts_.thermal.RecordWork(report.busy, now);
  return parts_.thermal.WattsOfWork(*parts_.lifecycle.device(), now);
}

// Instances that wait for memory take their state along into a dispatch of this device that has it.
Status LaunchCycle::ExportWaiting(const InFlightLaunch& launch) {
  const double rate = ExpectedRate(HereFor(*launch.job), {});
  const Result<uint64_t> fuel = launch.job->own().states().ExportWaiting(
      *parts_.lifecycle.device(), *launch.seats,
      {rate, migration_rule_, parts_.images, parts_.clock});
  if (fuel.status().reason() == Reason::kMachineFault) return {};  // they start again instead
  WB_TRY(fuel.status());
  if (*fuel > 0) parts_.totals.RecordExported(*fuel);
  return {};
}

void LaunchCycle::ExportLanes(DeviceJob& job) {
  Device* device = parts_.lifecycle.device().get();
  if (device == nullptr || !job.HasSeated()) return;
  const double rate = RateBeyond(HereFor(job));
  const Result<uint64_t> fuel =
      job.ExportLanes(*device, {rate, migration_rule_, parts_.images, parts_.clock});
  if (fuel.ok()) {
    parts_.totals.RecordExported(*fuel);
  } else if (fuel.status().reason() == Reason::kDeviceLost) {
    LoseDevice(fuel.status(), nullptr);
  }
}

bool LaunchCycle::AdoptPipeline(DeviceJob& job, const PreparedPipeline& better) {
  Device* device = parts_.lifecycle.device().get();
  if (device == nullptr || !device->info().adopts_pipelines || job.IsInBatch()) return false;
  const Status adopted = parts_.pipelines.Adopt(job, *device, better);
  if (adopted.reason() == Reason::kDeviceLost) LoseDevice(adopted, nullptr);
  return adopted.ok();
}

void LaunchCycle::End(DeviceJob& job) {
  KeepStates(job);
  parts_.jobs.End(job);
}

void LaunchCycle::KeepStates(DeviceJob& job) {
  const StateKeeperRef keeper = job.job()->keeper();
  if (keeper == nullptr || job.job()->AllFinished()) return;
  job.job()->KeepMoved();
  Device* device = parts_.lifecycle.device().get();
  if (device == nullptr || !job.HasSeated()) return;
  const Result<uint64_t> kept = job.KeepStates(*device, *keeper);
  if (kept.status().reason() == Reason::kDeviceLost) LoseDevice(kept.status(), nullptr);
}

void LaunchCycle::GiveBack(DeviceJob& job, GivenBack why, const Status& status) {
  KeepStates(job);
  if (job.job()->keeper() == nullptr) ExportLanes(job);
  parts_.jobs.GiveBack(job, why, status);
}

// How long the job's first launch here took to begin: its pipeline, memory and seats.
void LaunchCycle::RecordSetup(DeviceJob& job) {
  const std::optional<TimePoint> since = job.state().TakeSetupStart();
  if (!since) return;
  const ActiveJob& active = *job.job();
  parts_.rates.RecordSetup(active.plan.work, RateKindOf(job), active.SeatedAt(parts_.id).count,
                           parts_.clock.Now() - *since);
}

// This device as a place for the job.
Candidate LaunchCycle::HereFor(const DeviceJob& job) const {
  const DeviceInfo& info = parts_.lifecycle.device()->info();
  const JobPlan& plan = job.job()->plan;
  Candidate here;
  here.engine = info.engine;
  here.lanes = FullWidth(info);
  here.build = job.state().prepared.build;
  here.rates = parts_.rates.Find(plan.work, RateKindOf(job), plan.spec.InstancesToRun(), 1);
  return here;
}

std::string LaunchCycle::RateKindOf(const DeviceJob& job) const {
  return RateKind(KindOf(parts_.lifecycle.device()->info()), job.state().prepared.build);
}

void LaunchCycle::LoseDevice(const Status& why, const Dispatch* blamed) {
  parts_.EndBurst(BurstEnd::kLost);
  DeviceLifecycle& lifecycle = parts_.lifecycle;
  lifecycle.Lose();
  parts_.events.log(Severity::kWarning, "The device " + Quoted(parts_.id) +
                                            " was lost and is started again: " + why.message());
  // It is dead, so they end at once; in process they must be over before their memory goes.
  for (; !parts_.in_flight.empty(); parts_.in_flight.RemoveOldest()) {
    (void)lifecycle.device()->Await();
  }
  PublishInFlight();
  for (const auto& job : parts_.jobs.all()) job->LoseDevice(blamed);
  parts_.pipelines.Clear();
  parts_.inputs.Clear();
  lifecycle.Drop();
  parts_.jobs.PublishTaking(parts_.Takes());
  lifecycle.StartLater("it was lost: " + why.message());
}

}  // namespace wb
