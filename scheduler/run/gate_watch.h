#pragma once

// GateWatch: an operator's orders to close a device to instances or to open it, as given and as the
// device's loop has taken them. The loop looks once a round, so that a round sees one gate.
//
// Threads: any, but for the methods of the loop.

#include <optional>
#include <string>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/device_gate.h"
#include "scheduler/job/waits.h"
#include "scheduler/run/device_status.h"

namespace wb {

class GateWatch {
 public:
  // False: it was so already.
  bool Order(const GateOrder& order, TimePoint now);
  bool IsOpen() const;
  void Show(TimePoint now, DeviceStatus* status) const;
  std::optional<WaitReason> Wait(const std::string& device) const;  // while it is closed

  // Of the loop. Look: takes the order; true if that has opened or closed the device.
  bool Look();
  const DeviceGate& gate() const { return taken_; }
  // A drain was ordered since the last Look().
  bool HasNewDeadline() const;

 private:
  mutable Mutex mutex_;
  DeviceGate ordered_ WB_GUARDED_BY(mutex_);
  DeviceGate taken_;  // of the loop's thread
};

}  // namespace wb
