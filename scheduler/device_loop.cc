#include "scheduler/device_loop.h"

#include <algorithm>
#include <utility>

#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kLoadedPipelines = 64;
constexpr uint32_t kMaxSetupLosses = 2;
constexpr uint32_t kMaxStartFailures = 8;
constexpr size_t kMaxRememberedLosses = 1024;

}  // namespace

DeviceLoop::DeviceLoop(std::string id, DeviceStarter starter, const DeviceSettings& settings,
                       Clock& clock, DeviceEvents events)
    : id_(std::move(id)),
      starter_(std::move(starter)),
      settings_(settings),
      clock_(clock),
      events_(std::move(events)),
      pipelines_(kLoadedPipelines) {}

DeviceLoop::~DeviceLoop() { Close(); }

// The device is started by the thread that will own it: an engine host dies with that thread.
Status DeviceLoop::Open() {
  thread_ = std::thread([this] { Run(); });
  MutexLock lock(mutex_);
  while (!first_start_) changed_.Wait(mutex_);
  return *first_start_;
}

bool DeviceLoop::StartFirst() {
  {
    MutexLock lock(mutex_);
    generation_ = 1;
  }
  Result<StartedDevice> started = starter_([this] { NoteLost(1); });
  const Status status = started.status();
  if (started.ok()) Adopt(std::move(started).value());
  {
    MutexLock lock(mutex_);
    first_start_ = status;
  }
  changed_.NotifyAll();
  return status.ok();
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

void DeviceLoop::Adopt(StartedDevice started) {
  device_ = std::move(started.device);
  memory_.SetTotal(device_->info().memory_bytes);
  {
    MutexLock lock(mutex_);
    shared_device_ = device_;
    kill_ = std::move(started.kill);
    status_.info = device_->info();
    status_.host_pid = started.host_pid;
    status_.healthy = true;
    status_.state = "idle";
  }
  changed_.NotifyAll();
}

void DeviceLoop::KillDevice() {
  std::function<void()> kill;
  {
    MutexLock lock(mutex_);
    kill.swap(kill_);
  }
  if (kill) kill();
}

void DeviceLoop::Add(ActiveJobRef job) {
  {
    MutexLock lock(mutex_);
    inbox_.push_back(std::move(job));
  }
  changed_.NotifyAll();
}

void DeviceLoop::Wake() {
  {
    MutexLock lock(mutex_);
    woken_ = true;
  }
  changed_.NotifyAll();
}

void DeviceLoop::Cancelled(const ActiveJob* job) {
  std::shared_ptr<Device> running;
  {
    MutexLock lock(mutex_);
    woken_ = true;
    if (launching_ == job) running = shared_device_;
  }
  changed_.NotifyAll();
  if (running) running->Stop();
}

void DeviceLoop::NoteLost(uint64_t generation) {
  {
    MutexLock lock(mutex_);
    if (generation_ <= generation) lost_ = true;
  }
  changed_.NotifyAll();
}

Result<std::shared_ptr<Device>> DeviceLoop::AwaitDevice(TimePoint until) {
  MutexLock lock(mutex_);
  while ((!shared_device_ || lost_) && !closing_ && clock_.Now() < until) {
    clock_.WaitUntil(mutex_, changed_, until);
  }
  if (shared_device_ && !lost_ && !closing_) return shared_device_;
  return Status(Reason::kDeviceLost, "The device " + Quoted(id_) + " is not running.");
}

DeviceInfo DeviceLoop::info() const {
  MutexLock lock(mutex_);
  return status_.info;
}

DeviceStatus DeviceLoop::Snapshot() const {
  MutexLock lock(mutex_);
  return status_;
}

void DeviceLoop::SetState(std::string state) {
  MutexLock lock(mutex_);
  status_.state = std::move(state);
}

void DeviceLoop::SetLaunching(const ActiveJob* job) {
  MutexLock lock(mutex_);
  launching_ = job;
  if (job != nullptr) status_.state = "bursting";
}

void DeviceLoop::Run() {
  if (!StartFirst()) return;
  while (TakeInbox()) {
    // One look at the clock for a whole round: what is not due by it is waited for.
    const TimePoint now = clock_.Now();
    const bool up = device_ || StartDevice(now);
    const bool may_launch = up && now >= rest_until_;
    ResidentJob* const* next = rotation_.Next([&](const ResidentJob* resident) {
      return resident->CanGo(now) &&
             (may_launch || resident->IsEnded() || resident->IsExpired(now));
    });
    if (next != nullptr) {
      TurnOf(**next);
    } else {
      Rest(now);
    }
  }
  while (!residents_.empty()) Release(*residents_.back());
  pipelines_.Clear();
  device_.reset();
  // The last reference ends the engine's listening thread, which may be about to call NoteLost: it
  // must not go while the lock is held.
  std::shared_ptr<Device> last;
  MutexLock lock(mutex_);
  last.swap(shared_device_);
}

// False: the loop is closing.
bool DeviceLoop::TakeInbox() {
  std::vector<ActiveJobRef> arrived;
  bool lost = false;
  {
    MutexLock lock(mutex_);
    if (closing_) return false;
    arrived.swap(inbox_);
    lost = lost_;
    woken_ = false;
  }
  for (ActiveJobRef& job : arrived) {
    job->progress.phase = JobPhase::kRunning;
    job->progress.device = id_;
    job->progress.waiting_for = "its turn on the device " + Quoted(id_);
    job->Tell();
    residents_.push_back(std::make_unique<ResidentJob>(std::move(job), settings_, memory_));
    rotation_.Add(residents_.back().get());
  }
  if (lost && device_) {
    LoseDevice(Status(Reason::kDeviceLost, "Its process ended while nothing ran."));
  }
  return true;
}

// The next time after `now` at which something happens by itself.
TimePoint DeviceLoop::NextDeadline(TimePoint now) const {
  TimePoint next = TimePoint::max();
  if (rest_until_ > now) next = rest_until_;
  for (const Resident& resident : residents_) {
    const auto& deadline = resident->job()->deadline;
    if (deadline && *deadline > now) next = std::min(next, *deadline);
  }
  return next;
}

void DeviceLoop::Rest(TimePoint now) {
  const TimePoint until = NextDeadline(now);
  MutexLock lock(mutex_);
  if (device_) status_.state = rest_until_ > now ? "cooling" : "idle";
  if (!inbox_.empty() || woken_ || closing_ || (lost_ && device_)) return;
  if (clock_.Now() < until) clock_.WaitUntil(mutex_, changed_, until);
}

// False: not yet; rest_until_ says when to try again.
bool DeviceLoop::StartDevice(TimePoint now) {
  if (now < rest_until_) return false;
  uint64_t generation = 0;
  {
    MutexLock lock(mutex_);
    generation = ++generation_;
    lost_ = false;
  }
  Result<StartedDevice> started = starter_([this, generation] { NoteLost(generation); });
  if (!started.ok()) {
    NoteFailedStart(started.status());
    return false;
  }
  start_failures_ = 0;
  rest_until_ = {};
  Adopt(std::move(started).value());
  MutexLock lock(mutex_);
  ++status_.restarts;
  return true;
}

void DeviceLoop::NoteFailedStart(const Status& why) {
  rest_until_ = clock_.Now() + backoff_.Next();
  if (++start_failures_ % kMaxStartFailures == 1) events_.log(why.ToString());
  if (start_failures_ < kMaxStartFailures) return;
  const Status status(Reason::kDeviceLost, "The device " + Quoted(id_) + " did not start " +
                                               Quoted(uint64_t{start_failures_}) +
                                               " times in a row: " + why.message());
  while (!residents_.empty()) GiveBack(*residents_.back(), GivenBack::kNoEngine, status);
}

void DeviceLoop::LoseDevice(const Status& why) {
  {
    MutexLock lock(mutex_);
    shared_device_.reset();
    status_.healthy = false;
    status_.state = "restarting";
    status_.host_pid = 0;
  }
  KillDevice();
  events_.log("The device " + Quoted(id_) + " was lost and is started again: " + why.message());
  for (const Resident& resident : residents_) resident->LoseDevice();
  pipelines_.Clear();
  device_.reset();
  rest_until_ = clock_.Now() + backoff_.Next();
}

void DeviceLoop::Release(ResidentJob& resident) {
  rotation_.Remove(&resident);
  const auto found =
      std::find_if(residents_.begin(), residents_.end(),
                   [&](const Resident& candidate) { return candidate.get() == &resident; });
  residents_.erase(found);
}

void DeviceLoop::End(ResidentJob& resident) {
  const ActiveJobRef job = resident.job();
  Release(resident);
  job->progress.running = 0;
  events_.ended(job);
}

void DeviceLoop::GiveBack(ResidentJob& resident, GivenBack why, const Status& status) {
  const ActiveJobRef job = resident.job();
  Release(resident);
  events_.given_back(job, why, status);
}

void DeviceLoop::TurnOf(ResidentJob& resident) {
  const TimePoint now = clock_.Now();
  const ActiveJobRef job = resident.job();
  if (!job->deadline && job->plan.spec.limits.max_time) {
    job->deadline = now + *job->plan.spec.limits.max_time;
  }
  if (resident.IsEnded()) return End(resident);
  if (resident.IsExpired(now)) {
    resident.Expire();
    return resident.IsEnded() ? End(resident) : void();
  }
  if (resident.pipeline() || LoadPipeline(resident)) RunBurst(resident, now);
}

// An engine that died while it got a pipeline or memory ready, not while it ran it.
void DeviceLoop::SetupLost(ResidentJob& resident, const Status& why) {
  if (setup_losses_.size() >= kMaxRememberedLosses) setup_losses_.clear();
  const bool deadly = ++setup_losses_[resident.job()->pipeline.key] >= kMaxSetupLosses;
  LoseDevice(why);
  if (!deadly) return;
  GiveBack(resident, GivenBack::kKillsEngine,
           Status(Reason::kDeviceLost, "The engine died " + Quoted(uint64_t{kMaxSetupLosses}) +
                                           " times while it loaded this module's pipeline."));
}

bool DeviceLoop::LoadPipeline(ResidentJob& resident) {
  const PreparedPipeline& prepared = resident.job()->pipeline;
  if (const PipelineRef* loaded = pipelines_.Find(prepared.key)) {
    resident.set_pipeline(*loaded);
    return true;
  }
  Result<PipelineRef> loaded = device_->Load(prepared.module, *prepared.binary);
  if (loaded.ok()) {
    pipelines_.Put(prepared.key, *loaded, 1);
    resident.set_pipeline(std::move(loaded).value());
    return true;
  }
  if (loaded.status().reason() == Reason::kDeviceLost) {
    SetupLost(resident, loaded.status());
  } else {
    GiveBack(resident, GivenBack::kBadPipeline, loaded.status());
  }
  return false;
}

void DeviceLoop::RunBurst(ResidentJob& resident, TimePoint now) {
  bool launched = false;
  const ActiveJobRef job = resident.job();
  job->progress.waiting_for.clear();
  const auto burst = resident.Go(*device_, now, [&](bool starts) {
    launched = true;
    SetLaunching(starts ? job.get() : nullptr);
  });
  if (!burst.ok()) {
    if (burst.status().reason() == Reason::kNoDeviceFits && !launched) {
      return GiveBack(resident, GivenBack::kNoMemory, burst.status());
    }
    if (!launched) return SetupLost(resident, burst.status());
    LoseDevice(burst.status());
    return resident.IsEnded() ? End(resident) : job->Tell();
  }
  if (!burst->launched) {
    job->progress.waiting_for = "memory on the device " + Quoted(id_);
    for (const Resident& other : residents_) other->DropIdleDispatches();
    return;
  }
  backoff_.Reset();
  rest_until_ = clock_.Now() + settings_.cooldown;
  {
    MutexLock lock(mutex_);
    ++status_.bursts;
    status_.instances += burst->instances;
    status_.fuel += burst->fuel;
    status_.busy += burst->busy;
  }
  job->Tell();
  if (resident.IsEnded()) End(resident);
}

}  // namespace wb
