#pragma once

// WorkQueue: threads that do posted work in the order it came. The scheduler's coordinator is one
// with a single thread, which is how state there needs no locks.

#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"

namespace wb {

class WorkQueue {
 public:
  explicit WorkQueue(uint32_t threads);
  ~WorkQueue();  // Close()
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Any thread. The caller bounds how much it posts: here, a few pieces of work per job. After
  // Close() the work is dropped.
  void Post(std::function<void()> work);

  // Ends what runs, drops what waits, joins the threads. Not from a thread of the queue.
  void Close();

 private:
  void Run();

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> waiting_ WB_GUARDED_BY(mutex_);
  bool closed_ WB_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace wb
