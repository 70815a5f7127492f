#pragma once

// Status -> what gRPC sends. The only place that knows gRPC's status codes.

#include "compiler/base/status.h"

namespace google::rpc {
class Status;
}
namespace grpc {
class Status;
}

namespace wb {

// With google.rpc.Status in the error details: ErrorInfo{reason, domain "wasmburst", the details
// as metadata}, and by code BadRequest, PreconditionFailure, ResourceInfo or RetryInfo. Texts are
// shortened so that all fits into a trailer of 8 KiB.
grpc::Status ToGrpc(const Status& status);
void ToProto(const Status& status, google::rpc::Status* proto);

}  // namespace wb
