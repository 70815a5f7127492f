#include "scheduler/control/occupancy_search.h"

#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

constexpr double kLost = 0.9;             // of the best rate: lanes become no more
constexpr uint32_t kMostUnfitRising = 4;  // as kMostUnfit: lanes that become more are full at once
constexpr uint32_t kKernelTrials = 4;
constexpr uint32_t kMostMisses = 3, kLoss = 2;  // a trial without gain is one, with a loss two

// Fewer lanes were found, and in none of the kernels that there is one of.
bool MayHaveOther(const Occupancy& best) { return best.lanes != 0 && !best.hot; }

}  // namespace

void OccupancySearch::Begin(const OccupancySpace& space) {
  kernels_tried_ = 0;
  lanes_stay_ = false;
  kernel_ = {};
  Start(SearchEvent::kBegins, space);
}

void OccupancySearch::BeginRising(const OccupancySpace& space) {
  Start(SearchEvent::kDispatchBegins, space);
}

void OccupancySearch::Start(SearchEvent event, const OccupancySpace& space) {
  space_ = space;
  best_ = {};
  best_rate_ = 0;
  Enter(Advance(event));
  TryNext();
}

OccupancyTrial::Plan OccupancySearch::trial() const {
  const bool is_final = stage_ == SearchStage::kBest || stage_ == SearchStage::kAll;
  OccupancyTrial::Plan plan;
  plan.occupancy = tried_;
  plan.abreast = space_.abreast();
  if (is_final) plan.time = kFinalTime;
  if (stage_ == SearchStage::kRising) plan.most_unfit = kMostUnfitRising;
  if (stage_ != SearchStage::kAll) plan.best_rate = best_rate_;
  return plan;
}

std::optional<OccupancyChoice> OccupancySearch::Conclude(const LaunchTally& tally) {
  switch (Advance(SearchEvent::kShown)) {
    case SearchAction::kRise: return Rise(tally.rate());
    case SearchAction::kCompare: return Compare(tally.rate());
    case SearchAction::kChoose: return Choose(tally);
    default: break;
  }
  best_rate_ = tally.rate();
  surely_ = tally.lowest();
  Enter(SearchAction::kListAll);
  TryNext();
  return std::nullopt;
}

// The kernel that all lanes had was seen; how many lanes are best, the next job that begins shows.
void OccupancySearch::Abandon(bool lanes_stay) {
  instances_are_long_ = lanes_stay && stage_ != SearchStage::kRising;
  const bool has_kernel = best_ != Occupancy() && best_.lanes == 0;
  if (!instances_are_long_ || !has_kernel) {
    return Enter(Advance(SearchEvent::kShowsNothing));
  }
  lanes_stay_ = true;
  Enter(Advance(SearchEvent::kLanesStay));
  TryNext();
}

SearchAction OccupancySearch::Advance(SearchEvent event) {
  const std::optional<SearchStep> step = NextStep(stage_, event);
  WB_CHECK(step.has_value());
  stage_ = step->next;
  return step->action;
}

void OccupancySearch::Enter(SearchAction action) {
  next_.clear();
  switch (action) {
    case SearchAction::kListAll: next_ = {Occupancy()}; return;
    case SearchAction::kListFewest: return ListWithKernel({space_.Fewest()});
    case SearchAction::kListBest: next_ = {best_}; return;
    case SearchAction::kListAround: return ListWithKernel(space_.AroundOf(best_));
    case SearchAction::kListBlocks: return ListWithKernel(space_.OtherBlocksOf(best_));
    case SearchAction::kListRegisters:  // fewer lanes may suit another kernel
      if (kernels_.few_registers && MayHaveOther(best_)) next_ = {best_};
      for (Occupancy& other : next_) other.few_registers = !other.few_registers;
      return;
    case SearchAction::kListTiles:
      if (kernels_.tiled && MayHaveOther(best_)) next_ = {best_};
      for (Occupancy& other : next_) other.tiled = !other.tiled;
      return;
    case SearchAction::kKeepKernel:
      kernel_.occupancy = best_;
      misses_ = 0;
      lost_much_ = false;
      return;
    case SearchAction::kEnd:
      if (!lanes_stay_) kernel_ = {};
      return;
    default: return;
  }
}

