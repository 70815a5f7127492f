#include "scheduler/base/alarm.h"

#include <algorithm>
#include <utility>

namespace wb {

Alarm::Alarm(Clock& clock, std::function<void()> ring)
    : clock_(clock), ring_(std::move(ring)), thread_([this] { Run(); }) {}

Alarm::~Alarm() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void Alarm::SetBy(TimePoint at) {
  {
    MutexLock lock(mutex_);
    if (at >= at_) return;
    at_ = at;
  }
  changed_.NotifyAll();
}

void Alarm::Run() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      while (!closing_ && clock_.Now() < at_) clock_.WaitUntil(mutex_, changed_, at_);
      if (closing_) return;
      at_ = TimePoint::max();
    }
    ring_();
  }
}

}  // namespace wb
