#include "scheduler/control/residency_tuner.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

constexpr uint32_t kUsualBlock = 128;
constexpr uint32_t kLeastShare = 32;  // of the lanes a GPU holds, the fewest that are tried
constexpr double kFewer = 0.8;        // of all lanes: more are as good as all
constexpr uint32_t kMostMisses = 2;
constexpr uint32_t kLongestPatience = 4096;
constexpr uint32_t kPatienceGrowth = 8;
constexpr double kUsual = 1.0 / 16;  // share of the last launch in what is usual

// The largest of the usual kind that so many lanes are a whole number of.
uint32_t BlockFor(uint32_t lanes) {
  uint32_t block = kUsualBlock;
  while (lanes % block != 0) block /= 2;
  return block;
}

double Seconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

ResidencyTuner::ResidencyTuner(uint32_t processors, uint32_t threads)
    : processors_(std::max(processors, 1u)), threads_(threads) {}

bool ResidencyTuner::IsLike(uint32_t lanes, uint32_t abreast) const {
  const uint64_t all = uint64_t{lanes} * abreast;
  return abreast == abreast_ && all >= lanes_ / 10 * 9 && all / 10 * 9 <= lanes_;
}

// So many lanes, the same number on every processor and in every launch, in blocks that allow for
// it; none where that is too few.
Residency ResidencyTuner::Of(uint32_t lanes) const {
  uint32_t each = lanes / processors_;
  const bool many = each >= kUsualBlock * abreast_;
  each -= each % ((many ? kUsualBlock / 2 : abi::GROUP_LANES) * abreast_);
  const uint32_t block = BlockFor(each / abreast_);
  const bool enough = each != 0 && uint64_t{each} * processors_ * kLeastShare >= threads_;
  return enough ? Residency{each * processors_, block == kUsualBlock ? 0 : block} : Residency();
}

// What one of so many launches fills, each of a dispatch of so many lanes.
Residency ResidencyTuner::PartOf(const Residency& whole, uint32_t lanes, uint32_t abreast) const {
  constexpr uint32_t kGroup = abi::GROUP_LANES;
  const uint32_t share = whole.lanes / processors_ / abreast;
  const uint32_t each = std::max((share + kGroup / 2) / kGroup, 1u) * kGroup;
  if (whole.lanes == 0 || uint64_t{each} * processors_ >= lanes) return {0, whole.block_threads};
  const uint32_t block = whole.block_threads == 0 ? kUsualBlock : whole.block_threads;
  return {each * processors_, each % block == 0 ? whole.block_threads : BlockFor(each)};
}

ResidencyTuner::Wish ResidencyTuner::Next(uint32_t lanes, uint32_t abreast) const {
  abreast = std::max(abreast, 1u);
  Wish wish;
  wish.round = round_;
  wish.residency = settled_;
  if (explores() && IsLike(lanes, abreast)) {
    const bool is_final = stage_ == Stage::kBest || stage_ == Stage::kAll;
    wish.residency = trial_.residency;
    // Where instances are long the lanes become fewer only slowly.
    wish.longest = (is_final ? kFinalTime : kTrialTime) * (1 + trial_.unfit / abreast) * kLaunches /
                   std::max(kLaunches, abreast);
  }
  wish.residency = PartOf(wish.residency, lanes, abreast);
  return wish;
}

void ResidencyTuner::Note(const ResidencyLaunch& launch) {
  if (launch.round != round_) return;
  if (explores() && !IsLike(launch.lanes, launch.abreast)) return;
  in_a_row_ = !launch.full ? 0 : launch.alone ? 1 : in_a_row_ + 1;
  explores() ? NoteTrial(launch) : NoteSettled(launch);
}

// The first ones of a round ran beside launches of before, which had other lanes or lasted longer;
// and so do those after one that was not full beside that.
bool ResidencyTuner::IsSteady(const ResidencyLaunch& launch) const {
  return in_a_row_ >= launch.abreast;
}

void ResidencyTuner::BeginRound() {
  ++round_;
  in_a_row_ = 0;
  row_ = Tally();
}

void ResidencyTuner::Tally::Add(const ResidencyLaunch& launch) {
  fuel += launch.fuel;
  in_turn += Seconds(launch.busy);
  side_by_side += Seconds(launch.abreast > 1 ? launch.air / launch.abreast : launch.busy);
  ++launches;
}

bool ResidencyTuner::Tally::IsSure() const {
  return std::max(in_turn, side_by_side) <= std::min(in_turn, side_by_side) * (1 + kAlike);
}

void ResidencyTuner::NoteSettled(const ResidencyLaunch& launch) {
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
  if (row.IsSure()) NoteUsual(row.rate());
  fit_launches_ += row.launches;
  const bool wants = !is_settled_ || low_rows_ >= kFallenFor;
  if (wants && fit_launches_ >= patience_) Explore();
}

