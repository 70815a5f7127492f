#pragma once

// What sensors say of a device.

#include <cstdint>
#include <optional>

namespace wb {

// What a system says of heat that gives no degrees, or besides them.
enum class HeatLevel : uint8_t {
  kUnknown,
  kCool,  // without a thermometer there is no rest after a burst
  kWarm,
  kSlowed,  // as `throttled`
  kHot,     // no work until it is less
};

// What its sensors say of a device; what it has no sensor for is left out.
struct Telemetry {
  std::optional<float> celsius;      // the hottest of its thermometers
  std::optional<float> watts;        // drawn, over the last moments
  std::optional<float> watts_limit;  // that it is held to
  std::optional<double>
      joules;              // drawn since some moment before; falls where a counter begins anew
  bool throttled = false;  // slowed down by heat or by its supply, beyond that limit
  std::optional<uint32_t> thermal_state;  // macOS: of sensors/thermal_state.h
  std::optional<float> utilisation;       // 0 to 1, of all that use it
  std::optional<uint64_t> memory_used;
  std::optional<uint64_t> memory_total;
};

}  // namespace wb
