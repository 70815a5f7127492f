#include "daemon/rpc/peer_server.h"

#include <fcntl.h>
#include <grpcpp/channel.h>
#include <grpcpp/create_channel_posix.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/channel_arguments.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "daemon/config/config.h"
#include "daemon/rpc/grpc_service.h"
#include "daemon/rpc/reflection.h"
#include "grpc/health/v1/health.pb.h"

namespace wb {
namespace {

using grpc::experimental::ExternalConnectionAcceptor;

int Milliseconds(int64_t nanoseconds) {
  return static_cast<int>(std::min<int64_t>(nanoseconds / 1'000'000, INT32_MAX));
}

void SetArguments(const Config& config, grpc::ServerBuilder* builder) {
  int streams = static_cast<int>(config.max_concurrent_streams);
  builder->SetMaxReceiveMessageSize(static_cast<int>(config.max_message_bytes));
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, streams);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(config.keepalive_time));
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                              Milliseconds(config.keepalive_timeout));
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                              Milliseconds(config.keepalive_min_interval));
  // gRPC unpacks a compressed message before it looks at its size: four megabytes can be four
  // gigabytes.
  builder->SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder->SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
}

// The library answers the health service without knowing its messages; reflection needs them.
void LinkHealthMessages() { grpc::health::v1::HealthCheckRequest::descriptor(); }

// v1 beside the library's own v1alpha, for the services named so far.
std::unique_ptr<grpc::Service> ReflectionOver(std::vector<std::string> names) {
  for (const char* own : {"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
                          "grpc.reflection.v1alpha.ServerReflection"}) {
    names.push_back(own);
  }
  return MakeReflectionService(std::move(names));
}

}  // namespace

struct PeerServer::Impl {
  std::vector<std::unique_ptr<grpc::Service>> services;
  std::vector<std::string> service_names;
  std::unique_ptr<ExternalConnectionAcceptor> acceptor;
  std::unique_ptr<grpc::Server> server;

  void AddServices(const Config& config, const ServedParts& parts, const Origin& origin,
                   grpc::ServerBuilder* builder) {
    for (const std::shared_ptr<const MethodTable>& table : parts.tables) {
      service_names.push_back(table->service());
      services.push_back(MakeGrpcService(table, {parts.runtime, origin}));
    }
    if (config.reflection) services.push_back(ReflectionOver(service_names));
    for (const auto& service : services) builder->RegisterService(service.get());
  }
};

PeerServer::PeerServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

PeerServer::~PeerServer() { Shutdown(std::chrono::system_clock::now()); }

Result<std::unique_ptr<PeerServer>> PeerServer::Start(
    const Config& config, const ServedParts& parts, Origin origin,
    const std::shared_ptr<grpc::ServerCredentials>& credentials) {
  LinkHealthMessages();
  grpc::EnableDefaultHealthCheckService(true);
  if (config.reflection) grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto impl = std::make_unique<Impl>();
  grpc::ServerBuilder builder;
  SetArguments(config, &builder);
  builder.SetResourceQuota(*parts.memory);
  impl->AddServices(config, parts, origin, &builder);
  using Type = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  impl->acceptor = builder.experimental().AddExternalConnectionAcceptor(Type::FROM_FD, credentials);
  impl->server = builder.BuildAndStart();
  if (impl->server == nullptr) {
    return Status(Reason::kInternal, "The gRPC server could not be started.");
  }
  return std::unique_ptr<PeerServer>(new PeerServer(std::move(impl)));
}

void PeerServer::Take(int listening, int fd) {
  ExternalConnectionAcceptor::NewConnectionParameters connection;
  connection.listener_fd = listening;
  connection.fd = fd;
  impl_->acceptor->HandleNewConnection(&connection);
}

std::shared_ptr<grpc::Channel> PeerServer::Connect() {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return nullptr;
  for (const int end : ends) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
    fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
  }
  Take(-1, ends[0]);
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  // A stream is one message ahead of its reader, so that what a slow one reads is not old.
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 1024);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  return grpc::CreateCustomInsecureChannelFromFd("inside", ends[1], arguments);
}

void PeerServer::SetHealth(bool serving) {
  grpc::HealthCheckServiceInterface* health = impl_->server->GetHealthCheckService();
  health->SetServingStatus(serving);
  for (const std::string& name : impl_->service_names) health->SetServingStatus(name, serving);
}

void PeerServer::Shutdown(std::chrono::system_clock::time_point deadline) {
  impl_->server->Shutdown(deadline);
}

}  // namespace wb
