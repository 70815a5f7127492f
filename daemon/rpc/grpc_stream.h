#pragma once

// The three kinds of streams over gRPC's reactors.

#include <grpcpp/support/server_callback.h>

#include "daemon/rpc/grpc_call.h"

namespace wb {

// Sends what a StreamSource says: one message under way at a time, so that a slow client holds
// one message and slows no other. Owns itself until gRPC is done with it.
grpc::ServerWriteReactor<grpc::ByteBuffer>* StartServerStream(const ServerStreamMethod& method,
                                                              const Endpoint& endpoint,
                                                              grpc::CallbackServerContext* context,
                                                              const grpc::ByteBuffer& request);

// Feeds a StreamTarget, then answers with one message. Owns itself as well.
grpc::ServerReadReactor<grpc::ByteBuffer>* StartClientStream(const ClientStreamMethod& method,
                                                             const Endpoint& endpoint,
                                                             grpc::CallbackServerContext* context,
                                                             grpc::ByteBuffer* response);

// Feeds a StreamSession and sends what it says, each way one message at a time. Owns itself as
// well.
grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StartSession(
    const SessionMethod& method, const Endpoint& endpoint, grpc::CallbackServerContext* context);

}  // namespace wb
