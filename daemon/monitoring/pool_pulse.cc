#include "daemon/monitoring/pool_pulse.h"

#include <utility>

#include "daemon/process/worker_pool.h"

namespace wb {
namespace {

constexpr Whose kPulse;            // takes turns with connections
constexpr size_t kMostAsked = 64;  // those before them have given up long ago

}  // namespace

void PoolPulse::Ask(std::function<void()> alive) {
  {
    const MutexLock lock(mutex_);
    if (waiting_.size() == kMostAsked) waiting_.erase(waiting_.begin());
    waiting_.push_back(std::move(alive));
    if (std::exchange(asked_, true)) return;
  }
  pool_->Post(kPulse, [self = shared_from_this()] { self->Beat(); });
}

void PoolPulse::Beat() {
  std::vector<std::function<void()>> waiting;
  {
    const MutexLock lock(mutex_);
    asked_ = false;
    waiting.swap(waiting_);
  }
  for (const std::function<void()>& alive : waiting) alive();
}

}  // namespace wb
