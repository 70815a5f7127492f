#include "scheduler/job/backlog.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

uint32_t LanesAfterDeaths(uint32_t deaths, uint32_t lanes) {
  if (deaths == 0) return lanes;
  return std::min(lanes, deaths == 1 ? 32u : 1u);
}

namespace {

// The groups that the ranges touch.
std::vector<InstanceRange> WholeGroups(const std::vector<InstanceRange>& ranges, uint32_t group,
                                       uint64_t instances) {
  InstanceSet whole;
  for (const InstanceRange& range : ranges) {
    const uint64_t first = range.first / group * group;
    const uint64_t end = (range.first + range.count + group - 1) / group * group;
    whole.Add(first, std::min(end, instances) - first);
  }
  return whole.ranges();
}

// Those that begin at their start.
std::vector<InstanceRange> FreshOf(uint64_t instances, const JobBefore& before, uint32_t group) {
  if (group > 1) return WholeGroups(before.finished.Missing(instances), group, instances);
  InstanceSet known = before.finished;
  for (const LeftInstance& left : before.midway) known.Add(left.instance, 1);
  return known.Missing(instances);
}

}  // namespace

InstanceRef BeginningIn(const LeftInstance& left) {
  InstanceRef instance{left.instance, left.attempt, {}};
  const StateNeeds& needs = left.state->needs();
  instance.seat_class.pages = needs.pages;
  instance.seat_class.further_pages = needs.further_pages;
  instance.seat_class.stack = needs.stack;
  instance.seat_class.has_state = true;
  instance.given = left.state;
  return instance;
}

Backlog::Backlog(uint64_t instances, const JobBefore* before, uint32_t group) : group_(group) {
  std::vector<InstanceRange> fresh = {{0, instances}};
  if (before != nullptr) {
    fresh = FreshOf(instances, *before, group);
    attempt_ = before->attempt;
    for (const LeftInstance& left : before->midway) {
      if (group == 1) Return(BeginningIn(left));
    }
  }
  for (const InstanceRange& range : fresh) fresh_count_ += range.count;
  fresh_.assign(fresh.begin(), fresh.end());
}

uint64_t Backlog::returned() const {
  uint64_t count = 0;
  for (const auto& [seat_class, instances] : returned_) count += instances.size();
  return count;
}

uint64_t Backlog::returned(SeatClass seat_class) const {
  const auto found = returned_.find(seat_class);
  return found == returned_.end() ? 0 : found->second.size();
}

uint64_t Backlog::outgrown() const {
  uint64_t count = 0;
  for (const auto& [seat_class, instances] : returned_) {
    if (seat_class.whole_result) count += instances.size();
  }
  return count;
}

uint64_t Backlog::size() const { return returned() + fresh_count_; }

uint64_t Backlog::size(SeatClass seat_class) const {
  return returned(seat_class) + (seat_class == SeatClass{} ? fresh_count_ : 0);
}

std::vector<SeatClass> Backlog::classes() const {
  std::vector<SeatClass> classes;
  if (size(SeatClass{}) > 0) classes.push_back({});
  for (const auto& [seat_class, instances] : returned_) {
    if (seat_class != SeatClass{}) classes.push_back(seat_class);
  }
  return classes;
}

InstanceRef Backlog::Take(SeatClass seat_class) {
  const auto found = returned_.find(seat_class);
  if (found == returned_.end()) {
    WB_CHECK(seat_class == SeatClass{} && fresh_count_ > 0);
    return {TakeFresh(1).first, attempt_, {}};
  }
  InstanceRef instance = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) returned_.erase(found);
  return instance;
}

InstanceRef Claim::At(uint64_t i) const {
  if (i < returned_.size()) return returned_[i];
  return {fresh_.first + (i - returned_.size()), attempt_, {}};
}

void Claim::GiveRooms(std::vector<WholeRoomRef> rooms) {
  WB_CHECK(rooms.size() == returned_.size());
  for (size_t i = 0; i < rooms.size(); ++i) returned_[i].room = std::move(rooms[i]);
}

