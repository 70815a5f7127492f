#include "daemon/process/ticker.h"

#include <utility>

namespace wb {

Ticker::Ticker(std::chrono::nanoseconds interval, std::function<void()> tick)
    : interval_(interval), tick_(std::move(tick)), thread_([this] { Run(); }) {}

Ticker::~Ticker() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void Ticker::Run() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, interval_, [this] { return stopping_; })) {
    lock.unlock();
    tick_();
    lock.lock();
  }
}

}  // namespace wb
