#pragma once

// The scheduler's settings, from the daemon's configuration.

#include "daemon/config/config.h"
#include "scheduler/scheduler.h"

namespace wb {

SchedulerSettings EngineSettings(const Config& config);

}  // namespace wb
