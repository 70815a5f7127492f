#pragma once

// Tasks that wait for a thread. Those of one caller keep their order; callers take turns. Pure; its
// owner locks.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>

namespace wb {

// Whose a task is: a number for each connection; 0: the daemon's own.
using Whose = uint64_t;

class Turns {
 public:
  using Task = std::function<void()>;

  // `max_waiting`: that Offer lets wait.
  explicit Turns(size_t max_waiting) : max_waiting_(max_waiting) {}

  // False, and the task is not taken: this caller's tasks would be more than half of what the
  // others leave of the bound.
  bool Offer(Whose whose, Task task);
  void Add(Whose whose, Task task);  // whatever waits
  Task Take();                       // there must be one
  size_t size() const { return size_; }

 private:
  const size_t max_waiting_;
  std::map<Whose, std::deque<Task>> waiting_;  // none is empty
  std::deque<Whose> order_;                    // each of `waiting_` once; the first is next
  size_t size_ = 0;
};

}  // namespace wb
