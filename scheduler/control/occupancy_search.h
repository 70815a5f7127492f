#pragma once

// OccupancySearch: which occupancy is tried next, from what the trials before it showed; and which
// one is best in the end. Pure.
//
// A search tries all lanes by each kernel that the pipeline has (of few registers, with memories in
// tiles, where that is better with the other number of registers, with hot bytes near); the best
// one by half as many lanes while that does not lose much, by counts between the best one and its
// neighbours, in other blocks, and, where fewer lanes are best, by the other kernels again. What
// was best is compared with all lanes and the usual kernel once more, in longer launches, and is
// chosen if it is clearly better. search_stage.h has these stages and their transitions.
//
// Where a trial showed nothing since instances last too long for lanes to become fewer, a job that
// begins is tried with few lanes, which become more.

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/control/launch_tally.h"
#include "scheduler/control/occupancy.h"
#include "scheduler/control/occupancy_space.h"
#include "scheduler/control/occupancy_trial.h"
#include "scheduler/control/search_stage.h"

namespace wb {

// What was found to be best. Nothing in it: all lanes, in the device's own blocks.
struct OccupancyChoice {
  Occupancy occupancy;  // lanes of the whole device
  double gain =
      1;  // in instructions a second, over that; where lanes became more: over twice as many
};

// The kernels that pipelines may have besides the usual one.
struct FurtherKernels {
  bool few_registers = false;
  bool tiled = false;
  bool hot = false;
};

class OccupancySearch {
 public:
  static constexpr double kBetter = 1.03;  // less is noise
  static constexpr std::chrono::nanoseconds kFinalTime = std::chrono::milliseconds(250);

  // `space` is replaced where a search begins.
  OccupancySearch(const OccupancySpace& space, FurtherKernels kernels)
      : space_(space), kernels_(kernels) {}

  // None is under way.
  void Begin(const OccupancySpace& space);
  void BeginRising(const OccupancySpace& space);  // no lane has an instance yet

  SearchStage stage() const { return stage_; }  // kNone: no search is under way
  // A search is under way: what is tried.
  OccupancyTrial::Plan trial() const;
  // The trial showed this. What the search ends with; nothing: another trial comes.
  std::optional<OccupancyChoice> Conclude(const LaunchTally& tally);
  // The trial shows nothing. `lanes_stay`: since more lanes have an instance than are to take
  // seats. The search ends without a choice, or compares the best kernel for all lanes.
  void Abandon(bool lanes_stay);

  // The last search was abandoned since lanes did not become fewer.
  bool instances_are_long() const { return instances_are_long_; }
  // It ended with a kernel for all lanes; the next job that begins may have fewer.
  bool lanes_stay() const { return lanes_stay_; }

 private:
  void Start(SearchEvent event, const OccupancySpace& space);
  SearchAction Advance(SearchEvent event);
  void Enter(SearchAction action);  // a stage, in which that is to be done
  bool TakeIfBetter(double rate);   // as the best one
  std::optional<OccupancyChoice> Rise(double rate);
  std::optional<OccupancyChoice> Compare(double rate);
  std::optional<OccupancyChoice> Choose(const LaunchTally& tally);
  OccupancyChoice Settle(OccupancyChoice choice);
  bool TryNext();  // false: nothing is left, and nothing was better than all lanes
  std::optional<Occupancy> NextOfStage();
  std::optional<Occupancy> NextKernel();
  std::optional<Occupancy> NextHalf() const;
  Occupancy WithKernel(Occupancy occupancy) const;
  void ListWithKernel(std::vector<Occupancy> occupancies);

  OccupancySpace space_;
  FurtherKernels kernels_;
  SearchStage stage_ = SearchStage::kNone;
  Occupancy tried_;              // by the trial that is under way
  std::vector<Occupancy> next_;  // to be tried in this stage; the next one last
  Occupancy best_;
  double best_rate_ = 0;
  double surely_ = 0;           // at least so much
  OccupancyChoice kernel_;      // the best for all lanes, while it searches, or found so
  uint32_t kernels_tried_ = 0;  // of kKernelTrials
  uint32_t misses_ = 0;         // halves in a row that were no better
  bool lost_much_ = false;      // by the last one
  bool instances_are_long_ = false;
  bool lanes_stay_ = false;
};

}  // namespace wb
