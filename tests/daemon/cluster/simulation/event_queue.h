#pragma once

// EventQueue: simulated time. What is due happens in the order of its time, and of its coming where
// that is the same: so a run repeats exactly.

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace wb::test {

class EventQueue {
 public:
  double now() const { return now_; }  // seconds
  bool empty() const { return events_.empty(); }

  void At(double when, std::function<void()> happens) {
    events_.push({std::max(when, now_), ++last_, std::move(happens)});
  }
  void After(double wait, std::function<void()> happens) { At(now_ + wait, std::move(happens)); }

  void RunOne() {
    Event event = std::move(const_cast<Event&>(events_.top()));  // popped at once
    events_.pop();
    now_ = event.when;
    event.happens();
  }

 private:
  struct Event {
    double when;
    uint64_t number;
    std::function<void()> happens;
    bool operator<(const Event& other) const {
      return when != other.when ? when > other.when : number > other.number;
    }
  };

  double now_ = 0;
  uint64_t last_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace wb::test
