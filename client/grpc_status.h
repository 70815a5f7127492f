#pragma once

// What gRPC says -> Status.

#include <string>

#include "compiler/base/status.h"

namespace grpc {
class Status;
}

namespace wb {

// With the reason and details that wasmburstd attached; without them, by the code. `address` is
// named when the daemon cannot be reached.
Status FromGrpc(const grpc::Status& status, const std::string& address);

}  // namespace wb
