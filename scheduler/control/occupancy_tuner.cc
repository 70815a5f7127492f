#include "scheduler/control/occupancy_tuner.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

constexpr uint32_t kUsualBlock = 128;
constexpr uint32_t kGroup = abi::GROUP_LANES;
constexpr uint32_t kLeastShare = 64;      // of the lanes a GPU holds, the fewest that are tried
constexpr double kFewer = 0.8;            // of all lanes: more are as good as all
constexpr double kLost = 0.9;             // of the best rate: lanes become no more
constexpr uint32_t kMostUnfitRising = 4;  // as kMostUnfit: lanes that become more are full at once
constexpr uint32_t kMostMisses = 3, kLoss = 2;  // a trial without gain is one, with a loss two
constexpr uint32_t kLongestPatience = 4096;
constexpr uint32_t kPatienceGrowth = 8;
constexpr double kUsualRateShare = 1.0 / 16;  // share of the last launch in what is usual

// The largest of the usual kind that so many lanes are a whole number of.
uint32_t BlockFor(uint32_t lanes) {
  uint32_t block = kUsualBlock;
  while (lanes % block != 0) block /= 2;
  return block;
}

double Seconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

OccupancyTuner::OccupancyTuner(uint32_t processors, uint32_t threads, bool few_registers)
    : processors_(std::max(processors, 1u)), threads_(threads), few_registers_(few_registers) {}

bool OccupancyTuner::IsLike(uint32_t lanes, uint32_t abreast) const {
  const uint64_t all = uint64_t{lanes} * abreast;
  return abreast == abreast_ && all >= lanes_ / 10 * 9 && all / 10 * 9 <= lanes_;
}

