#pragma once

// What a scheduler is made of: the CPU device, the interpreter, the compiler and the clock
// themselves in place of fakes.

#include <functional>
#include <memory>
#include <utility>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/scheduler_parts.h"
#include "tests/scheduler/real_interpreter.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {

// A DeviceStarter: on two threads of this process.
inline Result<StartedDevice> StartRealCpu(const std::function<void()>& /*on_lost*/) {
  CpuSettings settings;
  settings.threads = 2;
  WB_ASSIGN(std::unique_ptr<Device> device, CreateCpuDevice(settings));
  return StartedDevice{std::move(device)};
}

inline SchedulerParts RealParts() {
  SchedulerParts parts;
  parts.cpu = StartRealCpu;
  parts.interpreter = StartRealInterpreter;
  parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
  parts.clock = &SystemClock();
  return parts;
}

}  // namespace wb::test
