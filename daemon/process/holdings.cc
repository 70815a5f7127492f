#include "daemon/process/holdings.h"

#include "compiler/base/check.h"

namespace wb {
namespace {

template <typename Key>
uint64_t HeldOf(const std::map<Key, uint64_t>& held, const Key& key) {
  const auto at = held.find(key);
  return at == held.end() ? 0 : at->second;
}

template <typename Key>
void RemoveOf(std::map<Key, uint64_t>& held, const Key& key, uint64_t amount) {
  const auto at = held.find(key);
  WB_CHECK(at != held.end() && at->second >= amount);
  if ((at->second -= amount) == 0) held.erase(at);
}

}  // namespace

Holdings::Held Holdings::Of(Whose whose) const {
  return {all_, HeldOf(tenants_, whose.tenant), HeldOf(connections_, whose)};
}

void Holdings::Add(Whose whose, uint64_t amount) {
  if (amount == 0) return;
  tenants_[whose.tenant] += amount;
  connections_[whose] += amount;
  all_ += amount;
}

void Holdings::Remove(Whose whose, uint64_t amount) {
  if (amount == 0) return;
  RemoveOf(tenants_, whose.tenant, amount);
  RemoveOf(connections_, whose, amount);
  all_ -= amount;
}

}  // namespace wb
