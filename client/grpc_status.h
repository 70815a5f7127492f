#pragma once

// What gRPC says -> Status.

#include <chrono>
#include <optional>
#include <string>

#include "compiler/base/status.h"

namespace grpc {
class Status;
}

namespace wb {

// With the reason and details that wasmburstd attached, these in the order of their keys; without
// them, by the code. `address` is
// named when the daemon cannot be reached. The detail "retry_after" has the seconds of RetryAfter.
Status FromGrpc(const grpc::Status& status, const std::string& address);

// When the daemon thinks that a refusal may have passed (google.rpc.RetryInfo).
std::optional<std::chrono::nanoseconds> RetryAfter(const grpc::Status& status);

}  // namespace wb
