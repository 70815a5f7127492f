#include "daemon/rpc/server.h"

#include <grpc/grpc.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>

#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "compiler/base/check.h"
#include "daemon/config/config.h"
#include "daemon/process/log.h"
#include "daemon/rpc/inherited_sockets.h"
#include "daemon/rpc/listener.h"
#include "daemon/rpc/peer_servers.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// The library ends when its last object goes, and waits for its poller then, up to 10 s where a
// socket was full a moment before. It stays for the life of the process instead, which ends without
// it.
void KeepLibrary() { [[maybe_unused]] static const bool kept = (grpc_init(), true); }

// Nobody may call what has no rule, and so nothing is served.
void CheckRules(const MethodTable& table) {
  const auto check = [](const auto& methods) {
    for (const auto& method : methods) WB_CHECK(RoleNeeded(method.path) != Role::kNone);
  };
  check(table.unary);
  check(table.server_streams);
  check(table.client_streams);
  check(table.sessions);
}

bool IsTls(const ListenSetting& setting) {
  return setting.address.kind == ListenAddress::Kind::kTls;
}

// A socket that nobody accepts from would leave its clients waiting.
Status RefuseLeft(const InheritedSockets& inherited) {
  const std::vector<std::string> left = inherited.left();
  if (left.empty()) return {};
  const std::string& address = left.front();
  return Status(Reason::kConfigInvalid,
                "The service manager opened a socket at " + Quoted(address) +
                    ", which no [[listen]] of the configuration names.",
                {{"address", address}});
}

}  // namespace

struct Server::Impl {
  Config config;
  std::optional<TlsFiles> tls;
  std::vector<std::unique_ptr<Listener>> listeners;
  std::vector<std::unique_ptr<PeerServers>> servers;  // of each listener
  std::vector<std::unique_ptr<AcceptLoop>> loops;
  ServedParts parts;
  std::vector<std::shared_ptr<PeerServer>> inside;

  std::string AddressOf(size_t listener) const { return listeners[listener]->address().ToString(); }

  void AddServers() {
    for (size_t i = 0; i < listeners.size(); ++i) {
      const ListenSetting& setting = config.listen[i];
      servers.push_back(std::make_unique<PeerServers>(
          config, setting, parts, IsTls(setting) ? tls : std::nullopt,
          [address = AddressOf(i)](const std::string& why, const std::string& peer) {
            Log(LogLevel::kWarning, "connection_refused",
                {{"address", address}, {"peer", peer}, {"reason", why}});
          }));
    }
  }

  void StartAccepting() {
    for (size_t i = 0; i < listeners.size(); ++i) {
      const int listening = listeners[i]->fd();
      PeerServers* taking = servers[i].get();
      loops.push_back(std::make_unique<AcceptLoop>(
          listening, SystemAcceptCalls(),
          [taking, listening](int fd) { taking->Accept(listening, fd); },
          [address = AddressOf(i)](int error) {
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
  InheritedSockets inherited = InheritedSockets::FromEnvironment();
  for (const ListenSetting& setting : config.listen) {
    if (IsTls(setting) && !impl->tls) {
      WB_ASSIGN(impl->tls, ReadTlsFiles(config));
    }
    WB_ASSIGN(std::unique_ptr<Listener> listener, Listener::Open(setting, &inherited));
    impl->listeners.push_back(std::move(listener));
  }
  WB_TRY(RefuseLeft(inherited));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::vector<std::string> Server::addresses() const {
  std::vector<std::string> addresses;
  for (const auto& listener : impl_->listeners) addresses.push_back(listener->address().ToString());
  return addresses;
}

Status Server::Serve(std::vector<MethodTable> tables, RpcRuntime* runtime, IsHost is_host) {
  ServedParts parts;
  for (MethodTable& table : tables) {
    CheckRules(table);
    parts.tables.push_back(std::make_shared<const MethodTable>(std::move(table)));
  }
  parts.runtime = runtime;
  parts.is_host = std::move(is_host);
  parts.memory = std::make_shared<grpc::ResourceQuota>("wasmburstd");
  parts.memory->Resize(impl_->config.grpc_memory_bytes);
  impl_->parts = std::move(parts);
  impl_->AddServers();
  impl_->StartAccepting();
  return {};
}

Result<Server::Connector> Server::Inside(Origin origin) {
  WB_ASSIGN(std::unique_ptr<PeerServer> started,
            PeerServer::Start(impl_->config, impl_->parts, std::move(origin),
                              grpc::InsecureServerCredentials()));
  const std::shared_ptr<PeerServer> server = std::move(started);
  impl_->inside.push_back(server);
  return Connector([weak = std::weak_ptr(server)]() -> std::shared_ptr<grpc::Channel> {
    const std::shared_ptr<PeerServer> held = weak.lock();
    return held == nullptr ? nullptr : held->Connect();
  });
}

void Server::SetTls(const TlsFiles& tls) {
  for (size_t i = 0; i < impl_->servers.size(); ++i) {
    if (IsTls(impl_->config.listen[i])) impl_->servers[i]->SetTls(tls);
  }
}

void Server::SetHealth(bool serving) {
  for (const auto& servers : impl_->servers) servers->SetHealth(serving);
}

void Server::Shutdown(std::chrono::nanoseconds patience) {
  impl_->loops.clear();
  const auto deadline = std::chrono::system_clock::now() +
                        std::chrono::duration_cast<std::chrono::microseconds>(patience);
  std::vector<std::thread> threads;
  for (const auto& servers : impl_->servers) {
    threads.emplace_back([end = servers.get(), deadline] { end->Shutdown(deadline); });
  }
  for (const auto& server : impl_->inside) {
    threads.emplace_back([end = server.get(), deadline] { end->Shutdown(deadline); });
  }
  for (std::thread& thread : threads) thread.join();
  impl_->inside.clear();
  impl_->servers.clear();
  impl_->listeners.clear();
}

}  // namespace wb
