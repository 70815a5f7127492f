#pragma once

// Tasks that wait for a thread. Tenants take turns, and within a tenant its connections; tasks of
// one connection keep their order. So however many connections one tenant has, another's single one
// waits for one task of it. Pure; its owner locks.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>

namespace wb {

// Whose a task is; zeros: the daemon's own.
struct Whose {
  uint64_t tenant = 0;  // a number of its name
  uint64_t connection = 0;
  auto operator<=>(const Whose&) const = default;
};

class Turns {
 public:
  using Task = std::function<void()>;

  // `max_waiting`: that Offer lets wait.
  explicit Turns(size_t max_waiting) : max_waiting_(max_waiting) {}

  // False, and the task is not taken. Tasks of a tenant may be half of what others leave of the
  // bound, those of a connection half of what the tenant's others leave of that.
  bool Offer(Whose whose, Task task);
  void Add(Whose whose, Task task);  // whatever waits
  Task Take();                       // there must be one
  size_t size() const { return size_; }

 private:
  const size_t max_waiting_;
  // Neither holds empty ones; each name stands in its order once, and the first is next.
  struct OfTenant {
    std::map<uint64_t, std::deque<Task>> connections;
    std::deque<uint64_t> order;
    size_t size = 0;
  };
  std::map<uint64_t, OfTenant> tenants_;
  std::deque<uint64_t> order_;
  size_t size_ = 0;
};

}  // namespace wb
