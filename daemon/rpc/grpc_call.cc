#include "daemon/rpc/grpc_call.h"

#include <grpc/grpc_security.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/proto_buffer_writer.h>

#include "daemon/translate/translate_status.h"

namespace wb {

Status ParseRequest(const grpc::ByteBuffer& bytes, Message* message) {
  grpc::ByteBuffer copy(bytes);  // shares the bytes; the reader wants one it may change
  bool parsed = false;
  {
    grpc::ProtoBufferReader reader(&copy);
    parsed = reader.status().ok() && message->ParseFromZeroCopyStream(&reader);
  }
  if (parsed) return {};
  return Status(Reason::kMalformedRequest,
                "The request's bytes are no message [" + message->GetTypeName() + "].",
                {{"field", "request"}, {"type", message->GetTypeName()}});
}

Status WriteMessage(const Message& message, grpc::ByteBuffer* bytes) {
  bool own = false;
  grpc::Status status =
      grpc::GenericSerialize<grpc::ProtoBufferWriter, Message>(message, bytes, &own);
  if (status.ok()) return {};
  return Status(Reason::kInternal, "The answer could not be written.");
}

// Calls of one connection share one object of what was authenticated; the peer's address does not
// tell clients of a Unix socket apart.
Whose ConnectionOf(grpc::CallbackServerContext* context) {
  grpc_auth_context* shared = grpc_call_auth_context(context->c_call());
  const auto whose = static_cast<Whose>(reinterpret_cast<uintptr_t>(shared));
  grpc_auth_context_release(shared);
  return whose;
}

WorkerPool* PoolFor(const RpcPools& pools, RunOn run_on, size_t size) {
  if (run_on == RunOn::kCompilePool) return pools.compile;
  if (size > kLargeRequest) return pools.large;
  return run_on == RunOn::kPool || size > kSmallRequest ? pools.prepare : nullptr;
}

bool HasLeft(const grpc::CallbackServerContext& context) {
  return context.IsCancelled() || context.deadline() < std::chrono::system_clock::now();
}

Status NoTurnLeft() {
  return Status(Reason::kQueueFull,
                "The daemon has more calls of this connection at work than it lets wait.");
}

Status ClientGone() { return Status(Reason::kCancelled, "The client went away."); }

grpc::Status CallRecord::End(const Status& status) {
  line_.status = status;
  line_.duration = std::chrono::steady_clock::now() - start_;
  runtime_->Log(line_);
  return ToGrpc(status);
}

}  // namespace wb
