#pragma once

// Memory that several processes may map. Its maker fixes its size for good, so that no other
// process can shrink it under it.

#include <cstddef>
#include <cstdint>

#include "compiler/base/status.h"
#include "scheduler/base/unique_fd.h"

namespace wb {

enum class LaterSeals : uint8_t { kNone, kContents };

// Makes zeroed memory of this size, which never changes. Closed on exec. NO_DEVICE_FITS when the
// system has no room; MACHINE_FAULT when it has no descriptor. kContents: SealContents follows.
Result<UniqueFd> MakeSharedMemory(size_t bytes, LaterSeals later = LaterSeals::kNone);

// From now on no process can map it to write there. Where the system cannot do that, nothing
// changes.
void SealContents(int fd);

// `errno` says why there is none of this size.
Status NoSharedMemory(size_t bytes);

}  // namespace wb
