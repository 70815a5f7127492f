#pragma once

// The interpreter itself in place of the fake one, for a scheduler's parts.

#include <functional>
#include <utility>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/devices/started_device.h"

namespace wb::test {

// A DeviceStarter: "interpreter0", on two threads of this process.
inline Result<StartedDevice> StartRealInterpreter(const std::function<void()>& /*on_lost*/) {
  InterpreterSettings settings;
  settings.id = "interpreter0";
  settings.threads = 2;
  settings.asserts_facts = true;
  return StartedDevice{CreateInterpreterDevice(settings)};
}

}  // namespace wb::test
