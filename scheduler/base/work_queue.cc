#include "scheduler/base/work_queue.h"

#include <utility>

namespace wb {

WorkQueue::WorkQueue(uint32_t threads) {
  for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

WorkQueue::~WorkQueue() { Close(); }

void WorkQueue::Post(std::function<void()> work) {
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    waiting_.push_back(std::move(work));
  }
  changed_.NotifyOne();
}

void WorkQueue::Close() {
  std::deque<std::function<void()>> dropped;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    dropped.swap(waiting_);
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkQueue::Run() {
  while (true) {
    std::function<void()> work;
    {
      MutexLock lock(mutex_);
      while (waiting_.empty() && !closed_) changed_.Wait(mutex_);
      if (closed_) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace wb
