#include "daemon/process/worker_pool.h"

#include <utility>

namespace wb {

WorkerPool::WorkerPool(size_t threads, size_t max_waiting) : tasks_(max_waiting) {
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

WorkerPool::~WorkerPool() { Stop(); }

bool WorkerPool::TryPost(Whose whose, std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (stopping_ || !tasks_.Offer(whose, std::move(task))) return false;
  changed_.notify_one();
  return true;
}

void WorkerPool::Post(Whose whose, std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (stopping_) return;
  tasks_.Add(whose, std::move(task));
  changed_.notify_one();
}

void WorkerPool::Stop() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    changed_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || tasks_.size() > 0; });
    if (tasks_.size() == 0) return;
    std::function<void()> task = tasks_.Take();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

}  // namespace wb
