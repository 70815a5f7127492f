#include "daemon/call_pools.h"

#include <algorithm>
#include <cstddef>

namespace wb {
namespace {

// Calls that may wait for a pool; beyond it QUEUE_FULL.
constexpr size_t kMostWaitingCompiles = 100;
constexpr size_t kStreamThreads = 2;
// One for each kind of work that is long: it takes no more than one processor, and the memory of
// one request, however many come.
constexpr size_t kLargeThreads = 1;
constexpr size_t kUploadThreads = 1;
constexpr size_t kCompileThreads = 1;

// All that one connection may have open at a time, as many of the tenant's others, and as many as
// both of other tenants (Turns).
size_t MostWaiting(const Config& config) { return 4 * config.max_concurrent_streams; }

// As many as gRPC may hold in memory.
size_t MostWaitingLarge(const Config& config) {
  return std::max<size_t>(2, config.grpc_memory_bytes / config.max_message_bytes);
}

}  // namespace

CallPools::CallPools(const Config& config)
    : prepare_(config.worker_threads, MostWaiting(config)),
      large_(kLargeThreads, MostWaitingLarge(config)),
      upload_(kUploadThreads, MostWaiting(config)),
      stream_(kStreamThreads, MostWaiting(config)),
      compile_(kCompileThreads, kMostWaitingCompiles) {}

}  // namespace wb
