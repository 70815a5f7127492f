#include "daemon/store/job_listeners.h"

namespace wb {

std::shared_ptr<void> JobListeners::Add(std::function<void()> call) {
  MutexLock lock(mutex_);
  const uint64_t number = ++last_number_;
  Calls calls = *calls_;
  calls.emplace_back(number, std::move(call));
  count_ = calls.size();
  calls_ = std::make_shared<const Calls>(std::move(calls));
  return std::shared_ptr<void>(
      nullptr, [self = shared_from_this(), number](void*) { self->Remove(number); });
}

void JobListeners::Remove(uint64_t number) {
  std::shared_ptr<const Calls> before;  // what it holds goes after the lock
  MutexLock lock(mutex_);
  Calls calls = *calls_;
  std::erase_if(calls, [number](const auto& call) { return call.first == number; });
  count_ = calls.size();
  before = std::exchange(calls_, std::make_shared<const Calls>(std::move(calls)));
}

void JobListeners::Call() {
  std::shared_ptr<const Calls> calls;
  {
    MutexLock lock(mutex_);
    calls = calls_;
  }
  for (const auto& [number, call] : *calls) call();
}

}  // namespace wb
