#include "daemon/process/turns.h"

#include <utility>

#include "compiler/base/check.h"
#include "daemon/process/fair_part.h"

namespace wb {

bool Turns::Offer(Whose whose, Task task) {
  size_t of_tenant = 0;
  size_t of_connection = 0;
  if (const auto tenant = tenants_.find(whose.tenant); tenant != tenants_.end()) {
    of_tenant = tenant->second.size;
    const auto at = tenant->second.connections.find(whose.connection);
    if (at != tenant->second.connections.end()) of_connection = at->second.size();
  }
  const uint64_t part = FairPart(max_waiting_, size_ - of_tenant);
  if (of_connection + 1 > FairPart(part, of_tenant - of_connection)) return false;
  Add(whose, std::move(task));
  return true;
}

void Turns::Add(Whose whose, Task task) {
  OfTenant& tenant = tenants_[whose.tenant];
  if (tenant.size == 0) order_.push_back(whose.tenant);
  std::deque<Task>& tasks = tenant.connections[whose.connection];
  if (tasks.empty()) tenant.order.push_back(whose.connection);
  tasks.push_back(std::move(task));
  ++tenant.size;
  ++size_;
}

Turns::Task Turns::Take() {
  WB_CHECK(!order_.empty());
  const uint64_t name = order_.front();
  order_.pop_front();
  OfTenant& tenant = tenants_[name];
  const uint64_t connection = tenant.order.front();
  tenant.order.pop_front();
  std::deque<Task>& tasks = tenant.connections[connection];
  Task task = std::move(tasks.front());
  tasks.pop_front();
  --tenant.size;
  --size_;
  if (tasks.empty()) {
    tenant.connections.erase(connection);
  } else {
    tenant.order.push_back(connection);
  }
  if (tenant.size == 0) {
    tenants_.erase(name);
  } else {
    order_.push_back(name);
  }
  return task;
}

}  // namespace wb
