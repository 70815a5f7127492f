#include "scheduler/run/gate_watch.h"

#include <algorithm>

#include "scheduler/base/quoted.h"

namespace wb {

bool GateWatch::Order(const GateOrder& order, TimePoint now) {
  MutexLock lock(mutex_);
  return ordered_.Apply(order, now);
}

bool GateWatch::IsOpen() const {
  MutexLock lock(mutex_);
  return ordered_.IsOpen();
}

void GateWatch::Show(TimePoint now, DeviceStatus* status) const {
  MutexLock lock(mutex_);
  status->gate = ordered_.gate();
  if (ordered_.IsOpen()) return;
  status->gate_age = now - ordered_.since();
  if (const auto deadline = ordered_.deadline()) {
    status->drain_left = std::max(*deadline - now, std::chrono::nanoseconds(0));
  }
}

std::optional<WaitReason> GateWatch::Wait(const std::string& device) const {
  MutexLock lock(mutex_);
  if (ordered_.IsOpen()) return std::nullopt;
  return WaitReason{WaitCause::kClosed,
                    "the device " + Quoted(device) + ", which is " +
                        std::string(GateName(ordered_.gate())) + " until it is uncordoned",
                    {},
                    {}};
}

bool GateWatch::Look() {
  const bool was_open = taken_.IsOpen();
  MutexLock lock(mutex_);
  taken_ = ordered_;
  return taken_.IsOpen() != was_open;
}

bool GateWatch::HasNewDeadline() const {
  MutexLock lock(mutex_);
  return ordered_.deadline() && !taken_.deadline();
}

}  // namespace wb
