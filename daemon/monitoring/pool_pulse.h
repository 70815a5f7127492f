#pragma once

// PoolPulse: whether a pool of threads still works. Those who ask are answered by the next thread
// of the pool that is free; while one question waits there, others join it, so that a pool that
// hangs is not filled with questions.

#include <functional>
#include <memory>
#include <vector>

#include "compiler/base/mutex.h"

namespace wb {

class WorkerPool;

// Threads: Ask from any.
class PoolPulse : public std::enable_shared_from_this<PoolPulse> {
 public:
  explicit PoolPulse(WorkerPool* pool) : pool_(pool) {}  // which outlives those who ask
  // `alive` is called on a thread of the pool, or never.
  void Ask(std::function<void()> alive);

 private:
  void Beat();

  WorkerPool* const pool_;
  Mutex mutex_;
  bool asked_ WB_GUARDED_BY(mutex_) = false;
  std::vector<std::function<void()>> waiting_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
