#include "daemon/rpc/grpc_call.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/proto_buffer_writer.h>

#include <functional>

#include "daemon/identity/authenticator.h"
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
Whose WhoseOf(grpc::CallbackServerContext* context, const Result<Caller>& caller) {
  grpc_auth_context* shared = grpc_call_auth_context(context->c_call());
  const auto connection = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(shared));
  grpc_auth_context_release(shared);
  const uint64_t tenant = caller.ok() ? std::hash<std::string>()(caller->tenant) : 0;
  return {tenant, connection};
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

// A status of the usual way waits behind the message.
void CutCall(grpc_call* call, const Status& status) {
  const grpc::Status said = ToGrpc(status);
  grpc_call_cancel_with_status(call, static_cast<grpc_status_code>(said.error_code()),
                               said.error_message().c_str(), nullptr);
  grpc_call_unref(call);
}

namespace {

constexpr std::string_view kSpiffe = "spiffe://";

std::vector<std::string> Property(const grpc::AuthContext& context, const char* name) {
  std::vector<std::string> values;
  for (const grpc::string_ref& value : context.FindPropertyValues(name)) {
    values.emplace_back(value.data(), value.size());
  }
  return values;
}

// gRPC has them of certificates that it checked alone. A common name that looks like a SPIFFE URI
// is none: whoever signs names might not sign URIs.
std::vector<std::string> CertificateNames(const grpc::CallbackServerContext& context) {
  const std::shared_ptr<const grpc::AuthContext> peer = context.auth_context();
  if (peer == nullptr) return {};
  std::vector<std::string> names = Property(*peer, GRPC_PEER_SPIFFE_ID_PROPERTY_NAME);
  for (std::string& name : Property(*peer, GRPC_X509_CN_PROPERTY_NAME)) {
    if (!name.starts_with(kSpiffe)) names.push_back(std::move(name));
  }
  return names;
}

// The value of that name; "": there is none.
std::string MetadataOf(const grpc::CallbackServerContext& context, const char* name) {
  const auto& metadata = context.client_metadata();
  const auto at = metadata.find(name);
  return at == metadata.end() ? "" : std::string(at->second.data(), at->second.size());
}

Result<Caller> Admit(const Endpoint& endpoint, const std::string& path,
                     const grpc::CallbackServerContext& context) {
  Credentials credentials;
  credentials.authorization = MetadataOf(context, "authorization");
  if (!endpoint.origin.peer) credentials.certificate_names = CertificateNames(context);
  WB_ASSIGN(Caller caller,
            endpoint.runtime->authenticator().Identify(endpoint.origin, credentials));
  WB_TRY(CheckAccess(caller, path));
  return caller;
}

}  // namespace

CallRecord::CallRecord(const Endpoint& endpoint, const std::string& path,
                       const grpc::CallbackServerContext& context)
    : runtime_(endpoint.runtime),
      start_(std::chrono::steady_clock::now()),
      caller_(Admit(endpoint, path, context)) {
  line_.path = path;
  line_.peer = context.peer();
  line_.trace = TraceOfCall(MetadataOf(context, "traceparent"));
  if (caller_.ok()) line_.caller = caller_->name;
  runtime_->NoteStart(path);
}

grpc::Status CallRecord::End(const Status& status) {
  line_.status = status;
  line_.duration = std::chrono::steady_clock::now() - start_;
  runtime_->Log(line_);
  return ToGrpc(status);
}

}  // namespace wb
