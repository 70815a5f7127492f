#pragma once

// A call of any method with bytes that need be no message.

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>

#include <chrono>
#include <memory>
#include <string>

namespace wb {

// Sends one message of these bytes, reads all answers; `answer` gets the last. With a token where
// one is given, and a deadline that no call of a test comes near.
inline grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel, const std::string& path,
                            const std::string& bytes, const std::string& token = "",
                            grpc::ByteBuffer* answer = nullptr) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareCall(&context, path, &queue);
  void* tag = nullptr;
  bool ok = false;
  call->StartCall(nullptr);
  queue.Next(&tag, &ok);
  const grpc::Slice slice(bytes);
  call->WriteLast(grpc::ByteBuffer(&slice, 1), {}, nullptr);
  queue.Next(&tag, &ok);
  grpc::ByteBuffer one;
  while (true) {
    call->Read(&one, nullptr);
    queue.Next(&tag, &ok);
    if (!ok) break;
    if (answer != nullptr) *answer = one;
  }
  grpc::Status status;
  call->Finish(&status, nullptr);
  queue.Next(&tag, &ok);
  return status;
}

}  // namespace wb
