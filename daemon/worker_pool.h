#pragma once

// A few threads that run what must not run on a gRPC thread. Bounded: a full queue refuses.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wb {

class WorkerPool {
 public:
  // `max_waiting`: tasks that TryPost lets wait.
  WorkerPool(size_t threads, size_t max_waiting);
  ~WorkerPool();  // runs what waits, then joins
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False: full or stopped; the task was not taken. Any thread.
  bool TryPost(std::function<void()> task);
  // Takes the task whatever the queue holds: for work that is already bounded by something else
  // (one task per open stream). After Stop it is dropped: stop those who post first.
  void Post(std::function<void()> task);
  void Stop();  // idempotent

 private:
  void Run();

  const size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace wb
