#pragma once

// Files of the state folder that are read whole, and how a failure of one is told. Any thread.

#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

// By errno, of the call before: NO_SPACE where the disk or the quota is full, else a system's
// error. `what`: "cannot be written".
Status FileFailed(const std::string& path, const char* what);

// All of it, or its first `most` bytes.
Result<Bytes> ReadWholeFile(const std::string& path, size_t most = SIZE_MAX);

}  // namespace wb
