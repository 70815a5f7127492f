#include "scheduler/job/lane_program.h"

#include <bit>

namespace wb {

Value Value::F32(float v) { return {ValueType::kF32, {std::bit_cast<uint32_t>(v), 0, 0, 0}}; }

Value Value::F64(double v) {
  const uint64_t bits = std::bit_cast<uint64_t>(v);
  return {ValueType::kF64, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32), 0, 0}};
}

}  // namespace wb
