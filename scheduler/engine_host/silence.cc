#include "scheduler/engine_host/silence.h"

namespace wb {

void Silence::Tick(uint64_t heard) {
  ticks_ = heard == heard_ && heard != 0 ? ticks_ + 1 : 0;
  heard_ = heard;
}

std::chrono::milliseconds Silence::length() const {
  const std::chrono::milliseconds length = kTick * ticks_;
  return length >= kWorthSaying ? length : std::chrono::milliseconds(0);
}

}  // namespace wb
