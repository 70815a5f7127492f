#include "bench/race/race_work.h"

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/starts/common_starts.h"

namespace wb::bench {
namespace {

// As a daemon does; the beginning runs in this process.
LoweredModuleRef WithCommonStart(const Work& work) {
  static const auto modules = std::make_shared<LoweredModules>();
  static CommonStarts starts(
      modules,
      [](const std::function<void()>&) -> Result<StartedDevice> {
        return StartedDevice{CreateInterpreterDevice({})};
      },
      [](const std::string& why) { std::fprintf(stderr, "%s\n", why.c_str()); });
  StartCall call;
  call.function = work.program.words[abi::STEP_FUNCTION];
  LoweredModuleRef started = starts.Get(work.module, call);
  return started != nullptr ? started : work.module;
}

}  // namespace

Work WorkOf(const RaceKernel& kernel, const std::string& folder, uint32_t lanes) {
  constexpr uint32_t kStackSlots = 2048;  // what the scheduler reserves at first for recursion
  Work work =
      PrepareWork(folder + "/" + kernel.module, kernel.function, lanes, {{ValueType::kI32, 0, 1}});
  work.module = WithCommonStart(work);
  work.shape.capacity_stack = kStackSlots;
  return work;
}

}  // namespace wb::bench
