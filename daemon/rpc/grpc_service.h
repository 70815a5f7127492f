#pragma once

// A MethodTable as a gRPC service (callback API, raw messages: bytes that are no message of the
// method's type are answered INVALID_ARGUMENT MALFORMED_REQUEST).

#include <memory>

#include "daemon/rpc/rpc.h"
#include "daemon/rpc/rpc_runtime.h"

namespace grpc {
class Service;
}

namespace wb {

// Shares the table. The endpoint's runtime outlives the service.
std::unique_ptr<grpc::Service> MakeGrpcService(std::shared_ptr<const MethodTable> table,
                                               Endpoint endpoint);

}  // namespace wb
