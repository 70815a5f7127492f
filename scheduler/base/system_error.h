#pragma once

// Errors of the operating system as Status.

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

// The error number of a call that lacked what the machine may have again soon: descriptors,
// processes, the kernel's memory, space on a disk.
bool IsPassing(int error);

// "`what`: Too many open files." MACHINE_FAULT where the error passes, else IO_ERROR.
Status SystemError(const std::string& what, int error, std::vector<Detail> details = {});

// Whether one more file can be opened now; `errno` says why not.
bool HasDescriptors();

}  // namespace wb