// So many lanes, the same number on every processor and in every launch, in blocks that allow for
// it; none where that is too few. Where a launch has less than a group for every processor, the
// launches together have whole groups for each.
Occupancy OccupancyTuner::Of(uint32_t lanes) const {
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

// What one of so many launches fills, each of a dispatch of so many lanes.
Occupancy OccupancyTuner::PartOf(const Occupancy& whole, uint32_t lanes, uint32_t abreast) const {
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

OccupancyTuner::Wish OccupancyTuner::Next(uint32_t lanes, uint32_t abreast) const {
  abreast = std::max(abreast, 1u);
  Wish wish;
  wish.round = round_;
  wish.occupancy = settled_;
  if (explores() && IsLike(lanes, abreast)) {
    const bool is_final = stage_ == Stage::kBest || stage_ == Stage::kAll;
    wish.occupancy = trial_.occupancy;
    // Where instances are long the lanes become fewer only slowly.
    wish.longest = (is_final ? kFinalTime : kTrialTime) * (1 + trial_.unfit / abreast) * kLaunches /
                   std::max(kLaunches, abreast);
  }
  wish.occupancy = PartOf(wish.occupancy, lanes, abreast);
  return wish;
}

void OccupancyTuner::BeginDispatch(uint32_t lanes, uint32_t abreast) {
  if (!instances_are_long_ || is_settled_ || explores()) return;
  abreast_ = std::max(abreast, 1u);
  lanes_ = lanes * abreast_;
  best_ = {};
  best_rate_ = 0;
  stage_ = Stage::kRising;
  uint32_t fewest = processors_ * kGroup;
  while (Of(fewest).lanes == 0 && fewest < lanes_) fewest *= 2;
  Try(fewest < lanes_ ? Of(fewest) : Occupancy());
}

void OccupancyTuner::Record(const OccupancyLaunch& launch) {
  if (launch.round != round_) return;
  if (explores() && !IsLike(launch.lanes, launch.abreast)) return;
  in_a_row_ = !launch.full ? 0 : launch.alone ? 1 : in_a_row_ + 1;
  explores() ? RecordTrial(launch) : RecordSettled(launch);
}

// The first ones of a round ran beside launches of before, which had other lanes or lasted longer;
// and so do those after one that was not full beside that.
bool OccupancyTuner::IsSteady(const OccupancyLaunch& launch) const {
  return in_a_row_ >= launch.abreast;
}

void OccupancyTuner::BeginRound() {
  ++round_;
  in_a_row_ = 0;
  row_ = Tally();
}

void OccupancyTuner::Tally::Add(const OccupancyLaunch& launch) {
  fuel += launch.fuel;
  in_turn += Seconds(launch.busy);
  side_by_side += Seconds(launch.abreast > 1 ? launch.air / launch.abreast : launch.busy);
  ++launches;
}

bool OccupancyTuner::Tally::IsSure() const {
  return std::max(in_turn, side_by_side) <= std::min(in_turn, side_by_side) * (1 + kAlike);
}

void OccupancyTuner::RecordSettled(const OccupancyLaunch& launch) {
  if (!IsSteady(launch)) {
    row_ = Tally();
    return;
  }
  row_.Add(launch);
  if (row_.launches < launch.abreast) return;
  const Tally row = std::exchange(row_, Tally());
  if (row.in_turn < Seconds(kLeastTime)) return;
  if (!IsLike(launch.lanes, launch.abreast)) {
    lanes_ = launch.lanes * launch.abreast;
    abreast_ = launch.abreast;
    usual_rate_ = 0;
    fit_launches_ = low_rows_ = 0;
  }
  if (row.IsSure()) RecordUsual(row.rate());
  fit_launches_ += row.launches;
  const bool wants = !is_settled_ || low_rows_ >= kFallenFor;
  if (wants && fit_launches_ >= patience_) Explore();
}

void OccupancyTuner::RecordUsual(double rate) {
  if (usual_rate_ == 0) usual_rate_ = rate;
  const bool is_low = rate < usual_rate_ * kFallen;
  low_rows_ = is_low ? low_rows_ + 1 : 0;
  if (!is_low) usual_rate_ += (rate - usual_rate_) * kUsualRateShare;
}

void OccupancyTuner::Explore() {
  patience_ = std::min(patience_ * kPatienceGrowth, kLongestPatience);
  stage_ = Stage::kHalves;
  misses_ = 0;
  best_rate_ = 0;
  next_.clear();
  Try(Occupancy());
}

void OccupancyTuner::Try(const Occupancy& occupancy) {
  BeginRound();
  trial_ = Trial();
  trial_.occupancy = occupancy;
}

void OccupancyTuner::RecordTrial(const OccupancyLaunch& launch) {
  Tally& tally = trial_.tally;
  if (IsSteady(launch)) tally.Add(launch);
  const bool begins = launch.full && !IsSteady(launch);  // as is usual
  const bool is_fit = launch.full && tally.in_turn >= Seconds(kLeastTime);
  if (!begins && !is_fit) ++trial_.unfit;
  const uint32_t most = (stage_ == Stage::kRising ? kMostUnfitRising : kMostUnfit) * abreast_;
  if (++trial_.noted - tally.launches >= most || trial_.unfit >= most) {
    instances_are_long_ = stage_ != Stage::kRising && !launch.full;
    return EndExploring();
  }
  if (begins || !is_fit) return;
  const bool hopeless = stage_ != Stage::kAll && tally.launches >= abreast_ &&
                        tally.highest() < best_rate_ * kHopeless;
  const uint32_t wanted = (tally.IsSure() ? kLaunches : kMost) * abreast_;
  if (hopeless || tally.launches >= wanted) Conclude();
}

void OccupancyTuner::Conclude() {
  const double rate = trial_.tally.rate();
  if (stage_ == Stage::kRising) return ConcludeRising(rate);
  if (stage_ == Stage::kBest) {
    stage_ = Stage::kAll;
    best_rate_ = rate;
    surely_ = trial_.tally.lowest();
    return Try(Occupancy());
  }
  if (stage_ == Stage::kAll) {
    const bool is_better = surely_ >= trial_.tally.highest() * kBetter;
    return Settle(is_better ? OccupancyChoice{best_, best_rate_ / rate} : OccupancyChoice());
  }
  const bool lost_much = rate < best_rate_ * kHopeless;
  if (rate >= best_rate_ * kBetter) {
    best_ = trial_.occupancy;
    best_rate_ = rate;
    misses_ = 0;
  } else {
    misses_ += rate * kBetter < best_rate_ ? kLoss : 1;
  }
  if (stage_ == Stage::kHalves) return TryHalf(lost_much);
  TryNext();
}

// With more lanes than are best their instances would last on, so it ends with the first loss.
void OccupancyTuner::ConcludeRising(double rate) {
  const bool is_all = trial_.occupancy.lanes == 0;
  if (rate >= best_rate_ * kBetter) {
    best_ = trial_.occupancy;
    best_rate_ = rate;
  }
  if (rate < best_rate_ * kLost) return Settle({best_, best_rate_ / rate});
  if (is_all) {
    const bool is_better = best_rate_ >= rate * kBetter;
    return Settle(is_better ? OccupancyChoice{best_, best_rate_ / rate} : OccupancyChoice());
  }
  const Occupancy twice = Of(trial_.occupancy.lanes * 2);
  Try(twice.lanes <= lanes_ * kFewer ? twice : Occupancy());
}

// One step goes beyond a loss that is not large, and two beyond what is none: it may be the next
// one that fits the caches.
void OccupancyTuner::TryHalf(bool lost_much) {
  uint32_t lanes = trial_.occupancy.lanes != 0 ? trial_.occupancy.lanes / 2 : threads_ / 2;
  while (lanes > lanes_ * kFewer) lanes /= 2;
  const Occupancy half = Of(lanes);
  if (half.lanes != 0 && !lost_much && misses_ < kMostMisses) return Try(half);
  ListBetween();
  TryNext();
}

void OccupancyTuner::TryNext() {
  while (next_.empty()) {
    if (stage_ == Stage::kBlocks && few_registers_) {
      ListRegisters();
    } else if (stage_ == Stage::kBlocks || stage_ == Stage::kRegisters) {
      if (best_ == Occupancy()) return Settle({});
      stage_ = Stage::kBest;
      return Try(best_);
    } else {
      ListBlocks();
    }
  }
  const Occupancy next = next_.back();
  next_.pop_back();
  Try(next);
}

void OccupancyTuner::ListBetween() {
  stage_ = Stage::kBetween;
  const uint32_t lanes = best_.lanes != 0 ? best_.lanes : lanes_;
  for (const uint32_t quarters : {3u, 6u}) {
    const Occupancy between = Of(static_cast<uint32_t>(uint64_t{lanes} * quarters / 4));
    if (between.lanes != 0 && between.lanes <= lanes_ * kFewer) next_.push_back(between);
  }
}

void OccupancyTuner::ListBlocks() {
  stage_ = Stage::kBlocks;
  const uint32_t each = best_.lanes / processors_ / abreast_;  // 0: all lanes, which fit any block
  for (const uint32_t block : {kUsualBlock * 2, kUsualBlock / 2}) {
    if (each % block == 0 && block != best_.block_threads) next_.push_back({best_.lanes, block});
  }
}

void OccupancyTuner::ListRegisters() {
  stage_ = Stage::kRegisters;
  const Occupancy all = {.few_registers = true};
  Occupancy best = best_;
  best.few_registers = true;
  if (best != all) next_.push_back(best);
  next_.push_back(all);
}

void OccupancyTuner::Settle(const OccupancyChoice& choice) {
  Adopt(choice.occupancy);
  news_ = choice;
  EndExploring();
}

void OccupancyTuner::Adopt(const Occupancy& occupancy) {
  BeginRound();
  settled_ = occupancy;
  is_settled_ = true;
}

void OccupancyTuner::EndExploring() {
  BeginRound();
  stage_ = Stage::kNone;
  usual_rate_ = 0;
  fit_launches_ = low_rows_ = 0;
}

std::optional<OccupancyChoice> OccupancyTuner::TakeChoice() { return std::exchange(news_, {}); }

}  // namespace wb
