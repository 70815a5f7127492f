#include "scheduler/bursts/burst_record.h"

namespace wb {

std::string_view BurstEndName(BurstEnd end) {
  switch (end) {
    case BurstEnd::kFull: return "full";
    case BurstEnd::kHot: return "hot";
    case BurstEnd::kIdle: return "idle";
    case BurstEnd::kLost: return "lost";
    case BurstEnd::kClosed: return "closed";
    case BurstEnd::kStopped: return "stopped";
  }
  return "idle";
}

std::string_view RestCauseName(RestCause cause) {
  switch (cause) {
    case RestCause::kNone: return "idle";
    case RestCause::kCooldown: return "cooldown";
    case RestCause::kHot: return "hot";
    case RestCause::kPower: return "power";
    case RestCause::kThrottled: return "throttled";
    case RestCause::kQuiet: return "quiet";
  }
  return "idle";
}

}  // namespace wb
