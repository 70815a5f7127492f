#include "daemon/rpc/peer_servers.h"

#include <arpa/inet.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>
#include <utility>
#include <vector>

namespace wb {
namespace {

// Servers whose peers come and go stay ready; a user's commands come one after another.
constexpr size_t kMostIdle = 16;
// Each has threads of its own. Whoever may take many user ids must not have as many servers.
constexpr size_t kMostServers = 128;

// Local credentials let in what the kernel says is local, and nothing else; interoperable with
// clients that use none.
std::shared_ptr<grpc::ServerCredentials> CredentialsFor(ListenAddress::Kind kind,
                                                        const std::optional<TlsFiles>& tls) {
  if (kind != ListenAddress::Kind::kTls) {
    const bool is_unix = kind == ListenAddress::Kind::kUnix;
    return grpc::experimental::LocalServerCredentials(is_unix ? UDS : LOCAL_TCP);
  }
  const bool asks = !tls->client_ca.empty();
  grpc::SslServerCredentialsOptions options(
      asks ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
           : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  options.pem_root_certs = tls->client_ca;
  options.pem_key_cert_pairs.push_back({tls->key, tls->certificate});
  return grpc::SslServerCredentials(options);
}

// The other end's IP address; "": it has gone.
std::string AddressOf(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "";
  char text[INET6_ADDRSTRLEN] = "";
  const void* bytes = nullptr;
  if (address.ss_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in*>(&address)->sin_addr;
  } else if (address.ss_family == AF_INET6) {
    bytes = &reinterpret_cast<const sockaddr_in6*>(&address)->sin6_addr;
  }
  const bool shown =
      bytes != nullptr && inet_ntop(address.ss_family, bytes, text, sizeof(text)) != nullptr;
  return shown ? text : "";
}

}  // namespace

PeerServers::PeerServers(const Config& config, const ListenSetting& setting, ServedParts parts,
                         std::optional<TlsFiles> tls,
                         std::function<void(const std::string&, const std::string&)> log)
    : config_(config),
      setting_(setting),
      parts_(std::move(parts)),
      log_(std::move(log)),
      tls_(std::move(tls)),
      book_({config.max_connections, config.max_peer_connections}, FileIdentity) {}

std::optional<PeerServers::Peer> PeerServers::LookAt(int fd) const {
  Peer peer;
  peer.origin.role = setting_.role;
  peer.origin.tenant = setting_.tenant;
  if (setting_.address.kind == ListenAddress::Kind::kUnix) {
    peer.origin.peer = PeerOf(fd);
    if (!peer.origin.peer) return std::nullopt;
    peer.origin.user = UserName(peer.origin.peer->uid);
    peer.name = "user " + peer.origin.user;
    peer.key = std::to_string(peer.origin.peer->uid);
    for (const uint32_t gid : peer.origin.peer->gids) peer.key += "," + std::to_string(gid);
    return peer;
  }
  peer.name = AddressOf(fd);
  if (peer.name.empty()) return std::nullopt;
  peer.key = std::to_string(tls_version_);
  return peer;
}

bool PeerServers::IsOfHost(int fd) const {
  if (setting_.address.kind != ListenAddress::Kind::kUnix) return false;  // they have no network
  const int64_t process = ProcessOf(fd);
  return process != 0 && parts_.is_host && parts_.is_host(process);
}

void PeerServers::Accept(int listening, int fd) {
  if (IsOfHost(fd)) {
    log_("an engine host is no caller", "process " + std::to_string(ProcessOf(fd)));
    close(fd);
    return;
  }
  MutexLock lock(mutex_);
  const std::optional<Peer> peer = closed_ ? std::nullopt : LookAt(fd);
  if (!peer) {
    close(fd);
    return;
  }
  PeerServer* server = book_.Add(peer->name, peer->key, fd) ? ServerFor(*peer) : nullptr;
  if (server != nullptr) return server->Take(listening, fd);
  log_(servers_.contains(peer->key) ? "too many connections" : "no server could be started",
       peer->name);
  close(fd);
}

PeerServer* PeerServers::ServerFor(const Peer& peer) {
  const auto at = servers_.find(peer.key);
  if (at != servers_.end()) return at->second.get();
  if (servers_.size() >= kMostIdle) DropIdle();
  if (servers_.size() >= kMostServers) return nullptr;
  auto started =
      PeerServer::Start(config_, parts_, peer.origin, CredentialsFor(setting_.address.kind, tls_));
  if (!started.ok()) return nullptr;
  std::unique_ptr<PeerServer> server = std::move(started).value();
  server->SetHealth(serving_);
  return servers_.emplace(peer.key, std::move(server)).first->second.get();
}

void PeerServers::DropIdle() {
  std::erase_if(servers_, [this](const auto& entry)
                              WB_REQUIRES(mutex_) { return !book_.HasOpen(entry.first); });
}

void PeerServers::SetTls(TlsFiles tls) {
  MutexLock lock(mutex_);
  tls_ = std::move(tls);
  ++tls_version_;
}

void PeerServers::SetHealth(bool serving) {
  MutexLock lock(mutex_);
  serving_ = serving;
  for (const auto& [key, server] : servers_) server->SetHealth(serving);
}

size_t PeerServers::count() const {
  MutexLock lock(mutex_);
  return servers_.size();
}

// All at the same time: each waits for its calls.
void PeerServers::Shutdown(std::chrono::system_clock::time_point deadline) {
  std::map<std::string, std::unique_ptr<PeerServer>> servers;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    servers.swap(servers_);
  }
  std::vector<std::thread> threads;
  for (const auto& [key, server] : servers) {
    threads.emplace_back([end = server.get(), deadline] { end->Shutdown(deadline); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace wb
