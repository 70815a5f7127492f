#pragma once

// How a caller bounds the time of work. The result of the work does not depend on it.

#include <functional>

#include "compiler/base/status.h"

namespace wb {

// Asked now and then whether to leave off; the work then ends with COMPILE_TIMEOUT. Empty: never.
using Stop = std::function<bool()>;

// COMPILE_TIMEOUT if `stop` says so.
Status CheckStop(const Stop& stop);

}  // namespace wb
