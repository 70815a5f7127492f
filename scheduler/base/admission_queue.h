#pragma once

// AdmissionQueue: how many jobs of a tenant are under way at a time, and which of the others is
// next: the highest priority, and of one priority the first that came. Pure.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace wb {

template <typename T>
class AdmissionQueue {
 public:
  // True: it may start. `at_most` jobs of the tenant are under way; 0: any number.
  bool Enter(const T& job, const std::string& tenant, int32_t priority, uint32_t at_most) {
    Tenant& its = tenants_[tenant];
    its.at_most = at_most;
    const Rank rank{-int64_t{priority}, next_++};
    places_[job] = {tenant, rank};
    if (its.HasPlace()) {
      its.under_way.insert(rank);
      return true;
    }
    its.waiting.emplace(rank, job);
    return false;
  }

  // It has ended. The job that may start now, if `next` is told of one.
  template <typename Next>
  void Leave(const T& job, Next&& next) {
    const auto place = places_.find(job);
    if (place == places_.end()) return;
    const auto tenant = tenants_.find(place->second.tenant);
    Tenant& its = tenant->second;
    its.under_way.erase(place->second.rank);
    its.waiting.erase(place->second.rank);
    places_.erase(place);
    if (its.HasPlace() && !its.waiting.empty()) {
      const auto first = its.waiting.begin();
      const T started = first->second;
      its.under_way.insert(first->first);
      its.waiting.erase(first);
      next(started);
    } else if (its.under_way.empty()) {
      tenants_.erase(tenant);
    }
  }

  struct Standing {
    bool waits = false;
    size_t before = 0;     // of its tenant, that wait too
    size_t under_way = 0;  // of its tenant
    uint32_t at_most = 0;
  };
  Standing Of(const T& job) const {
    const auto place = places_.find(job);
    if (place == places_.end()) return {};
    const Tenant& its = tenants_.find(place->second.tenant)->second;
    const auto at = its.waiting.find(place->second.rank);
    if (at == its.waiting.end()) return {};
    const auto before = static_cast<size_t>(std::distance(its.waiting.begin(), at));
    return {true, before, its.under_way.size(), its.at_most};
  }

 private:
  using Rank = std::pair<int64_t, uint64_t>;  // less goes first
  struct Tenant {
    uint32_t at_most = 0;
    std::set<Rank> under_way;
    std::map<Rank, T> waiting;
    bool HasPlace() const { return at_most == 0 || under_way.size() < at_most; }
  };
  struct Place {
    std::string tenant;
    Rank rank;
  };

  std::map<std::string, Tenant> tenants_;
  std::map<T, Place> places_;
  uint64_t next_ = 0;
};

}  // namespace wb
