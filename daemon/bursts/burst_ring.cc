#include "daemon/bursts/burst_ring.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

struct Cursor {
  const std::deque<KeptBurstRef>* row = nullptr;
  size_t next = 0;
  bool IsAtEnd() const { return next == row->size(); }
  const KeptBurstRef& burst() const { return (*row)[next]; }
};

}  // namespace

void BurstRing::Add(int64_t start_unix_ns, BurstRecord burst) {
  Row& row = devices_[burst.device];
  row.push_back(
      std::make_shared<const KeptBurst>(KeptBurst{++order_, start_unix_ns, std::move(burst)}));
  if (row.size() > kept_) row.pop_front();
}

BurstRing::Page BurstRing::Read(const BurstPlace& after, const std::string& device,
                                size_t most) const {
  Page page;
  page.place = after;
  std::vector<Cursor> cursors;
  for (const auto& [name, row] : devices_) {
    if (!device.empty() && name != device) continue;
    const auto known = after.find(name);
    const uint64_t read = known == after.end() ? 0 : known->second;
    const auto next = std::upper_bound(
        row.begin(), row.end(), read,
        [](uint64_t number, const KeptBurstRef& at) { return number < at->burst.number; });
    if (next == row.end()) continue;
    if (next == row.begin()) page.missed += (*next)->burst.number - read - 1;
    page.place[name] = (*next)->burst.number - 1;  // what was missed is counted once
    cursors.push_back({&row, static_cast<size_t>(next - row.begin())});
  }
  while (!cursors.empty() && page.bursts.size() < most) {
    const auto first = std::min_element(
        cursors.begin(), cursors.end(),
        [](const Cursor& a, const Cursor& b) { return a.burst()->order < b.burst()->order; });
    const KeptBurstRef& burst = first->burst();
    page.bursts.push_back(burst);
    page.place[burst->burst.device] = burst->burst.number;
    if (++first->next; first->IsAtEnd()) cursors.erase(first);
  }
  return page;
}

BurstPlace BurstRing::Begin() const {
  BurstPlace place;
  for (const auto& [name, row] : devices_) place[name] = row.front()->burst.number - 1;
  return place;
}

}  // namespace wb
