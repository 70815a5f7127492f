#pragma once

// What an error of a command buffer means for the device. Pure.

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

// DEVICE_LOST with what happened and what to do. A kernel that was cut off leaves lanes half done,
// so the seated instances start again. They do so in a new process, since Metal ignores what comes
// from a process that caused errors.
Status StatusOfFault(const MetalError& error);

}  // namespace wb
