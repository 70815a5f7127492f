#pragma once

// A system layer without code: its functions do nothing. Links as the real one does, so that
// programs pass through the daemon's services over a fake scheduler.

#include "daemon/services/services.h"

namespace wb {

Result<std::shared_ptr<const Module>> LinkFakeSystem(const NamedModules& modules);

}  // namespace wb
