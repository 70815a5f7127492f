#pragma once

// PeerServers: of one listener, a gRPC server for each kind of peer, made when its first connection
// comes. A kind is a user with its groups (Unix sockets), or the certificate that was in force
// (TLS). Servers without connections go when they are many. When each has some, connections of
// further kinds are closed.
//
// Threads: any. Accept blocks for some milliseconds where a server is made.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compiler/base/mutex.h"
#include "daemon/config/config.h"
#include "daemon/rpc/connection_book.h"
#include "daemon/rpc/peer_server.h"
#include "daemon/rpc/tls_files.h"

namespace wb {

class PeerServers {
 public:
  // `tls`: of a tls:// listener. `log`: what became of connections that were not taken.
  PeerServers(const Config& config, const ListenSetting& setting, ServedParts parts,
              std::optional<TlsFiles> tls,
              std::function<void(const std::string& what, const std::string& peer)> log);

  // Owns the descriptor: a server has it, or it is closed.
  void Accept(int listening, int fd);
  // For connections that come from now on.
  void SetTls(TlsFiles tls);
  void SetHealth(bool serving);
  void Shutdown(std::chrono::system_clock::time_point deadline);
  size_t count() const;

 private:
  struct Peer {
    std::string key;   // connections with the same are of one server
    std::string name;  // connections with the same are counted together
    Origin origin;
  };
  std::optional<Peer> LookAt(int fd) const WB_REQUIRES(mutex_);
  bool IsOfHost(int fd) const;  // an engine host's connection
  PeerServer* ServerFor(const Peer& peer) WB_REQUIRES(mutex_);
  void DropIdle() WB_REQUIRES(mutex_);

  const Config config_;
  const ListenSetting setting_;
  const ServedParts parts_;
  const std::function<void(const std::string&, const std::string&)> log_;
  mutable Mutex mutex_;
  std::optional<TlsFiles> tls_ WB_GUARDED_BY(mutex_);
  uint64_t tls_version_ WB_GUARDED_BY(mutex_) = 0;
  bool serving_ WB_GUARDED_BY(mutex_) = true;
  bool closed_ WB_GUARDED_BY(mutex_) = false;
  ConnectionBook book_ WB_GUARDED_BY(mutex_);
  std::map<std::string, std::unique_ptr<PeerServer>> servers_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
