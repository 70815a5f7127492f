#include "scheduler/job/backlog.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

uint32_t LanesAfterDeaths(uint32_t deaths, uint32_t lanes) {
  if (deaths == 0) return lanes;
  return std::min(lanes, deaths == 1 ? 32u : 1u);
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

uint64_t Backlog::size() const { return returned() + (instances_ - next_); }

uint64_t Backlog::size(SeatClass seat_class) const {
  return returned(seat_class) + (seat_class == SeatClass{} ? instances_ - next_ : 0);
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
    WB_CHECK(seat_class == SeatClass{} && next_ < instances_);
    return {next_++, 1, {}};
  }
  InstanceRef instance = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) returned_.erase(found);
  return instance;
}

InstanceRef Claim::At(uint64_t i) const {
  if (i < returned_.size()) return returned_[i];
  return {first_ + (i - returned_.size()), 1, {}};
}

void Claim::GiveRooms(std::vector<WholeRoomRef> rooms) {
  WB_CHECK(rooms.size() == returned_.size());
  for (size_t i = 0; i < rooms.size(); ++i) returned_[i].room = std::move(rooms[i]);
}

Claim Backlog::Take(SeatClass seat_class, uint64_t at_most) {
  std::vector<InstanceRef> returned;
  while (returned.size() < at_most && returned_.count(seat_class) > 0) {
    returned.push_back(Take(seat_class));
  }
  const uint64_t first = next_;
  const uint64_t more = at_most - returned.size();
  const uint64_t fresh = seat_class == SeatClass{} ? std::min(more, instances_ - next_) : 0;
  next_ += fresh;
  return {std::move(returned), first, fresh};
}

Backlog::Sizes Backlog::sizes() const {
  Sizes sizes;
  for (const SeatClass seat_class : classes()) sizes.emplace_back(seat_class, size(seat_class));
  return sizes;
}

Claim Backlog::TakeRest() {
  std::vector<InstanceRef> returned;
  for (const auto& [seat_class, instances] : returned_) {
    returned.insert(returned.end(), instances.begin(), instances.end());
  }
  returned_.clear();
  std::sort(returned.begin(), returned.end(),
            [](const InstanceRef& a, const InstanceRef& b) { return a.instance < b.instance; });
  const uint64_t first = std::exchange(next_, instances_);
  return {std::move(returned), first, instances_ - first};
}

}  // namespace wb
