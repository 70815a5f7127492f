#pragma once

// What an error of a command buffer means to us. Pure.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"

namespace wb {

// An NSError in plain words.
struct MetalError {
  std::string domain;
  int64_t code = 0;
  std::string text;  // its localizedDescription
};

// DEVICE_LOST with what happened and what to do: a kernel that was cut off leaves lanes half done,
// so whoever was seated starts again, in a process of its own, since Metal ignores what comes from
// one that caused errors.
Status StatusOfFault(const MetalError& error);

}  // namespace wb
