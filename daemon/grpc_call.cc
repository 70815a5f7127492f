#include "daemon/grpc_call.h"

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/proto_buffer_writer.h>

#include "daemon/translate_status.h"

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

grpc::Status CallRecord::End(const Status& status) {
  line_.status = status;
  line_.duration = std::chrono::steady_clock::now() - start_;
  runtime_->Log(line_);
  return ToGrpc(status);
}

}  // namespace wb
