#pragma once

// DeviceLifecycle: a device starts, is lost, and is started again, later and later while that
// fails. What other threads see of its health.
//
// Threads: any, but for the methods of the loop, which are of the device's own thread: an engine
// host ends with the thread that started it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/base/backoff.h"
#include "scheduler/base/clock.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/started_device.h"
#include "scheduler/job/waits.h"
#include "scheduler/run/device_status.h"
#include "scheduler/run/loop_inbox.h"

namespace wb {

class DeviceLifecycle {
 public:
  // `inbox` is woken when the device is lost; it outlives this.
  DeviceLifecycle(std::string id, DeviceStarter starter, Clock& clock, LoopInbox& inbox)
      : id_(std::move(id)), starter_(std::move(starter)), clock_(clock), inbox_(inbox) {}
  DeviceLifecycle(const DeviceLifecycle&) = delete;
  DeviceLifecycle& operator=(const DeviceLifecycle&) = delete;

  Status AwaitFirstStart() const;
  // The device if it is up by `until`; DEVICE_LOST if not.
  Result<std::shared_ptr<Device>> AwaitDevice(TimePoint until) const;
  void Stop();              // the device's launches, if it is up
  void Close();             // kills the device and ends all waits
  DeviceInfo info() const;  // of the device as it last was
  bool IsHealthy() const;
  bool IsSilent() const;  // its process does not answer
  bool IsLost() const;    // it told that it ended
  void Show(DeviceStatus* status) const;
  std::optional<WaitReason> Wait() const;  // while it is lost or silent

  // Of the loop. The device that is up; null: none.
  const std::shared_ptr<Device>& device() const { return device_; }
  Status Start();
  void PublishFirstStart(const Status& status);
  void RecordRestart();
  // The device is dead for others from now on. Its launches are awaited next, then comes Drop().
  void Lose();
  void Drop();
  // The next start is after a while; until then other threads see this trouble.
  void StartLater(const std::string& trouble);
  void ResetBackoff() { backoff_.Reset(); }
  TimePoint start_after() const { return start_after_; }
  void SetState(std::string state);

 private:
  void RecordLost(uint64_t generation);
  void Kill();
  std::string TroubleLocked() const WB_REQUIRES(mutex_);
  bool IsSilentLocked() const WB_REQUIRES(mutex_) { return silence_ && silence_->ms > 0; }

  const std::string id_;
  const DeviceStarter starter_;
  Clock& clock_;
  LoopInbox& inbox_;

  // Of the loop's thread.
  std::shared_ptr<Device> device_;
  Backoff backoff_;
  TimePoint start_after_{};  // the next attempt to start

  mutable Mutex mutex_;
  mutable CondVar changed_;
  std::optional<Status> first_start_ WB_GUARDED_BY(mutex_);  // how it went, once it did
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  bool lost_ WB_GUARDED_BY(mutex_) = false;
  uint64_t generation_ WB_GUARDED_BY(mutex_) = 0;  // of devices
  std::shared_ptr<Device> shared_device_ WB_GUARDED_BY(mutex_);
  std::function<void()> kill_ WB_GUARDED_BY(mutex_);
  std::shared_ptr<const ShownSilence> silence_ WB_GUARDED_BY(mutex_);  // of its process
  DeviceInfo info_ WB_GUARDED_BY(mutex_);
  int64_t host_pid_ WB_GUARDED_BY(mutex_) = 0;
  bool healthy_ WB_GUARDED_BY(mutex_) = true;
  std::string state_ WB_GUARDED_BY(mutex_);
  uint64_t restarts_ WB_GUARDED_BY(mutex_) = 0;
  std::string trouble_ WB_GUARDED_BY(mutex_);  // while the device is lost
  TimePoint next_start_ WB_GUARDED_BY(mutex_){};
};

}  // namespace wb
