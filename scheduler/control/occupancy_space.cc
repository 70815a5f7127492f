#include "scheduler/control/occupancy_space.h"

#include <algorithm>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

constexpr uint32_t kUsualBlock = 128;
constexpr uint32_t kGroup = abi::GROUP_LANES;
constexpr uint32_t kLeastShare = 64;  // of the lanes a GPU holds, the fewest that are tried
constexpr double kFewer = 0.8;        // of all lanes: more are as good as all

// The largest of the usual kind that so many lanes are a whole number of.
uint32_t BlockFor(uint32_t lanes) {
  uint32_t block = kUsualBlock;
  while (lanes % block != 0) block /= 2;
  return block;
}

}  // namespace

OccupancySpace::OccupancySpace(uint32_t processors, uint32_t threads)
    : processors_(std::max(processors, 1u)), threads_(threads) {}

void OccupancySpace::SetLaunches(uint32_t lanes, uint32_t abreast) {
  lanes_ = lanes * abreast;
  abreast_ = abreast;
}

bool OccupancySpace::IsLike(uint32_t lanes, uint32_t abreast) const {
  const uint64_t all = uint64_t{lanes} * abreast;
  return abreast == abreast_ && all >= lanes_ / 10 * 9 && all / 10 * 9 <= lanes_;
}

bool OccupancySpace::IsFewer(uint32_t lanes) const { return lanes <= lanes_ * kFewer; }

// Where a launch has less than a group for every processor, the launches together have whole groups
// for each.
Occupancy OccupancySpace::Of(uint32_t lanes) const {
  uint32_t each = lanes / processors_;
  if (each >= kUsualBlock * abreast_) {
    each -= each % (kUsualBlock / 2 * abreast_);
  } else {
    each -= each % (each >= kGroup * abreast_ ? kGroup * abreast_ : kGroup);
  }
  const uint32_t block = each < kGroup * abreast_ ? kGroup : BlockFor(each / abreast_);
  const bool enough = each != 0 && uint64_t{each} * processors_ * kLeastShare >= threads_;
  return enough ? Occupancy{each * processors_, block == kUsualBlock ? 0 : block} : Occupancy();
}

Occupancy OccupancySpace::PartOf(const Occupancy& whole, uint32_t lanes, uint32_t abreast) const {
  Occupancy part = whole;
  if (uint64_t{whole.lanes} < uint64_t{kGroup} * abreast * processors_) {
    part.lanes = (whole.lanes / abreast + kGroup - 1) / kGroup * kGroup;
    if (part.lanes >= lanes) part.lanes = 0;
    if (part.lanes != 0) part.block_threads = kGroup;
    return part;
  }
  const uint32_t share = whole.lanes / processors_ / abreast;
  const uint32_t each = (share + kGroup / 2) / kGroup * kGroup;
  if (uint64_t{each} * processors_ >= lanes) {
    part.lanes = 0;
    return part;
  }
  const uint32_t block = whole.block_threads == 0 ? kUsualBlock : whole.block_threads;
  part.lanes = each * processors_;
  if (each % block != 0) part.block_threads = BlockFor(each);
  return part;
}

Occupancy OccupancySpace::Fewest() const {
  uint32_t fewest = processors_ * kGroup;
  while (Of(fewest).lanes == 0 && fewest < lanes_) fewest *= 2;
  return fewest < lanes_ ? Of(fewest) : Occupancy();
}

Occupancy OccupancySpace::TwiceOf(const Occupancy& occupancy) const {
  const Occupancy twice = Of(occupancy.lanes * 2);
  return IsFewer(twice.lanes) ? twice : Occupancy();
}

Occupancy OccupancySpace::HalfOf(const Occupancy& occupancy) const {
  uint32_t lanes = (occupancy.lanes != 0 ? occupancy.lanes : threads_) / 2;
  while (!IsFewer(lanes)) lanes /= 2;
  return Of(lanes);
}

std::vector<Occupancy> OccupancySpace::AroundOf(const Occupancy& occupancy) const {
  const uint32_t lanes = occupancy.lanes != 0 ? occupancy.lanes : lanes_;
  std::vector<Occupancy> around;
  for (const uint32_t quarters : {3u, 6u}) {
    const Occupancy next = Of(static_cast<uint32_t>(uint64_t{lanes} * quarters / 4));
    if (next.lanes != 0 && IsFewer(next.lanes)) around.push_back(next);
  }
  return around;
}

std::vector<Occupancy> OccupancySpace::OtherBlocksOf(const Occupancy& occupancy) const {
  // 0: all lanes, which fit any block.
  const uint32_t each = occupancy.lanes / processors_ / abreast_;
  std::vector<Occupancy> others;
  for (const uint32_t block : {kUsualBlock * 2, kUsualBlock / 2}) {
    if (each % block == 0 && block != occupancy.block_threads) {
      others.push_back({occupancy.lanes, block});
    }
  }
  return others;
}

}  // namespace wb
