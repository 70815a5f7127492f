#include "daemon/rpc/rpc_runtime.h"

#include <algorithm>
#include <utility>

namespace wb {

void RpcRuntime::Register(std::weak_ptr<OpenStream> stream) {
  MutexLock lock(mutex_);
  streams_.push_back(std::move(stream));
}

void RpcRuntime::Tick() {
  std::vector<std::weak_ptr<OpenStream>> streams;
  {
    MutexLock lock(mutex_);
    auto gone = [](const std::weak_ptr<OpenStream>& stream) { return stream.expired(); };
    streams_.erase(std::remove_if(streams_.begin(), streams_.end(), gone), streams_.end());
    streams = streams_;
  }
  auto now = std::chrono::steady_clock::now();
  for (const std::weak_ptr<OpenStream>& stream : streams) {
    if (std::shared_ptr<OpenStream> open = stream.lock()) open->Tick(now);
  }
}

}  // namespace wb
