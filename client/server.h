#pragma once

// What an operator asks of the daemon itself: its settings, and a backup of its state.

#include <functional>

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {

Result<wasmburst::v1::ServerConfig> GetServerConfig(Client& client);

// The archive in its order, as fast as `take` returns; some parts are empty. Not tried again: the
// daemon begins another archive then. An error of `take` ends it and is returned.
Status ReadBackup(Client& client,
                  const std::function<Status(const wasmburst::v1::BackupChunk&)>& take);

}  // namespace wb
