#include "scheduler/run/device_lifecycle.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {

Status DeviceLifecycle::AwaitFirstStart() const {
  MutexLock lock(mutex_);
  while (!first_start_) changed_.Wait(mutex_);
  return *first_start_;
}

Result<std::shared_ptr<Device>> DeviceLifecycle::AwaitDevice(TimePoint until) const {
  MutexLock lock(mutex_);
  while ((!shared_device_ || lost_) && !closing_ && clock_.Now() < until) {
    clock_.WaitUntil(mutex_, changed_, until);
  }
  if (shared_device_ && !lost_ && !closing_) return shared_device_;
  return Status(Reason::kDeviceLost, "The device " + Quoted(id_) + " is not running.");
}

void DeviceLifecycle::Stop() {
  std::shared_ptr<Device> running;
  {
    MutexLock lock(mutex_);
    running = shared_device_;
  }
  if (running) running->Stop();
}

void DeviceLifecycle::Close() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.NotifyAll();
  Kill();
}

DeviceInfo DeviceLifecycle::info() const {
  MutexLock lock(mutex_);
  return info_;
}

bool DeviceLifecycle::IsHealthy() const {
  MutexLock lock(mutex_);
  return healthy_ && !lost_ && !IsSilentLocked();
}

bool DeviceLifecycle::IsSilent() const {
  MutexLock lock(mutex_);
  return IsSilentLocked();
}

bool DeviceLifecycle::IsLost() const {
  MutexLock lock(mutex_);
  return lost_;
}

// Empty: there is none.
std::string DeviceLifecycle::TroubleLocked() const {
  if (!trouble_.empty()) {
    const std::chrono::nanoseconds left = next_start_ - clock_.Now();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    return trouble_ + (ms > 0 ? " It is started again in " + Quoted(uint64_t(ms)) + " ms."
                              : " It is being started.");
  }
  if (!IsSilentLocked()) return "";
  return "its process has not answered for " + Quoted(uint64_t(silence_->ms)) +
         " ms. It is ended and started again after " + Quoted(uint64_t(silence_->longest_ms)) +
         " ms (engine.max_silence).";
}

void DeviceLifecycle::Show(DeviceStatus* status) const {
  MutexLock lock(mutex_);
  const bool silent = IsSilentLocked();
  status->info = info_;
  status->host_pid = host_pid_;
  status->healthy = healthy_ && !silent;
  status->state = silent ? "not responding" : state_;
  status->restarts = restarts_;
  status->trouble = TroubleLocked();
}

std::optional<WaitReason> DeviceLifecycle::Wait() const {
  MutexLock lock(mutex_);
  const std::string trouble = TroubleLocked();
  if (trouble.empty()) return std::nullopt;
  return WaitReason{WaitCause::kLost,
                    "the device " + Quoted(id_) + ": " + trouble,
                    std::max(next_start_ - clock_.Now(), std::chrono::nanoseconds(0)),
                    {}};
}

Status DeviceLifecycle::Start() {
  uint64_t generation = 0;
  {
    MutexLock lock(mutex_);
    generation = ++generation_;
    lost_ = false;
  }
  Result<StartedDevice> started = starter_([this, generation] { RecordLost(generation); });
  if (!started.ok()) return started.status();
  start_after_ = {};
  device_ = std::move(started->device);
  {
    MutexLock lock(mutex_);
    shared_device_ = device_;
    kill_ = std::move(started->kill);
    silence_ = std::move(started->silence);
    info_ = device_->info();
    host_pid_ = started->host_pid;
    healthy_ = true;
    state_ = "idle";
    trouble_.clear();
  }
  changed_.NotifyAll();
  return {};
}

void DeviceLifecycle::PublishFirstStart(const Status& status) {
  {
    MutexLock lock(mutex_);
    first_start_ = status;
  }
  changed_.NotifyAll();
}

void DeviceLifecycle::RecordRestart() {
  MutexLock lock(mutex_);
  ++restarts_;
}

void DeviceLifecycle::RecordLost(uint64_t generation) {
  {
    MutexLock lock(mutex_);
    if (generation_ <= generation) lost_ = true;
  }
  changed_.NotifyAll();
  inbox_.Wake();
}

void DeviceLifecycle::Kill() {
  std::function<void()> kill;
  {
    MutexLock lock(mutex_);
    kill.swap(kill_);
  }
  if (kill) kill();
}

void DeviceLifecycle::Lose() {
  {
    MutexLock lock(mutex_);
    shared_device_.reset();
    silence_.reset();
    healthy_ = false;
    state_ = "restarting";
    host_pid_ = 0;
  }
  Kill();
}

// The last reference ends the engine's listening thread, which may be about to call RecordLost: it
// must not go while the lock is held.
void DeviceLifecycle::Drop() {
  device_.reset();
  std::shared_ptr<Device> last;
  MutexLock lock(mutex_);
  last.swap(shared_device_);
}

void DeviceLifecycle::StartLater(const std::string& trouble) {
  start_after_ = clock_.Now() + backoff_.Next();
  MutexLock lock(mutex_);
  trouble_ = trouble;
  next_start_ = start_after_;
}

void DeviceLifecycle::SetState(std::string state) {
  MutexLock lock(mutex_);
  state_ = std::move(state);
}

}  // namespace wb
