#include "scheduler/trace/stoppable_device.h"

#include <utility>

namespace wb {

Status StoppableDevice::Start() {
  if (!device_) {
    WB_ASSIGN(StartedDevice started, start_([] {}));
    device_ = started.device;
    MutexLock lock(mutex_);
    stoppable_ = std::move(started);
  }
  MutexLock lock(mutex_);
  if (!stopped_) return {};
  return Status(Reason::kCancelled, "The daemon was ending.");
}

// Not under the lock: a device may take long to end.
void StoppableDevice::End() {
  device_.reset();
  StartedDevice ended;
  MutexLock lock(mutex_);
  std::swap(ended, stoppable_);
}

void StoppableDevice::Stop() {
  StartedDevice running;
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    running = stoppable_;
  }
  if (running.kill) return running.kill();
  if (running.device) running.device->Stop();
}

}  // namespace wb
