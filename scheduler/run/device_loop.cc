#include "scheduler/run/device_loop.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kLoadedPipelines = 64;

// A quarter of the processors, this thread included: the rest is for devices and readers.
uint32_t HelperThreadsBeside() {
  return std::clamp(std::thread::hardware_concurrency() / 4, 1u, 8u) - 1;
}

}  // namespace

DeviceLoop::DeviceLoop(std::string id, DeviceStarter starter, const DeviceSettings& settings,
                       Clock& clock, const Common& common, DeviceEvents events)
    : id_(std::move(id)),
      starter_(std::move(starter)),
      settings_(settings),
      clock_(clock),
      rates_(common.rates),
      images_(common.images),
      events_(std::move(events)),
      helpers_(HelperThreadsBeside()),
      pipelines_(kLoadedPipelines),
      controllers_(kLoadedPipelines),
      tuners_(kLoadedPipelines),
      batchers_(kLoadedPipelines),
      governor_(settings.Thermal()) {
  MutexLock lock(mutex_);
  status_.policy = settings.policy;
}

DeviceLoop::~DeviceLoop() { Close(); }

// The device is started by the thread that will own it: an engine host dies with that thread.
void DeviceLoop::BeginOpen() {
  thread_ = std::thread([this] { Run(); });
}

Status DeviceLoop::AwaitOpen() {
  MutexLock lock(mutex_);
  while (!first_start_) changed_.Wait(mutex_);
  return *first_start_;
}

void DeviceLoop::Close() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.NotifyAll();
  KillDevice();
  if (thread_.joinable()) thread_.join();
}

// What runs is ended for it; it goes on behind the newcomer's turn. Where that was done lately, the
// launch that runs is a short one (TimeForNewcomers).
void DeviceLoop::Add(ActiveJobRef job, PreparedPipeline pipeline) {
  std::shared_ptr<Device> running;
  {
    MutexLock lock(mutex_);
    inbox_.push_back({std::move(job), std::move(pipeline)});
    const TimePoint now = clock_.Now();
    if (!launching_.empty() && !HurriedLately(now)) {
      hurried_ = now;
      running = shared_device_;
    }
  }
  changed_.NotifyAll();
  if (running) running->Stop();
}

void DeviceLoop::Wake() {
  {
    MutexLock lock(mutex_);
    woken_ = true;
  }
  changed_.NotifyAll();
}

void DeviceLoop::Notify(Command command) {
  std::shared_ptr<Device> running;
  {
    MutexLock lock(mutex_);
    if (command.completes && IsLaunching(command.job.get())) running = shared_device_;
    commands_.push_back(std::move(command));
  }
  changed_.NotifyAll();
  if (running) running->Stop();
}

void DeviceLoop::Evict(ActiveJobRef job) {
  const auto apply = [this](DeviceJob& resident) { GiveBack(resident, GivenBack::kEvicted, {}); };
  Notify({std::move(job), apply, true});
}

void DeviceLoop::SwapPipeline(ActiveJobRef job, PreparedPipeline pipeline) {
  const auto apply = [this, pipeline = std::move(pipeline)](DeviceJob& resident) {
    if (resident.state().prepared.key != pipeline.key) return;
    ExportLanes(resident);
    resident.SwapPipeline(pipeline);
  };
  Notify({std::move(job), apply, true});
}

void DeviceLoop::Explain(ActiveJobRef job, std::string placement_reason) {
  const auto apply = [reason = std::move(placement_reason)](const DeviceJob& resident) {
    resident.job()->Publish([&](JobProgress& progress) { progress.placement_reason = reason; });
  };
  Notify({std::move(job), apply, false});
}

void DeviceLoop::Apply(const Command& command) {
  const auto is_meant = [&command](const Resident& resident) {
    return resident->job() == command.job && !resident->state().IsEnded();
  };
  for (;;) {  // landing may end the job
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), is_meant);
    if (found == jobs_.end()) return;
    if (!command.completes || !(*found)->in_flight()) return command.apply(**found);
    CompleteOldest();
  }
}

DeviceInfo DeviceLoop::info() const {
  MutexLock lock(mutex_);
  return status_.info;
}

void DeviceLoop::SetState(std::string state) {
  MutexLock lock(mutex_);
  status_.state = std::move(state);
}

