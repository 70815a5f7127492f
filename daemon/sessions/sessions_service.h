#pragma once

// The service Sessions of wasmburst.v1.

#include <memory>

#include "daemon/services/services.h"
#include "daemon/sessions/session_table.h"

namespace wb {

struct SessionsParts {
  ServiceContextRef context;
  std::shared_ptr<SessionTable> table;
  std::shared_ptr<const ResidentBudget> budget;  // of all sessions
  SessionModules modules;  // none: no memory is read or written before a first call
};

MethodTable SessionsService(SessionsParts parts);

}  // namespace wb
