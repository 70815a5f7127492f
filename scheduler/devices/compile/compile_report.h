#pragma once

// What the end of a compiler's process means for the build that waits for it. Pure.

#include <cstddef>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/devices/compile/compile_process.h"

namespace wb {

// Ok; COMPILE_TIMEOUT; COMPILE_FAILED with the compiler's first lines; MACHINE_FAULT where the
// compiler was ended from outside or lacked space, descriptors or processes. `compiler` is its name
// in the message, `text_bytes` the length of the text that it was given.
Status StatusOf(const ChildReport& report, const std::string& compiler, size_t text_bytes,
                const ChildLimits& limits);

// The compiler, or a program that it had started and that its message names, was ended by a signal
// that programs do not raise by themselves: by a user, or by the system for want of memory.
bool WasEndedFromOutside(const ChildReport& report);

std::string FirstLines(const std::string& text, int lines);
std::string HowItEnded(const ChildReport& report);  // "ended with code [1]"

}  // namespace wb
