#include "tests/compiler/emit/engines_under_test.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {

uint64_t WantedNumber(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::shared_ptr<const LoweredModule> LoweredOf(const std::string& wat) {
  auto wasm = Assemble(wat);
  if (!wasm.ok()) ADD_FAILURE() << wasm.status().ToString();
  auto lowered = Lower(*Module::Decode(*wasm));
  if (!lowered.ok()) ADD_FAILURE() << lowered.status().ToString();
  return *lowered;
}

LanesUnderTest OnInterpreter(const std::shared_ptr<const LoweredModule>& module) {
  InterpreterSettings settings;
  settings.memory_bytes = uint64_t{1} << 30;
  settings.asserts_facts = true;
  auto lanes = LanesUnderTest::Build(CreateInterpreterDevice(settings), module);
  if (!lanes.ok()) ADD_FAILURE() << lanes.status().ToString();
  return std::move(*lanes);
}

LanesUnderTest OnCpu(const std::shared_ptr<const LoweredModule>& module, MemoryLayout layout,
                     const BuildChoice& choice) {
  CpuSettings settings;
  settings.layout = layout;
  settings.memory_bytes = uint64_t{1} << 30;
  settings.compile.max_time = std::chrono::minutes(20);  // on a busy machine
  auto device = CreateCpuDevice(settings);
  if (!device.ok()) ADD_FAILURE() << device.status().ToString();
  auto lanes = LanesUnderTest::Build(std::move(*device), module, choice);
  if (!lanes.ok()) ADD_FAILURE() << lanes.status().ToString();
  return std::move(*lanes);
}

LanesUnderTest OnCpuWith(const TextChange& change,
                         const std::shared_ptr<const LoweredModule>& module, MemoryLayout layout) {
  return OnCpu(module, layout, {.change = change, .effort = Effort::kQuick});
}

std::string DifferenceOnEngines(const std::shared_ptr<const LoweredModule>& module,
                                const std::function<std::string(LanesUnderTest&)>& compare) {
  LanesUnderTest interpreter = OnInterpreter(module);
  if (const std::string said = compare(interpreter); !said.empty()) return "interpreter: " + said;
  const std::pair<const char*, MemoryLayout> layouts[] = {
      {"contiguous", MemoryLayout::kContiguous},
      {"interleaved", MemoryLayout::kInterleaved},
      {"tiled", MemoryLayout::kTiled},
      {"hot", MemoryLayout::kHot}};
  for (const auto& [name, layout] : layouts) {
    LanesUnderTest cpu = OnCpu(module, layout, {.effort = EffortOf(layout)});
    if (const std::string said = compare(cpu); !said.empty()) {
      return "cpu, " + std::string(name) + ": " + said;
    }
  }
  return "";
}

}  // namespace wb::test
