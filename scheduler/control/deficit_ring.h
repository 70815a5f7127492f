#pragma once

// DeficitRing: which member goes next, so that each that can go gets a share of the device's time
// by weight (deficit round robin; what a turn costs is known only after it). Pure.
//
// Each member has a credit of time, pays each turn out of it, and goes when it is above nothing;
// when none that can go has any, all get some more. Newcomers go before the others, but never twice
// in a row, so that one turn waits for few others and a flood of newcomers for those that were
// there. Credit is not saved up: a member that could not go does not go more often later. Debt
// stays.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>
#include <map>
#include <optional>

namespace wb {

template <typename T>
class DeficitRing {
 public:
  using Time = std::chrono::duration<double>;
  // What all get, times their weight, in a round. Turns of any length are fair over time; the
  // shorter this, the sooner.
  static constexpr Time kGrant{0.05};
  static constexpr double kLeastWeight = 0.01;

  void Add(const T& member, double weight) {
    weight = std::max(weight, kLeastWeight);
    fresh_.push_back({member, weight, kGrant * weight});
    places_[member] = std::prev(fresh_.end());
  }

  void Remove(const T& member) {
    const auto place = places_.find(member);
    if (place == places_.end()) return;
    (place->second->fresh ? fresh_ : ring_).erase(place->second);
    places_.erase(place);
  }

  bool empty() const { return places_.empty(); }
  bool InDebt(const T& member) const {
    const auto place = places_.find(member);
    return place != places_.end() && place->second->credit < Time(0);
  }

  template <typename CanGo>
  bool Any(CanGo&& can_go) const {
    const auto able = [&](const Member& member) { return can_go(member.member); };
    return std::any_of(fresh_.begin(), fresh_.end(), able) ||
           std::any_of(ring_.begin(), ring_.end(), able);
  }

  // The next among those that `can_go`; the turn passes on behind it.
  template <typename CanGo>
  std::optional<T> Next(CanGo&& can_go) {
    const bool owed = last_was_fresh_ && OthersCanGo(can_go);
    if (!owed) {
      if (auto found = FromFresh(can_go)) return found;
    }
    return FromRing(can_go);
  }

  void Charge(const T& member, Time used) {
    const auto place = places_.find(member);
    if (place != places_.end()) place->second->credit -= used;
  }

 private:
  struct Member {
    T member;
    double weight;
    Time credit;
    bool fresh = true;
  };
  using List = std::list<Member>;

  // In the ring, beside the newcomer that went last.
  template <typename CanGo>
  bool OthersCanGo(CanGo&& can_go) const {
    return std::any_of(ring_.begin(), ring_.end(), [&](const Member& member) {
      return member.member != last_ && can_go(member.member);
    });
  }

  std::optional<T> Pass(List& from, typename List::iterator member) {
    last_was_fresh_ = member->fresh;
    last_ = member->member;
    member->fresh = false;
    ring_.splice(ring_.end(), from, member);
    return member->member;
  }

  template <typename CanGo>
  std::optional<T> FromFresh(CanGo&& can_go) {
    for (auto member = fresh_.begin(); member != fresh_.end(); ++member) {
      if (can_go(member->member)) return Pass(fresh_, member);
    }
    return std::nullopt;
  }

  template <typename CanGo>
  std::optional<T> FromRing(CanGo&& can_go) {
    auto least = ring_.end();  // the one that needs the fewest rounds
    double rounds = 0;
    for (auto member = ring_.begin(); member != ring_.end(); ++member) {
      if (!can_go(member->member)) continue;
      if (member->credit > Time(0)) return Pass(ring_, member);
      const double needs = std::floor(-member->credit / (kGrant * member->weight)) + 1;
      if (least != ring_.end() && needs >= rounds) continue;
      least = member;
      rounds = needs;
    }
    if (least == ring_.end()) return std::nullopt;
    for (Member& member : ring_) {
      const Time grant = kGrant * member.weight;
      member.credit = std::min(grant, member.credit + rounds * grant);
    }
    return Pass(ring_, least);
  }

  List fresh_;
  List ring_;  // the one that went last is last
  std::map<T, typename List::iterator> places_;
  std::optional<T> last_;  // perhaps not here any more
  bool last_was_fresh_ = false;
};

}  // namespace wb
