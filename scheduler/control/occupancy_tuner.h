#pragma once

// OccupancyTuner: how many lanes of a pipeline take seats at a time on a GPU, and in blocks of how
// many threads, from what its launches show. Pure.
//
// Launches that run abreast, as many as fill the device together, share what is chosen: each gets
// its part of the lanes. Whether they run side by side or one after the other is not known
// (launch_tally.h), so what is found has to be better by either.
//
// Lanes side by side hide each other's waits, and push each other's memory out of the caches; which
// counts for more only a measurement shows. So once launches have kept the device full, a search
// tries occupancies in short launches (occupancy_search.h, occupancy_trial.h). What it settles on
// is kept. Another search begins only when the rate falls by much, at growing distances
// (rate_watch.h): exploring costs a bounded time however a guest behaves.

#include <chrono>
#include <cstdint>
#include <optional>

#include "scheduler/control/launch_tally.h"
#include "scheduler/control/occupancy.h"
#include "scheduler/control/occupancy_search.h"
#include "scheduler/control/occupancy_space.h"
#include "scheduler/control/occupancy_trial.h"
#include "scheduler/control/rate_watch.h"

namespace wb {

class OccupancyTuner {
 public:
  // A GPU of so many processors, which hold so many lanes in all.
  OccupancyTuner(uint32_t processors, uint32_t threads, FurtherKernels kernels = {})
      : space_(processors, threads), search_(space_, kernels) {}

  // For the next launch, of a dispatch of so many lanes, so many of them abreast: what it fills,
  // how long it may last.
  struct Wish {
    Occupancy occupancy;  // its part
    std::chrono::nanoseconds longest = std::chrono::nanoseconds::max();
    uint32_t round = 0;  // another number whenever another occupancy is wished for
  };
  Wish Next(uint32_t lanes, uint32_t abreast) const;
  // A job's first dispatch, of so many lanes: none of them has an instance yet. Where a search
  // ended because lanes did not become fewer, as instances last too long, another one begins here
  // with few lanes, which become more.
  void BeginDispatch(uint32_t lanes, uint32_t abreast);
  void Record(const OccupancyLaunch& launch);

  void Adopt(const Occupancy& occupancy);       // as it was found at another time
  std::optional<OccupancyChoice> TakeChoice();  // what it has settled on, each time once
  bool explores() const { return search_.stage() != SearchStage::kNone; }

 private:
  bool IsSteady(const OccupancyLaunch& launch) const;
  void RecordSettled(const OccupancyLaunch& launch);
  void RecordTrial(const OccupancyLaunch& launch);
  void BeginRound();
  void BeginTrial();
  void EndSearch();

  OccupancySpace space_;  // of launches that are alike, which are searched with
  OccupancySearch search_;
  OccupancyTrial trial_;  // under way while it explores
  RateWatch watch_;       // while it does not
  Occupancy settled_;
  bool is_settled_ = false;
  std::optional<OccupancyChoice> news_;
  uint32_t round_ = 1;
  uint32_t in_a_row_ = 0;  // full launches of this round that have completed
  LaunchTally row_;        // the last ones, fewer than run abreast
};

}  // namespace wb
