#include "scheduler/job/device_gate.h"

#include <algorithm>

namespace wb {

std::string_view GateName(Gate gate) {
  switch (gate) {
    case Gate::kOpen: return "open";
    case Gate::kCordoned: return "cordoned";
    case Gate::kDraining: return "draining";
  }
  return "unknown";
}

bool DeviceGate::Apply(const GateOrder& order, TimePoint now) {
  const DeviceGate before = *this;
  if (order.gate == Gate::kOpen) {
    *this = DeviceGate();
    return !before.IsOpen();
  }
  if (IsOpen()) since_ = now - order.age;
  gate_ = std::max(gate_, order.gate);
  if (order.gate == Gate::kDraining) {
    const std::chrono::nanoseconds longest = TimePoint::max() - now;
    const TimePoint wanted = now + std::min(order.deadline, longest);
    deadline_ = deadline_ ? std::min(*deadline_, wanted) : wanted;
  }
  return gate_ != before.gate_ || deadline_ != before.deadline_;
}

}  // namespace wb
