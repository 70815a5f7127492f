#pragma once

// FairQueue: whose turn it is on a device. Pure.
//
// Tenants share the device's seconds by weight (deficit_ring.h), however many jobs each has. Among
// a tenant's jobs the highest priority goes first; a priority that has waited gains one for each
// kAgeing, so the lowest comes round too. Jobs of one priority share its seconds equally. Jobs that
// name no tenant are one tenant together.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/base/clock.h"
#include "scheduler/control/deficit_ring.h"

namespace wb {

struct FairShare {
  std::string tenant;
  double weight = 1;     // of the tenant; the one it came with first holds
  int32_t priority = 0;  // among the tenant's jobs; higher goes first
};

template <typename T>
class FairQueue {
 public:
  static constexpr std::chrono::seconds kAgeing{10};
  static constexpr size_t kMostAbsent = 256;  // tenants without a job whose debt is remembered

  void Add(const T& member, const FairShare& share, TimePoint now) {
    const auto [tenant, is_new] = tenants_.try_emplace(share.tenant);
    if (is_new) ring_.Add(&tenant->second, share.weight);
    if (!is_new && tenant->second.levels.empty()) absent_.remove(&*tenant);
    Level& level = tenant->second.levels.try_emplace(share.priority, Level{{}, now}).first->second;
    level.jobs.Add(member, 1);
    places_[member] = {&*tenant, share.priority};
  }

  void Remove(const T& member) {
    const auto place = places_.find(member);
    if (place == places_.end()) return;
    auto& levels = place->second.tenant->second.levels;
    const auto level = levels.find(place->second.priority);
    level->second.jobs.Remove(member);
    if (level->second.jobs.empty()) levels.erase(level);
    if (levels.empty()) absent_.push_back(place->second.tenant);
    places_.erase(place);
    ForgetAbsent();
  }

  // The turn passes on behind it.
  template <typename CanGo>
  std::optional<T> Next(TimePoint now, CanGo&& can_go) {
    const auto tenant = ring_.Next([&](Tenant* candidate) {
      candidate->chosen = Choose(*candidate, now, can_go);
      return candidate->chosen != nullptr;
    });
    if (!tenant) return std::nullopt;
    (*tenant)->chosen->since = now;
    return (*tenant)->chosen->jobs.Next(can_go);
  }

  // It used the device for so long.
  void Charge(const T& member, std::chrono::nanoseconds used) {
    const auto place = places_.find(member);
    if (place == places_.end()) return;
    Tenant& tenant = place->second.tenant->second;
    ring_.Charge(&tenant, used);
    tenant.levels.find(place->second.priority)->second.jobs.Charge(member, used);
  }

 private:
  struct Level {
    DeficitRing<T> jobs;
    TimePoint since;  // it waits
  };
  struct Tenant {
    std::map<int32_t, Level> levels;  // by priority
    Level* chosen = nullptr;          // by the Next() under way
  };
  using Tenants = std::map<std::string, Tenant>;
  struct Place {
    typename Tenants::value_type* tenant;
    int32_t priority;
  };

  // The level with the highest priority, ageing counted; jobs that cannot go do not age.
  template <typename CanGo>
  static Level* Choose(Tenant& tenant, TimePoint now, CanGo&& can_go) {
    Level* best = nullptr;
    std::chrono::nanoseconds best_rank{};
    for (auto level = tenant.levels.rbegin(); level != tenant.levels.rend(); ++level) {
      if (!level->second.jobs.Any(can_go)) {
        level->second.since = now;
        continue;
      }
      const auto rank = (now - level->second.since) + int64_t{level->first} * kAgeing;
      if (best != nullptr && rank <= best_rank) continue;
      best = &level->second;
      best_rank = rank;
    }
    return best;
  }

  // Tenants without jobs stay while they are in debt, so that none gets rid of it by going away.
  void ForgetAbsent() {
    while (!absent_.empty() &&
           (absent_.size() > kMostAbsent || !ring_.InDebt(&absent_.front()->second))) {
      ring_.Remove(&absent_.front()->second);
      tenants_.erase(tenants_.find(absent_.front()->first));
      absent_.pop_front();
    }
  }

  Tenants tenants_;
  DeficitRing<Tenant*> ring_;
  std::map<T, Place> places_;
  std::list<typename Tenants::value_type*> absent_;  // the one that left first is first
};

}  // namespace wb
