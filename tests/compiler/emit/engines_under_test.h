#pragma once

// Test only: a module in the text format on the interpreter and on the CPU device, and numbers that
// a person gives a test.

#include <cstdint>
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
                     const TextChange& change = {});

}  // namespace wb::test
