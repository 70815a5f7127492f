#include "daemon/rpc/server.h"

#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "daemon/config/config.h"
#include "daemon/process/log.h"
#include "daemon/rpc/grpc_service.h"
#include "daemon/rpc/listener.h"
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
  grpc::ResourceQuota quota("wasmburstd");
  quota.Resize(config.grpc_memory_bytes);
  builder->SetResourceQuota(quota);
}

// Local credentials let in what the kernel says is local, and nothing else; interoperable with
// clients that use none.
std::shared_ptr<grpc::ServerCredentials> CredentialsFor(const ListenAddress& address) {
  bool is_unix = address.kind == ListenAddress::Kind::kUnix;
  return grpc::experimental::LocalServerCredentials(is_unix ? UDS : LOCAL_TCP);
}

// The library answers the health service without knowing its messages; reflection needs them.
void LinkHealthMessages() { grpc::health::v1::HealthCheckRequest::descriptor(); }

// v1 beside the library's own v1alpha, for the services named so far.
void AddReflection(std::vector<std::string> names, grpc::ServerBuilder* builder,
                   std::vector<std::unique_ptr<grpc::Service>>* services) {
  for (const char* own : {"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
                          "grpc.reflection.v1alpha.ServerReflection"}) {
    names.push_back(own);
  }
  services->push_back(MakeReflectionService(std::move(names)));
  builder->RegisterService(services->back().get());
}

// The library ends when its last object goes, and waits for its poller then, up to 10 s where a
// socket was full a moment before. It stays for the life of the process instead, which ends without
// it.
void KeepLibrary() { [[maybe_unused]] static const bool kept = (grpc_init(), true); }

}  // namespace

struct Server::Impl {
  Config config;
  std::vector<std::unique_ptr<Listener>> listeners;
  std::vector<std::unique_ptr<grpc::Service>> services;
  std::vector<std::string> service_names;
  std::vector<std::unique_ptr<ExternalConnectionAcceptor>> acceptors;
  std::unique_ptr<grpc::Server> server;
  std::vector<std::unique_ptr<AcceptLoop>> loops;

  void StartAccepting() {
    for (size_t i = 0; i < listeners.size(); ++i) {
      int listening = listeners[i]->fd();
      ExternalConnectionAcceptor* acceptor = acceptors[i].get();
      std::string address = listeners[i]->address().ToString();
      loops.push_back(std::make_unique<AcceptLoop>(
          listening, SystemAcceptCalls(),
          [acceptor, listening](int fd) {
            ExternalConnectionAcceptor::NewConnectionParameters connection;
            connection.listener_fd = listening;
            connection.fd = fd;
            acceptor->HandleNewConnection(&connection);
          },
          [address](int error) {
            Log(LogLevel::kWarning, "accept_failed",
                {{"address", address}, {"error", std::strerror(error)}});
          }));
    }
  }
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { Shutdown(std::chrono::nanoseconds(0)); }

Result<std::unique_ptr<Server>> Server::Open(const Config& config) {
  KeepLibrary();
  auto impl = std::make_unique<Impl>();
  impl->config = config;
  for (const ListenSetting& setting : config.listen) {
    WB_ASSIGN(std::unique_ptr<Listener> listener, Listener::Open(setting));
    impl->listeners.push_back(std::move(listener));
  }
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::vector<std::string> Server::addresses() const {
  std::vector<std::string> addresses;
  for (const auto& listener : impl_->listeners) addresses.push_back(listener->address().ToString());
  return addresses;
}

Status Server::Serve(std::vector<MethodTable> tables, RpcRuntime* runtime) {
  LinkHealthMessages();
  grpc::EnableDefaultHealthCheckService(true);
  if (impl_->config.reflection) grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  SetArguments(impl_->config, &builder);
  for (MethodTable& table : tables) {
    impl_->service_names.push_back(table.service());
    impl_->services.push_back(MakeGrpcService(std::move(table), runtime));
    builder.RegisterService(impl_->services.back().get());
  }
  if (impl_->config.reflection) {
    AddReflection(impl_->service_names, &builder, &impl_->services);
  }
  using Type = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  for (const auto& listener : impl_->listeners) {
    impl_->acceptors.push_back(builder.experimental().AddExternalConnectionAcceptor(
        Type::FROM_FD, CredentialsFor(listener->address())));
  }
  impl_->server = builder.BuildAndStart();
  if (impl_->server == nullptr) {
    return Status(Reason::kInternal, "The gRPC server could not be started.");
  }
  impl_->StartAccepting();
  SetHealth(true);
  return {};
}

void Server::SetHealth(bool serving) {
  if (impl_->server == nullptr) return;
  grpc::HealthCheckServiceInterface* health = impl_->server->GetHealthCheckService();
  health->SetServingStatus(serving);
  for (const std::string& name : impl_->service_names) health->SetServingStatus(name, serving);
}

void Server::Shutdown(std::chrono::nanoseconds patience) {
  impl_->loops.clear();
  if (impl_->server != nullptr) {
    impl_->server->Shutdown(std::chrono::system_clock::now() +
                            std::chrono::duration_cast<std::chrono::microseconds>(patience));
    impl_->server.reset();
  }
  impl_->acceptors.clear();
  impl_->services.clear();
  impl_->listeners.clear();
}

}  // namespace wb
