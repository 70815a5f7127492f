#pragma once

// A MethodTable as a gRPC service (callback API, raw messages: bytes that are no message of the
// method's type are answered INVALID_ARGUMENT MALFORMED_REQUEST).

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "daemon/rpc.h"

namespace grpc {
class Service;
}

namespace wb {

class WorkerPool;

// What is logged of a call, once, at its end.
struct AccessLine {
  std::string path;
  std::string peer;
  Status status;
  std::chrono::nanoseconds duration{};
  uint64_t messages = 0;  // sent on a stream
};

// An open stream, as the heartbeat sees it.
class OpenStream {
 public:
  virtual ~OpenStream() = default;
  virtual void Tick(std::chrono::steady_clock::time_point now) = 0;
};

// Shared by all services of a server; outlives it.
class RpcRuntime {
 public:
  RpcRuntime(WorkerPool* pool, std::chrono::nanoseconds heartbeat,
             std::function<void(const AccessLine&)> log)
      : pool_(pool), heartbeat_(heartbeat), log_(std::move(log)) {}

  void Tick();  // lets every open stream see whether a heartbeat is due
  void Register(std::weak_ptr<OpenStream> stream);
  WorkerPool* pool() const { return pool_; }
  std::chrono::nanoseconds heartbeat() const { return heartbeat_; }
  void Log(const AccessLine& line) const { log_(line); }

 private:
  WorkerPool* const pool_;
  const std::chrono::nanoseconds heartbeat_;
  const std::function<void(const AccessLine&)> log_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<OpenStream>> streams_;
};

// `runtime` outlives the service.
std::unique_ptr<grpc::Service> MakeGrpcService(MethodTable table, RpcRuntime* runtime);

}  // namespace wb
