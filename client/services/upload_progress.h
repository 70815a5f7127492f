#pragma once

#include <cstdint>
#include <functional>

namespace wb {

// How much of what is uploaded has been sent, in bytes; called before each part and at the end, on
// the caller's thread. Not at all for what the daemon has.
using OnUpload = std::function<void(uint64_t sent, uint64_t of)>;

}  // namespace wb
