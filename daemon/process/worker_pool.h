#pragma once

// A few threads that run what must not run on a gRPC thread. Tenants and connections take turns,
// and a full queue refuses (turns.h).

#include <functional>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/process/turns.h"

namespace wb {

class WorkerPool {
 public:
  // `max_waiting`: tasks that TryPost lets wait, shared as Turns does.
  WorkerPool(size_t threads, size_t max_waiting);
  ~WorkerPool();  // runs what waits, then joins
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False: full or stopped; the task was not taken. Any thread.
  bool TryPost(Whose whose, std::function<void()> task);
  // Takes the task whatever the queue holds: for work that is already bounded by something else
  // (one task per open stream). After Stop it is dropped: stop first what posts to it.
  void Post(Whose whose, std::function<void()> task);
  void Stop();  // idempotent

 private:
  void Run();
  std::function<void()> Next();  // waits for a task; empty: the pool stops and none is left

  Mutex mutex_;
  CondVar changed_;
  Turns tasks_ WB_GUARDED_BY(mutex_);
  bool stopping_ WB_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
