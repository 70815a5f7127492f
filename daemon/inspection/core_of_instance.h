#pragma once

// An instance that was looked at as a core file.

#include <memory>
#include <string>

#include "compiler/base/bytes.h"
#include "daemon/services/trap_places.h"
#include "scheduler/trace/inspector.h"

namespace wb {

// `job`: its name. Functions and offsets are told as traps tell them, with the names and lines that
// `places` knows.
Bytes CoreOf(const std::string& job, const InspectedInstance& inspected, TrapPlaces* places);

}  // namespace wb