void ResidencyTuner::NoteUsual(double rate) {
  if (usual_rate_ == 0) usual_rate_ = rate;
  const bool is_low = rate < usual_rate_ * kFallen;
  low_rows_ = is_low ? low_rows_ + 1 : 0;
  if (!is_low) usual_rate_ += (rate - usual_rate_) * kUsual;
}

void ResidencyTuner::Explore() {
  patience_ = std::min(patience_ * kPatienceGrowth, kLongestPatience);
  stage_ = Stage::kHalves;
  misses_ = 0;
  best_rate_ = 0;
  next_.clear();
  Try(Residency());
}

void ResidencyTuner::Try(const Residency& residency) {
  BeginRound();
  trial_ = Trial();
  trial_.residency = residency;
}

void ResidencyTuner::NoteTrial(const ResidencyLaunch& launch) {
  Tally& tally = trial_.tally;
  if (IsSteady(launch)) tally.Add(launch);
  if (++trial_.noted - tally.launches >= kMostUnfit * abreast_) return EndExploring();
  if (launch.full && !IsSteady(launch)) return;  // as is usual at its begin
  if (!launch.full || tally.in_turn < Seconds(kLeastTime)) {
    if (++trial_.unfit >= kMostUnfit * abreast_) EndExploring();
    return;
  }
  const bool hopeless = stage_ != Stage::kAll && tally.launches >= abreast_ &&
                        tally.highest() < best_rate_ * kHopeless;
  const uint32_t wanted = (tally.IsSure() ? kLaunches : kMost) * abreast_;
  if (hopeless || tally.launches >= wanted) Conclude();
}

void ResidencyTuner::Conclude() {
  const double rate = trial_.tally.rate();
  if (stage_ == Stage::kBest) {
    stage_ = Stage::kAll;
    best_rate_ = rate;
    surely_ = trial_.tally.lowest();
    return Try(Residency());
  }
  if (stage_ == Stage::kAll) {
    const bool is_better = surely_ >= trial_.tally.highest() * kBetter;
    return Settle(is_better ? ResidencyChoice{best_, best_rate_ / rate} : ResidencyChoice());
  }
  const bool lost_much = rate < best_rate_ * kHopeless;
  if (rate >= best_rate_ * kBetter) {
    best_ = trial_.residency;
    best_rate_ = rate;
    misses_ = 0;
  } else {
    ++misses_;
  }
  if (stage_ == Stage::kHalves) return TryHalf(lost_much);
  TryNext();
}

// One step goes beyond a loss that is not large: it may be the next one that fits the caches.
void ResidencyTuner::TryHalf(bool lost_much) {
  uint32_t lanes = trial_.residency.lanes != 0 ? trial_.residency.lanes / 2 : threads_ / 2;
  while (lanes > lanes_ * kFewer) lanes /= 2;
  const Residency half = Of(lanes);
  if (half.lanes != 0 && !lost_much && misses_ < kMostMisses) return Try(half);
  ListBetween();
  TryNext();
}

void ResidencyTuner::TryNext() {
  while (next_.empty()) {
    if (stage_ == Stage::kBlocks) {
      if (best_ == Residency()) return Settle({});
      stage_ = Stage::kBest;
      return Try(best_);
    }
    ListBlocks();
  }
  const Residency next = next_.back();
  next_.pop_back();
  Try(next);
}

void ResidencyTuner::ListBetween() {
  stage_ = Stage::kBetween;
  const uint32_t lanes = best_.lanes != 0 ? best_.lanes : lanes_;
  for (const uint32_t quarters : {3u, 6u}) {
    const Residency between = Of(static_cast<uint32_t>(uint64_t{lanes} * quarters / 4));
    if (between.lanes != 0 && between.lanes <= lanes_ * kFewer) next_.push_back(between);
  }
}

void ResidencyTuner::ListBlocks() {
  stage_ = Stage::kBlocks;
  const uint32_t each = best_.lanes / processors_ / abreast_;  // 0: all lanes, which fit any block
  for (const uint32_t block : {kUsualBlock * 2, kUsualBlock / 2}) {
    if (each % block == 0 && block != best_.block_threads) next_.push_back({best_.lanes, block});
  }
}

void ResidencyTuner::Settle(const ResidencyChoice& choice) {
  Adopt(choice.residency);
  news_ = choice;
  EndExploring();
}

void ResidencyTuner::Adopt(const Residency& residency) {
  BeginRound();
  settled_ = residency;
  is_settled_ = true;
}

void ResidencyTuner::EndExploring() {
  BeginRound();
  stage_ = Stage::kNone;
  usual_rate_ = 0;
  fit_launches_ = low_rows_ = 0;
}

std::optional<ResidencyChoice> ResidencyTuner::TakeChoice() { return std::exchange(news_, {}); }

}  // namespace wb
