#pragma once

// A session as it is opened, of one as a client asked for it.

#include <memory>

#include "daemon/services/services.h"
#include "daemon/sessions/session_table.h"

namespace wb {

// INVALID_ARGUMENT, LIMIT_TOO_HIGH, MODULE_MISSING, IMPORT_NOT_PROVIDED; PERMISSION_DENIED.
Result<SessionTerms> TermsOfSession(const ServiceContext& context, const Caller& caller,
                                    const wasmburst::v1::Session& asked,
                                    std::shared_ptr<const ResidentBudget> budget);

}  // namespace wb
