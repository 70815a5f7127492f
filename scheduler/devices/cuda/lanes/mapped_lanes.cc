#include "scheduler/devices/cuda/lanes/mapped_lanes.h"

#include <string>
#include <utility>

namespace wb {
namespace {

constexpr uint64_t kPageBytes = uint64_t{abi::GROUP_LANES} * abi::PAGE_BYTES;  // of a group

uint64_t RoundUp(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

std::optional<MappedPlan> MappedPlan::Of(const LaneLayout& layout, const DispatchShape& shape,
                                         uint64_t granule) {
  if (granule == 0 || !layout.memories.empty() || shape.lanes == 0) return std::nullopt;
  if (shape.FirstPages() == shape.capacity_pages) return std::nullopt;
  MappedPlan plan;
  plan.granule = granule;
  plan.groups = (uint64_t{shape.lanes} + abi::GROUP_LANES - 1) / abi::GROUP_LANES;
  plan.lane_words =
      RoundUp(layout.LaneWords(shape.Reserve(), shape.StackReserve()) * kRowBytes, granule) /
      kRowBytes;
  plan.memory_at = layout.memory_at * kRowBytes;
  plan.behind_at = plan.HeadBytes(shape.capacity_pages);
  if (layout.recursive()) plan.behind_bytes = layout.FramesWords(shape.StackReserve()) * kRowBytes;
  plan.first_pages = shape.mapped_pages;
  plan.capacity_pages = shape.capacity_pages;
  return plan;
}

uint64_t MappedPlan::HeadBytes(uint32_t pages) const { return memory_at + pages * kPageBytes; }

uint32_t MappedPlan::PagesIn(uint64_t head_bytes) const {
  return static_cast<uint32_t>(
      std::min<uint64_t>(capacity_pages, (head_bytes - memory_at) / kPageBytes));
}

uint64_t MappedPlan::FirstBytes() const {
  const uint64_t head = RoundUp(HeadBytes(first_pages), granule);
  uint64_t behind = 0;
  if (behind_bytes > 0) {
    behind =
        RoundUp(behind_at + behind_bytes, granule) - std::max(head, behind_at / granule * granule);
  }
  return groups * (head + behind);
}

uint32_t MappedPlan::NextPages(uint32_t pages, uint32_t wanted) const {
  const uint64_t usual = uint64_t{pages} + (pages + 1) / 2;
  return static_cast<uint32_t>(
      std::min<uint64_t>(capacity_pages, std::max<uint64_t>(usual, wanted)));
}

Result<std::unique_ptr<MappedLanes>> MappedLanes::Create(const CudaContextRef& context,
                                                         const MappedPlan& plan, BudgetShare& share,
                                                         uint64_t most) {
  std::unique_ptr<MappedLanes> lanes(new MappedLanes(plan, share, most));
  WB_ASSIGN(lanes->memory_, MappedMemory::Reserve(context, plan.groups * plan.GroupBytes()));
  WB_TRY(lanes->CommitFirst());
  return lanes;
}

Status MappedLanes::CommitFirst() {
  for (uint64_t group = 0; group < plan_.groups; ++group) {
    WB_TRY(CommitHead(group, plan_.first_pages));
    if (plan_.behind_bytes == 0) continue;
    WB_TRY(memory_->Commit(group * plan_.GroupBytes() + plan_.behind_at, plan_.behind_bytes));
  }
  return {};
}

uint32_t MappedLanes::least_pages() {
  if (std::exchange(has_grown_, false)) {
    least_pages_ = *std::min_element(pages_.begin(), pages_.end());
  }
  return least_pages_;
}

// A granule may hold more pages than were asked for.
Status MappedLanes::CommitHead(uint64_t group, uint32_t pages) {
  const uint64_t bytes = plan_.HeadBytes(pages);
  WB_TRY(memory_->Commit(group * plan_.GroupBytes(), bytes));
  pages_[group] = plan_.PagesIn(RoundUp(bytes, plan_.granule));
  return {};
}

Status MappedLanes::Grow(uint64_t group, uint32_t pages) {
  if (pages <= pages_[group]) return {};
  if (pages > plan_.capacity_pages) {
    return {Reason::kNoDeviceFits, "A lane of [" + std::to_string(pages) +
                                       "] pages is larger than the addresses for [" +
                                       std::to_string(plan_.capacity_pages) + "]."};
  }
  const uint64_t missing = memory_->Missing(group * plan_.GroupBytes(), plan_.HeadBytes(pages));
  if (!share_.Grow(missing, most_)) {
    return {Reason::kNoDeviceFits, "A group of lanes needs [" + std::to_string(missing) +
                                       "] bytes more than it has, and the device's [" +
                                       std::to_string(most_) + "] are used."};
  }
  const uint64_t before = memory_->committed_bytes();
  Status status = CommitHead(group, pages);
  share_.Shrink(missing - (memory_->committed_bytes() - before));
  has_grown_ = true;
  return status;
}

Status MappedLanes::GrowWell(uint64_t group, uint32_t wanted) {
  const uint32_t next = plan_.NextPages(pages_[group], wanted);
  if (wanted <= pages_[group] || next <= wanted) return Grow(group, wanted);
  Status status = Grow(group, next);
  return status.reason() == Reason::kNoDeviceFits ? Grow(group, wanted) : status;
}

}  // namespace wb
