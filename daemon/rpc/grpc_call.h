#pragma once

// What unary calls and streams have in common, over gRPC types: parsing, serialising, the end.

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>

#include <chrono>
#include <string>

#include "daemon/process/turns.h"
#include "daemon/rpc/rpc.h"
#include "daemon/rpc/rpc_runtime.h"

namespace wb {

// MALFORMED_REQUEST if the bytes are no message of that type.
Status ParseRequest(const grpc::ByteBuffer& bytes, Message* message);
// INTERNAL if the message is too large to be written.
Status WriteMessage(const Message& message, grpc::ByteBuffer* bytes);

// The tenant of a call and the connection that it came on, as numbers. Two open connections have
// different numbers; the number of a closed one may be used again. Of a caller that was refused
// nothing waits, so its tenant does not matter.
Whose WhoseOf(grpc::CallbackServerContext* context, const Result<Caller>& caller);

// Where a request of `size` bytes is parsed and its method runs; nullptr: on the gRPC thread.
WorkerPool* PoolFor(const RpcPools& pools, RunOn run_on, size_t size);

// The client has gone, or the deadline of its call is over.
bool HasLeft(const grpc::CallbackServerContext& context);

Status NoTurnLeft();  // QUEUE_FULL
Status ClientGone();  // CANCELLED

// Ends a call at once, also while a message of it waits for its client. The client gets the code
// and the words, if anything reaches it. `call` is a reference, which this gives back; any thread.
void CutCall(grpc_call* call, const Status& status);

// One call under way: finds out who calls, measures the call and logs it once.
class CallRecord {
 public:
  CallRecord(const Endpoint& endpoint, const std::string& path,
             const grpc::CallbackServerContext& context);
  // UNAUTHENTICATED, PERMISSION_DENIED: the call ends so, before its request is looked at.
  const Result<Caller>& caller() const { return caller_; }
  const TraceContext& trace() const { return line_.trace; }
  void CountMessage() { ++line_.messages; }
  // The status that the client gets; logs the call.
  grpc::Status End(const Status& status);

 private:
  RpcRuntime* const runtime_;
  const std::chrono::steady_clock::time_point start_;
  const Result<Caller> caller_;
  AccessLine line_;
};

}  // namespace wb
