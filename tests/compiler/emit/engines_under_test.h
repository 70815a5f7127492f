#pragma once

// Test only: a module in the text format on the interpreter and on the CPU device, and numbers that
// a person gives a test.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "scheduler/devices/cpu/cpu_device.h"
#include "tests/compiler/emit/lanes_under_test.h"

namespace wb::test {

// Of the environment, or else this.
uint64_t WantedNumber(const char* name, uint64_t otherwise);

std::shared_ptr<const LoweredModule> LoweredOf(const std::string& wat);

// It asserts what is known of accesses.
LanesUnderTest OnInterpreter(const std::shared_ptr<const LoweredModule>& module);
LanesUnderTest OnCpu(const std::shared_ptr<const LoweredModule>& module, MemoryLayout layout,
                     const BuildChoice& choice = {});
// With a text that is changed. What a change does shows without an optimizer.
LanesUnderTest OnCpuWith(const TextChange& change,
                         const std::shared_ptr<const LoweredModule>& module, MemoryLayout layout);

// Runs `compare` on the interpreter and on the CPU device with each layout of memory: what it says
// of the first lanes that differ, and where. Empty: none do.
std::string DifferenceOnEngines(const std::shared_ptr<const LoweredModule>& module,
                                const std::function<std::string(LanesUnderTest&)>& compare);

}  // namespace wb::test