bool OccupancySearch::TakeIfBetter(double rate) {
  if (rate < best_rate_ * kBetter) return false;
  best_ = tried_;
  best_rate_ = rate;
  return true;
}

// With more lanes than are best their instances would last on, so it ends with the first loss.
std::optional<OccupancyChoice> OccupancySearch::Rise(double rate) {
  lanes_stay_ = false;
  TakeIfBetter(rate);
  const OccupancyChoice best = {best_, best_rate_ / rate * kernel_.gain};
  if (rate < best_rate_ * kLost) return Settle(best);
  if (tried_.lanes == 0) return Settle(best_rate_ >= rate * kBetter ? best : kernel_);
  ListWithKernel({space_.TwiceOf(tried_)});
  TryNext();
  return std::nullopt;
}

std::optional<OccupancyChoice> OccupancySearch::Compare(double rate) {
  lost_much_ = rate < best_rate_ * OccupancyTrial::kHopeless;
  const bool is_loss = rate * kBetter < best_rate_;
  misses_ = TakeIfBetter(rate) ? 0 : misses_ + (is_loss ? kLoss : 1);
  if (TryNext()) return std::nullopt;
  return Settle({});
}

std::optional<OccupancyChoice> OccupancySearch::Choose(const LaunchTally& tally) {
  const bool is_better = surely_ >= tally.highest() * kBetter;
  const auto choice =
      is_better ? OccupancyChoice{best_, best_rate_ / tally.rate()} : OccupancyChoice();
  if (lanes_stay_) kernel_ = choice;
  return Settle(choice);
}

// By value in and out: the end of a search may forget the kernel that it was called with.
OccupancyChoice OccupancySearch::Settle(OccupancyChoice choice) {
  Enter(Advance(SearchEvent::kSettles));
  return choice;
}

bool OccupancySearch::TryNext() {
  std::optional<Occupancy> next = NextOfStage();
  while (!next) {
    if (stage_ == SearchStage::kTiles && best_ == Occupancy()) return false;
    Enter(Advance(SearchEvent::kExhausted));
    next = NextOfStage();
  }
  tried_ = *next;
  return true;
}

std::optional<Occupancy> OccupancySearch::NextOfStage() {
  if (!next_.empty()) {
    const Occupancy next = next_.back();
    next_.pop_back();
    return next;
  }
  if (stage_ == SearchStage::kKernels) return NextKernel();
  if (stage_ == SearchStage::kHalves) return NextHalf();
  return std::nullopt;
}

// With all lanes, which show it at once however long instances last.
std::optional<Occupancy> OccupancySearch::NextKernel() {
  while (kernels_tried_ < kKernelTrials) {
    Occupancy next = best_;
    bool has_it = false;
    switch (kernels_tried_++) {
      case 0:
        has_it = kernels_.few_registers;
        next.few_registers = true;
        break;
      case 1:
        has_it = kernels_.tiled;
        next.tiled = true;
        break;
      case 2:
        has_it = kernels_.few_registers && best_.tiled;
        next.few_registers = !next.few_registers;
        break;
      default: has_it = kernels_.hot; next = {.hot = true};
    }
    if (has_it) return next;
  }
  return std::nullopt;
}

// One step goes beyond a loss that is not large, and two beyond what is none: it may be the next
// one that fits the caches.
std::optional<Occupancy> OccupancySearch::NextHalf() const {
  if (lost_much_ || misses_ >= kMostMisses) return std::nullopt;
  const Occupancy half = space_.HalfOf(tried_);
  if (half.lanes == 0) return std::nullopt;
  return WithKernel(half);
}

Occupancy OccupancySearch::WithKernel(Occupancy occupancy) const {
  occupancy.few_registers = kernel_.occupancy.few_registers;
  occupancy.tiled = kernel_.occupancy.tiled;
  occupancy.hot = kernel_.occupancy.hot;
  return occupancy;
}

void OccupancySearch::ListWithKernel(std::vector<Occupancy> occupancies) {
  for (Occupancy& each : occupancies) each = WithKernel(each);
  next_ = std::move(occupancies);
}

}  // namespace wb
