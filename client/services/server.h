#pragma once

// What the service Admin says of the daemon itself: its state and settings, its cache of kernels,
// and a backup.

#include <functional>

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {

Result<wasmburst::v1::ServerInfo> GetServerInfo(Client& client);
Result<wasmburst::v1::ServerConfig> GetServerConfig(Client& client);
Result<wasmburst::v1::ListCacheResponse> ListCache(Client& client);
Result<wasmburst::v1::PruneCacheResponse> PruneCache(Client& client, bool all);

// The archive in its order, as fast as `take` returns; some parts are empty. Not tried again: the
// daemon begins another archive then. An error of `take` ends it and is returned.
Status ReadBackup(Client& client,
                  const std::function<Status(const wasmburst::v1::BackupChunk&)>& take);

}  // namespace wb
