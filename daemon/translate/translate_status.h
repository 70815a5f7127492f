#pragma once

// Status -> what gRPC sends. The only place that knows gRPC's status codes.

#include <chrono>
#include <optional>

#include "compiler/base/status.h"

namespace google::rpc {
class Status;
}
namespace grpc {
class Status;
}

namespace wb {

// With google.rpc.Status in the error details: ErrorInfo{reason, domain "wasmburst", the details
// as metadata}, by code BadRequest, PreconditionFailure or ResourceInfo, and RetryInfo where there
// is a RetryDelay. Texts are shortened so that all fits into a trailer of 8 KiB.
grpc::Status ToGrpc(const Status& status);
void ToProto(const Status& status, google::rpc::Status* proto);

// After which a refusal may have passed (retry.def); nullopt: it does not pass by itself.
std::optional<std::chrono::milliseconds> RetryDelay(Reason reason);

}  // namespace wb
