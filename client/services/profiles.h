#pragma once

// The service Profiles: which functions used a job's fuel.

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/profiles.pb.h"

namespace wb {

// Takes as long as the daemon's profiles.max_time allows, and waits for profiles of others before.
Result<wasmburst::v1::Profile> GetProfile(Client& client,
                                          const wasmburst::v1::GetProfileRequest& request);

}  // namespace wb