// What came between the loop's last look and PublishInFlight found no launch that it could end.
bool DeviceLoop::SomebodyWaitsFor(const InFlightLaunch& launch) {
  for (const DeviceJob* aboard : Aboard(launch)) {
    if (aboard->job()->cancelled.load()) return true;
  }
  const TimePoint now = clock_.Now();
  MutexLock lock(mutex_);
  if (ordered_gate_.deadline() && !gate_.deadline()) return true;
  for (const Command& command : commands_) {
    if (command.completes && IsLaunching(command.job.get())) return true;
  }
  if (inbox_.empty()) return false;
  // A launch that was planned before the last stop may be a long one.
  const bool is_short = launch.limits.max_duration <= HurryPeriod(status_.info);
  if (is_short && HurriedLately(now)) return false;
  hurried_ = now;
  return true;
}

void DeviceLoop::Run() {
  if (!StartFirst()) return;
  while (TakeInbox()) {
    // One look at the clock for a whole round: what is not due by it is waited for.
    const TimePoint now = clock_.Now();
    ApplyGate(now);
    const bool up = device_ || StartDevice(now);
    const bool may_launch = up && MayWork(now) && MayLaunch(now);
    if (DeviceJob* next = NextTurn(now, may_launch)) {
      TurnOf(*next);
    } else if (!in_flight_.empty()) {
      CompleteOldest();
    } else {
      AwaitMore(now);
    }
  }
  while (!in_flight_.empty()) CompleteOldest();
  while (!jobs_.empty()) Release(*jobs_.back());
  pipelines_.Clear();
  device_.reset();
  // The last reference ends the engine's listening thread, which may be about to call RecordLost:
  // it must not go while the lock is held.
  std::shared_ptr<Device> last;
  MutexLock lock(mutex_);
  last.swap(shared_device_);
}

// False: the loop is closing.
bool DeviceLoop::TakeInbox() {
  std::vector<Arrival> arrived;
  std::vector<Command> commands;
  bool lost = false;
  bool was_silent = false;
  {
    MutexLock lock(mutex_);
    if (closing_) return false;
    was_silent = IsSilent();
    arrived.swap(inbox_);
    commands.swap(commands_);
    lost = lost_;
    woken_ = false;
    for (const Arrival& arrival : arrived) present_.push_back({arrival.job, {}});
  }
  TakeGate();
  for (Arrival& arrival : arrived) {
    arrival.job->Publish([this](JobProgress& progress) {
      progress.phase = JobPhase::kRunning;
      if (progress.running == 0) progress.waiting_for = "its turn on the device " + Quoted(id_);
    });
    jobs_.push_back(std::make_unique<DeviceJob>(std::move(arrival.job), std::move(arrival.pipeline),
                                                id_, settings_, memory_, helpers_));
    jobs_.back()->state().closed = !gate_.IsOpen();
    jobs_.back()->job()->SetTaking(id_, Takes());
    if (!Takes()) PublishCompleted(jobs_.back()->job());
    const JobSpec& spec = jobs_.back()->job()->plan.spec;
    const TenantSettings& its = jobs_.back()->job()->tenant;
    queue_.Add(jobs_.back().get(), {spec.tenant, its.weight, spec.priority}, clock_.Now());
  }
  for (const Command& command : commands) Apply(command);
  if (lost && device_ && in_flight_.empty()) {
    LoseDevice(Status(Reason::kDeviceLost, was_silent ? "Its process did not answer and was ended."
                                                      : "Its process ended while nothing ran."),
               nullptr);
  }
  return true;
}

// The next time after `now` at which something happens by itself.
TimePoint DeviceLoop::NextDeadline(TimePoint now) const {
  TimePoint next = TimePoint::max();
  if (start_after_ > now) next = start_after_;
  if (!jobs_.empty()) next = std::min(next, gate_.deadline().value_or(next));
  if (!rest_.IsOver() && rest_.look > now) next = std::min(next, rest_.look);
  for (const Resident& resident : jobs_) {
    const auto deadline = resident->job()->deadline();
    if (deadline && *deadline > now) next = std::min(next, *deadline);
    if (resident->delay().until() > now) next = std::min(next, resident->delay().until());
  }
  return next;
}

void DeviceLoop::AwaitMore(TimePoint now) {
  TimePoint until = NextDeadline(now);
  MutexLock lock(mutex_);
  until = std::min(until, NextSample(now));
  if (device_) status_.state = rest_.IsOver() ? "idle" : "cooling";
  if (!inbox_.empty() || !commands_.empty() || woken_ || closing_ || (lost_ && device_)) return;
  if (clock_.Now() < until) clock_.WaitUntil(mutex_, changed_, until);
}

}  // namespace wb
