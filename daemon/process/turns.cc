#include "daemon/process/turns.h"

#include <utility>

#include "compiler/base/check.h"
#include "daemon/process/fair_part.h"

namespace wb {

bool Turns::Offer(Whose whose, Task task) {
  const auto at = waiting_.find(whose);
  const size_t waiting = at == waiting_.end() ? 0 : at->second.size();
  if (waiting + 1 > FairPart(max_waiting_, size_ - waiting)) return false;
  Add(whose, std::move(task));
  return true;
}

void Turns::Add(Whose whose, Task task) {
  std::deque<Task>& tasks = waiting_[whose];
  if (tasks.empty()) order_.push_back(whose);
  tasks.push_back(std::move(task));
  ++size_;
}

Turns::Task Turns::Take() {
  WB_CHECK(!order_.empty());
  const Whose whose = order_.front();
  order_.pop_front();
  const auto at = waiting_.find(whose);
  Task task = std::move(at->second.front());
  at->second.pop_front();
  --size_;
  if (at->second.empty()) {
    waiting_.erase(at);
  } else {
    order_.push_back(whose);
  }
  return task;
}

}  // namespace wb
