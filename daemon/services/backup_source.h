#pragma once

// The state of the daemon as a stream.

#include <functional>
#include <memory>

#include "daemon/services/services.h"

namespace wb {

// Messages: BackupChunk. The database is copied on a thread of its own, which ends early when the
// stream does; pieces are read as the client takes them. CONFIG_INVALID: the daemon keeps nothing.
// QUEUE_FULL: there is such a stream already. A client that takes it too slowly loses it
// (DEADLINE_EXCEEDED, StreamSource::Pace).
Result<std::unique_ptr<StreamSource>> BackUp(const ServiceContext& context,
                                             std::function<void()> wake);

}  // namespace wb
