#include "scheduler/devices/cuda/lanes/group_lanes.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"

namespace wb {

Status GroupLanes::MakeRoom(uint32_t lane, uint32_t pages) {
  return lanes_->mapped == nullptr ? Status()
                                   : lanes_->mapped->Grow(lane / abi::GROUP_LANES, pages);
}

// An imported instance may use what its group has, and no more of the reserve.
void GroupLanes::RecordChanged(uint32_t lane) {
  changed_ = true;
  if (lanes_->mapped == nullptr) return;
  words(lane).at(abi::LANE_CAPACITY_PAGES) = lanes_->mapped->pages(lane / abi::GROUP_LANES);
}

Status GroupLanes::ClearHeaders(uint32_t lanes) {
  const uint32_t groups = (lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES;
  for (uint64_t group = 0; group < groups; ++group) {
    WB_CUDA_TRY(context_->driver(), memory_set,
                (lanes_->address() + group * lane_words_ * kRowBytes, 0,
                 abi::LANE_STAGE * kRowBytes, context_->move_stream()));
  }
  WB_CUDA_TRY(context_->driver(), stream_synchronize, (context_->move_stream()));
  return {};
}

uint64_t GroupLanes::AddressOf(uint64_t word) const {
  return lanes_->address() + (number_ * lane_words_ + word) * kRowBytes;
}

bool GroupLanes::IsHere(const LaneRange& range) const {
  return std::any_of(fetched_.begin(), fetched_.end(), [&](const LaneRange& here) {
    return here.at <= range.at && range.at + range.words <= here.at + here.words;
  });
}

LaneWords GroupLanes::words(uint32_t lane) {
  WB_CHECK(lane / abi::GROUP_LANES == number_);
  return WordsInGroup(reinterpret_cast<uint32_t*>(group_.data()), lane, lanes_->order());
}

// Changes go up first, since the range may hold some of the changed words.
Status GroupLanes::Fetch(uint32_t lane, const LaneRange& range) {
  const uint32_t number = lane / abi::GROUP_LANES;
  if (number == number_ && IsHere(range)) return {};
  WB_TRY(Flush());
  if (number != number_) fetched_.clear();
  number_ = number;
  WB_CUDA_TRY(context_->driver(), copy_to_host,
              (group_.data() + range.at * kRowBytes, AddressOf(range.at), range.words * kRowBytes,
               context_->move_stream()));
  WB_CUDA_TRY(context_->driver(), stream_synchronize, (context_->move_stream()));
  fetched_.push_back(range);
  most_bytes_ = std::max(most_bytes_, (range.at + range.words) * kRowBytes);
  return {};
}

Status GroupLanes::Flush() {
  if (!std::exchange(changed_, false)) return {};
  for (const LaneRange& range : fetched_) {
    WB_CUDA_TRY(context_->driver(), copy_to_device,
                (AddressOf(range.at), group_.data() + range.at * kRowBytes, range.words * kRowBytes,
                 context_->move_stream()));
  }
  WB_CUDA_TRY(context_->driver(), stream_synchronize, (context_->move_stream()));
  return {};
}

}  // namespace wb