std::vector<InstanceRef> Backlog::TakeReturnedGroups(SeatClass seat_class, uint64_t at_most) {
  std::vector<InstanceRef> taken;
  const auto found = returned_.find(seat_class);
  if (found == returned_.end()) return taken;
  std::deque<InstanceRef>& all = found->second;
  while (!all.empty()) {
    const uint64_t group = all.front().instance / group_;
    size_t size = 1;
    while (size < all.size() && all[size].instance / group_ == group) ++size;
    if (taken.size() + size > at_most) break;
    taken.insert(taken.end(), all.begin(), all.begin() + static_cast<ptrdiff_t>(size));
    all.erase(all.begin(), all.begin() + static_cast<ptrdiff_t>(size));
  }
  if (all.empty()) returned_.erase(found);
  return taken;
}

Claim Backlog::TakeGroups(SeatClass seat_class, uint64_t at_most) {
  std::vector<InstanceRef> returned = TakeReturnedGroups(seat_class, at_most);
  if (seat_class != SeatClass{} || fresh_.empty()) return {std::move(returned), {}, attempt_};
  const InstanceRange& range = fresh_.front();
  uint64_t count = std::min(at_most - returned.size(), range.count);
  if (count < range.count) count = (range.first + count) / group_ * group_ - range.first;
  return {std::move(returned), TakeFresh(count), attempt_};
}

Claim Backlog::Take(SeatClass seat_class, uint64_t at_most) {
  if (group_ > 1) return TakeGroups(seat_class, at_most);
  std::vector<InstanceRef> returned;
  while (returned.size() < at_most && returned_.count(seat_class) > 0) {
    returned.push_back(Take(seat_class));
  }
  if (seat_class != SeatClass{}) return {std::move(returned), {}, attempt_};
  // Ranges that are too short for what is wanted go one by one, or they would be launched alone.
  while (fresh_.size() > 1 && fresh_.front().count < at_most - returned.size()) {
    for (uint64_t left = fresh_.front().count; left > 0; --left) {
      returned.push_back({TakeFresh(1).first, attempt_, {}});
    }
  }
  const InstanceRange fresh = TakeFresh(at_most - returned.size());
  return {std::move(returned), fresh, attempt_};
}

InstanceRange Backlog::TakeFresh(uint64_t at_most) {
  if (fresh_.empty()) return {};
  InstanceRange& range = fresh_.front();
  const InstanceRange taken{range.first, std::min(at_most, range.count)};
  range.first += taken.count;
  range.count -= taken.count;
  fresh_count_ -= taken.count;
  if (range.count == 0) fresh_.pop_front();
  return taken;
}

Backlog::Sizes Backlog::sizes() const {
  Sizes sizes;
  for (const SeatClass seat_class : classes()) sizes.emplace_back(seat_class, size(seat_class));
  return sizes;
}

std::vector<InstanceRef> Backlog::TakeMoved() {
  std::vector<InstanceRef> moved;
  for (auto& [seat_class, instances] : returned_) {
    std::deque<InstanceRef> others;
    for (InstanceRef& instance : instances) {
      if (instance.moved != nullptr) {
        moved.push_back(std::move(instance));
      } else {
        others.push_back(std::move(instance));
      }
    }
    instances.swap(others);
  }
  std::erase_if(returned_, [](const auto& its) { return its.second.empty(); });
  return moved;
}

std::vector<InstanceRange> Backlog::Ended(uint64_t instances) const {
  InstanceSet waiting;
  for (const InstanceRange& range : fresh_) waiting.Add(range.first, range.count);
  for (const auto& [seat_class, its] : returned_) {
    for (const InstanceRef& instance : its) waiting.Add(instance.instance, 1);
  }
  return waiting.Missing(instances);
}

Backlog::Rest Backlog::TakeRest() {
  Rest rest;
  rest.attempt = attempt_;
  std::vector<InstanceRef>& returned = rest.returned;
  for (const auto& [seat_class, instances] : returned_) {
    returned.insert(returned.end(), instances.begin(), instances.end());
  }
  returned_.clear();
  std::sort(returned.begin(), returned.end(),
            [](const InstanceRef& a, const InstanceRef& b) { return a.instance < b.instance; });
  rest.fresh.assign(fresh_.begin(), fresh_.end());
  fresh_.clear();
  fresh_count_ = 0;
  return rest;
}

}  // namespace wb
