#pragma once

// The service Profiles of wasmburst.v1.

#include <memory>

#include "daemon/profiles/job_profiles.h"
#include "daemon/services/services.h"

namespace wb {

MethodTable ProfilesService(ServiceContextRef context, std::shared_ptr<const JobProfiles> profiles);

}  // namespace wb
