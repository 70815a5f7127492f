#include "scheduler/pipelines/build_queue.h"

#include <optional>
#include <utility>

namespace wb {

BuildQueue::BuildQueue(Clock& clock, uint32_t threads) : clock_(clock) {
  for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

BuildQueue::~BuildQueue() { Close(); }

uint64_t BuildQueue::Post(const FairShare& share, std::function<void()> build) {
  uint64_t number = 0;
  {
    MutexLock lock(mutex_);
    number = next_++;
    if (closed_) return number;
    waiting_.emplace(number, std::move(build));
    turns_.Add(number, share, clock_.Now());
  }
  changed_.NotifyOne();
  return number;
}

void BuildQueue::Share(uint64_t build, const FairShare& share) {
  MutexLock lock(mutex_);
  if (waiting_.count(build) > 0) turns_.Add(build, share, clock_.Now());
}

void BuildQueue::Close() {
  std::map<uint64_t, std::function<void()>> dropped;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    dropped.swap(waiting_);
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void BuildQueue::Run() {
  MutexLock lock(mutex_);
  while (true) {
    while (waiting_.empty() && !closed_) changed_.Wait(mutex_);
    if (closed_) return;
    const TimePoint begin = clock_.Now();
    const std::optional<uint64_t> next = turns_.Next(begin);
    const auto found = waiting_.find(*next);
    std::function<void()> build = std::move(found->second);
    waiting_.erase(found);
    mutex_.Unlock();
    build();
    build = nullptr;
    mutex_.Lock();
    turns_.Done(*next, clock_.Now() - begin);
  }
}

}  // namespace wb
