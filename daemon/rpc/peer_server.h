#pragma once

// PeerServer: one gRPC server, for connections that come from the same user, or through the same
// listener with the same certificate. gRPC 1.51 does not tell a call which connection it came on,
// and so not whose process is at the other end; here all calls of a server come from the same.
//
// Threads: any.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/rpc/rpc.h"
#include "daemon/rpc/rpc_runtime.h"

namespace grpc {
class Channel;
class ResourceQuota;
class ServerCredentials;
}  // namespace grpc

namespace wb {

struct Config;

// What all servers have in common.
struct ServedParts {
  std::vector<std::shared_ptr<const MethodTable>> tables;
  std::shared_ptr<grpc::ResourceQuota> memory;
  RpcRuntime* runtime = nullptr;  // outlives the servers
  IsHost is_host;
};

class PeerServer {
 public:
  static Result<std::unique_ptr<PeerServer>> Start(
      const Config& config, const ServedParts& parts, Origin origin,
      const std::shared_ptr<grpc::ServerCredentials>& credentials);
  ~PeerServer();  // as Shutdown without patience

  // Takes the connection; `listening` is the descriptor that it was accepted from.
  void Take(int listening, int fd);
  // A connection for calls from within this process, whose answers may be of any size. null: the
  // machine has no more descriptors. gRPC's own channel within a process loses a stream's last
  // message where nobody reads when it is written, so this is a pair of sockets.
  std::shared_ptr<grpc::Channel> Connect();
  void SetHealth(bool serving);
  // No new calls; those under way may end until then.
  void Shutdown(std::chrono::system_clock::time_point deadline);

 private:
  struct Impl;
  explicit PeerServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
