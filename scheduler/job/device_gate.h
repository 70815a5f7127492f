#pragma once

// DeviceGate: whether a device takes instances, as an operator ordered. Pure.
//
// Cordoned: no instance is seated any more, those seated go on. Draining: the same until its
// deadline, when launches are stopped and seated instances leave, to go on elsewhere. Orders are
// idempotent: a cordon leaves a drain as it is, and of two drains the earlier deadline holds.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scheduler/base/clock.h"

namespace wb {

enum class Gate : uint8_t { kOpen, kCordoned, kDraining };
std::string_view GateName(Gate gate);  // "cordoned"

struct GateOrder {
  Gate gate = Gate::kOpen;
  std::chrono::nanoseconds deadline{};  // with kDraining: for seated instances; from now
  std::chrono::nanoseconds age{};       // given so long ago
};

class DeviceGate {
 public:
  // False: it had nothing to change.
  bool Apply(const GateOrder& order, TimePoint now);

  Gate gate() const { return gate_; }
  bool IsOpen() const { return gate_ == Gate::kOpen; }
  TimePoint since() const { return since_; }  // of the first order that closed it
  // When seated instances must leave.
  std::optional<TimePoint> deadline() const { return deadline_; }
  bool MustLeave(TimePoint now) const { return deadline_ && *deadline_ <= now; }

 private:
  Gate gate_ = Gate::kOpen;
  TimePoint since_{};
  std::optional<TimePoint> deadline_;  // with kDraining
};

}  // namespace wb
