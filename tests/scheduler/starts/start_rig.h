#pragma once

// Test only: common starts whose beginnings run in this process.

#include <memory>
#include <string>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/starts/common_starts.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {

inline DeviceStarter InterpreterHere() {
  return [](const std::function<void()>&) -> Result<StartedDevice> {
    InterpreterSettings settings;
    settings.threads = 1;
    settings.asserts_facts = true;
    return StartedDevice{CreateInterpreterDevice(settings)};
  };
}

// The number of an exported function.
inline uint32_t NumberOf(const LoweredModule& module, std::string_view name) {
  return module.program.module->FindExport(name, ExternKind::kFunction)->index;
}

// The work behind its common start, if it has one: its first step is the call of the first export
// that it names, its others are calls too.
inline LoweredModuleRef StartedOf(const LoweredModuleRef& module, const std::string& first,
                                  const std::string& also, std::string* log) {
  CommonStarts starts(std::make_shared<LoweredModules>(), InterpreterHere(),
                      [log](const std::string& line) { *log += line; });
  StartCall call;
  call.function = NumberOf(*module, first);
  if (!also.empty()) call.also = {NumberOf(*module, also)};
  return starts.Get(module, call);
}

}  // namespace wb::test
