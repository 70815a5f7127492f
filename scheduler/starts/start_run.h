#pragma once

// Runs the beginning of a common start, one instance of it, and takes its picture.

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/link/module_starter.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/devices/device.h"

namespace wb {

inline constexpr uint64_t kMostStartBytes = uint64_t{1} << 20;    // of a picture's memory
inline constexpr uint64_t kMostStartMemory = uint64_t{64} << 20;  // of the instance
inline constexpr std::chrono::seconds kMostStartTime{2};

// `beginning`: BeginningOf() after the compiler; `results`: types of what it returns, the last one
// besides (Program::Start). The device is an interpreter. nullopt: the instance has not come to the
// start's point within the limits, or its memory is too large. Errors: the device's.
Result<std::optional<StartPicture>> TakeStartPicture(Device& device,
                                                     const LoweredModuleRef& beginning,
                                                     const std::vector<ValueType>& results);

// False: writing the picture's memory takes an instance about as long as its beginning would.
bool IsWorthIt(const StartPicture& picture);

}  // namespace wb
