#include "daemon/process/worker_pool.h"

#include <utility>

namespace wb {

WorkerPool::WorkerPool(size_t threads, size_t max_waiting) : tasks_(max_waiting) {
  MutexLock lock(mutex_);
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

WorkerPool::~WorkerPool() { Stop(); }

bool WorkerPool::TryPost(Whose whose, std::function<void()> task) {
  MutexLock lock(mutex_);
  if (stopping_ || !tasks_.Offer(whose, std::move(task))) return false;
  changed_.NotifyOne();
  return true;
}

void WorkerPool::Post(Whose whose, std::function<void()> task) {
  MutexLock lock(mutex_);
  if (stopping_) return;
  tasks_.Add(whose, std::move(task));
  changed_.NotifyOne();
}

void WorkerPool::Stop() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::Run() {
  while (std::function<void()> task = Next()) task();
}

std::function<void()> WorkerPool::Next() {
  MutexLock lock(mutex_);
  while (!stopping_ && tasks_.size() == 0) changed_.Wait(mutex_);
  return tasks_.size() == 0 ? std::function<void()>() : tasks_.Take();
}

}  // namespace wb
