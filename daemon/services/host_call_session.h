#pragma once

// The stream on which a job's caller answers calls of imports (ServeHostCalls).

#include <functional>
#include <memory>

#include "daemon/rpc/rpc.h"
#include "scheduler/job/host_calls/host_call_queue.h"

namespace wb {

// Messages: ServeHostCallsRequest in, ServeHostCallsResponse out. HOST_CALLS_SERVED.
Result<std::unique_ptr<StreamSession>> ServeCallsAt(std::shared_ptr<HostCallQueue> queue,
                                                    std::function<void()> wake);

}  // namespace wb
