#pragma once

#include <string>

namespace wb {

// A fresh random request id: a call that is repeated with it happens once.
std::string NewRequestId();

}  // namespace wb
