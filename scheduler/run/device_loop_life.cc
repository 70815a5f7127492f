// DeviceLoop: its device starts, is lost, starts again.

#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/device_loop.h"

namespace wb {
namespace {

constexpr uint32_t kMaxStartFailures = 8;

}  // namespace

bool DeviceLoop::StartFirst() {
  {
    MutexLock lock(mutex_);
    generation_ = 1;
  }
  Result<StartedDevice> started = starter_([this] { RecordLost(1); });
  const Status status = started.status();
  if (started.ok()) Adopt(std::move(started).value());
  {
    MutexLock lock(mutex_);
    first_start_ = status;
  }
  changed_.NotifyAll();
  return status.ok();
}

void DeviceLoop::Adopt(StartedDevice started) {
  device_ = std::move(started.device);
  memory_.SetTotal(device_->info().memory_bytes);
  {
    MutexLock lock(mutex_);
    shared_device_ = device_;
    kill_ = std::move(started.kill);
    silence_ = std::move(started.silence);
    status_.info = device_->info();
    status_.host_pid = started.host_pid;
    status_.healthy = true;
    status_.state = "idle";
    trouble_.clear();
  }
  sampled_ = {};
  silent_samples_ = 0;
  TakeSample(clock_.Now(), {});
  changed_.NotifyAll();
  PublishTaking();
}

void DeviceLoop::KillDevice() {
  std::function<void()> kill;
  {
    MutexLock lock(mutex_);
    kill.swap(kill_);
  }
  if (kill) kill();
}

void DeviceLoop::RecordLost(uint64_t generation) {
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

// False: not yet; start_after_ says when to try again.
bool DeviceLoop::StartDevice(TimePoint now) {
  if (now < start_after_) return false;
  uint64_t generation = 0;
  {
    MutexLock lock(mutex_);
    generation = ++generation_;
    lost_ = false;
  }
  Result<StartedDevice> started = starter_([this, generation] { RecordLost(generation); });
  if (!started.ok()) {
    RecordFailedStart(started.status());
    return false;
  }
  start_failures_ = 0;
  start_after_ = {};
  Adopt(std::move(started).value());
  MutexLock lock(mutex_);
  ++status_.restarts;
  return true;
}

void DeviceLoop::RecordFailedStart(const Status& why) {
  start_after_ = clock_.Now() + backoff_.Next();
  {
    MutexLock lock(mutex_);
    trouble_ = "it did not start: " + why.message();
    next_start_ = start_after_;
  }
  if (++start_failures_ % kMaxStartFailures == 1) events_.log(why.ToString());
  if (start_failures_ < kMaxStartFailures) return;
  const Status status(Reason::kDeviceLost, "The device " + Quoted(id_) + " did not start " +
                                               Quoted(uint64_t{start_failures_}) +
                                               " times in a row: " + why.message());
  while (!jobs_.empty()) GiveBack(*jobs_.back(), GivenBack::kNoEngine, status);
}

void DeviceLoop::LoseDevice(const Status& why, const Dispatch* blamed) {
  {
    MutexLock lock(mutex_);
    shared_device_.reset();
    silence_.reset();
    status_.healthy = false;
    status_.state = "restarting";
    status_.host_pid = 0;
  }
  KillDevice();
  events_.log("The device " + Quoted(id_) + " was lost and is started again: " + why.message());
  // It is dead, so they end at once; in process they must be over before their memory goes.
  for (; !in_flight_.empty(); in_flight_.pop_front()) (void)device_->Await();
  PublishInFlight();
  for (const Resident& resident : jobs_) {
    resident->LoseDevice(blamed);
  }
  pipelines_.Clear();
  device_.reset();
  PublishTaking();
  start_after_ = clock_.Now() + backoff_.Next();
  MutexLock lock(mutex_);
  trouble_ = "it was lost: " + why.message();
  next_start_ = start_after_;
}

}  // namespace wb
