#pragma once

// BuildTurns: which build of a device is next. Pure.
//
// A build takes seconds to minutes and is not interrupted, so a tenant with many modules would keep
// the others waiting for all of them. The next build is of a tenant with the fewest under way;
// among those, tenants share the compilers' seconds as they share a device's
// (control/fair_queue.h). So no tenant has all compilers at work while another one waits for a
// compiler that is free, and a newcomer waits for one build of others at most. A build that several
// tenants wait for has the turn of whichever comes first.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scheduler/base/clock.h"
#include "scheduler/control/fair_queue.h"

namespace wb {

class BuildTurns {
 public:
  using Build = uint64_t;  // any number, of one build

  // No effect on one that is under way, or waits by that tenant's turn already.
  void Add(Build build, const FairShare& share, TimePoint now) {
    if (under_way_.count(build) > 0 || !tenants_of_[build].insert(share.tenant).second) return;
    queue_.Add({build, share.tenant}, share, now);
  }

  // It is under way from then on. nullopt: none waits.
  std::optional<Build> Next(TimePoint now) {
    const uint64_t fewest = FewestUnderWay();
    const auto next = queue_.Next(now, [&](const Place& place) {
      return under_way_.count(place.first) == 0 && CountOf(place.second) == fewest;
    });
    if (!next) return std::nullopt;
    const auto& [build, tenant] = *next;
    for (const std::string& other : tenants_of_.at(build)) {
      if (other != tenant) queue_.Remove({build, other});
    }
    tenants_of_.erase(build);
    under_way_.emplace(build, tenant);
    ++counts_[tenant];
    return build;
  }

  // After Next(): it has taken so long.
  void Done(Build build, std::chrono::nanoseconds took) {
    const auto found = under_way_.find(build);
    const Place place(build, found->second);
    under_way_.erase(found);
    queue_.Charge(place, took);
    queue_.Remove(place);
    if (--counts_.at(place.second) == 0) counts_.erase(place.second);
  }

 private:
  using Place = std::pair<Build, std::string>;

  uint64_t CountOf(const std::string& tenant) const {
    const auto found = counts_.find(tenant);
    return found == counts_.end() ? 0 : found->second;
  }
  // Of the tenants with builds that wait.
  uint64_t FewestUnderWay() const {
    uint64_t fewest = ~uint64_t{0};
    for (const auto& [build, tenants] : tenants_of_) {
      for (const std::string& tenant : tenants) fewest = std::min(fewest, CountOf(tenant));
    }
    return fewest;
  }

  FairQueue<Place> queue_;                             // of those under way one place each, too
  std::map<Build, std::set<std::string>> tenants_of_;  // that wait for it
  std::map<Build, std::string> under_way_;             // by which tenant's turn
  std::map<std::string, uint64_t> counts_;             // of those under way
};

}  // namespace wb
