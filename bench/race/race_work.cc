#include "bench/race/race_work.h"

namespace wb::bench {

Work WorkOf(const RaceKernel& kernel, const std::string& folder, uint32_t lanes) {
  constexpr uint32_t kStackSlots = 2048;  // what the scheduler reserves at first for recursion
  Work work =
      PrepareWork(folder + "/" + kernel.module, kernel.function, lanes, {{ValueType::kI32, 0, 1}});
  work.shape.capacity_stack = kStackSlots;
  return work;
}

}  // namespace wb::bench
