#include "daemon/process/ticker.h"

#include <utility>

namespace wb {

Ticker::Ticker(std::chrono::nanoseconds interval, std::function<void()> tick)
    : interval_(interval), tick_(std::move(tick)), thread_([this] { Run(); }) {}

Ticker::~Ticker() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  stopped_.NotifyAll();
  thread_.join();
}

void Ticker::Run() {
  while (Sleep()) tick_();
}

bool Ticker::Sleep() {
  const auto until = std::chrono::steady_clock::now() + interval_;
  MutexLock lock(mutex_);
  while (!stopping_ && stopped_.WaitUntil(mutex_, until)) {
  }
  return !stopping_;
}

}  // namespace wb
