#pragma once

// OccupancyTuner: how many lanes of a pipeline take seats at a time on a GPU, and in blocks of how
// many threads, from what its launches show. Pure.
//
// Launches that run abreast, as many as fill the device together, share what is chosen: each gets
// its part of the lanes. They run side by side, or one after the other where registers allow for
// the lanes of one only, and nothing says which. If one after the other, a launch took the time
// since the one before it completed; if side by side, its part of its time in flight. In sums over
// launches that last alike these come to the same. Where they do not (jobs begin and end in
// between), trials go on for longer, and what was found has to be better by either.
//
// Lanes side by side hide each other's waits, and push each other's memory out of the caches; which
// counts for more only a measurement shows. So once launches have kept the device full, short ones
// are tried: with all lanes, with half as many while that does not lose much, with counts between
// the best one and its neighbours, in other blocks, and so with the kernel of few registers, where
// there is one: the best so far, and all lanes. What was best is compared with all lanes once
// more, in longer launches, and kept if it is clearly better. That is done again only when the rate
// falls by much, at growing distances: exploring costs a bounded time however a guest behaves.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/abi/lane.h"
#include "scheduler/control/occupancy.h"

namespace wb {

// What was found to be best. Nothing in it: all lanes, in the device's own blocks.
struct OccupancyChoice {
  Occupancy occupancy;  // lanes of the whole device
  double gain =
      1;  // in instructions a second, over that; where lanes became more: over twice as many
};

// What a launch showed, with the occupancy of its Wish.
struct OccupancyLaunch {
  uint32_t lanes = 0;               // of its dispatch
  uint32_t abreast = 1;             // launches that fill the device together
  double fuel = 0;                  // that it ran
  std::chrono::nanoseconds busy{};  // the device, from when the one before it had completed
  std::chrono::nanoseconds air{};   // the device, from when it began
  uint32_t round = 0;               // as its Wish said
  bool alone = false;               // no other was in flight when it began
  // The lanes that take seats had one nearly all the time, and hardly any other lane had.
  bool full = false;
};

class OccupancyTuner {
 public:
  // Of a launch; where more run abreast than kLaunches each is as much shorter.
  static constexpr std::chrono::nanoseconds kTrialTime = std::chrono::milliseconds(100);
  static constexpr std::chrono::nanoseconds kFinalTime = std::chrono::milliseconds(250);
  static constexpr std::chrono::nanoseconds kLeastTime = std::chrono::milliseconds(20);
  static constexpr double kBetter = 1.03;     // less is noise
  static constexpr double kHopeless = 0.7;    // of the best: half a trial is enough to see it
  static constexpr uint32_t kLaunches = 2;    // that a trial takes, times so many abreast
  static constexpr uint32_t kMost = 8;        // likewise, where they do not last alike
  static constexpr uint32_t kMostUnfit = 12;  // times so many abreast that show nothing in a trial
  static constexpr double kAlike = 0.05;      // so much may the two times differ
  static constexpr double kFallen = 0.6;      // of the usual rate
  static constexpr uint32_t kFallenFor = 8;   // rows, one after the other

  // A GPU of so many processors, which hold so many lanes in all. `few_registers`: pipelines may
  // have a kernel of few registers.
  OccupancyTuner(uint32_t processors, uint32_t threads, bool few_registers = false);

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
  bool explores() const { return stage_ != Stage::kNone; }

 private:
  enum class Stage : uint8_t {
    kNone,
    kRising,
    kHalves,
    kBetween,
    kBlocks,
    kRegisters,
    kBest,
    kAll
  };
  // What launches came to.
  struct Tally {
    void Add(const OccupancyLaunch& launch);
    bool IsSure() const;  // both times come to the same
    double rate() const { return fuel * 2 / (in_turn + side_by_side); }
    double lowest() const { return fuel / std::max(in_turn, side_by_side); }
    double highest() const { return fuel / std::min(in_turn, side_by_side); }
    double fuel = 0;
    double in_turn = 0, side_by_side = 0;  // seconds, if they ran in such a way
    uint32_t launches = 0;
  };
  // Launches with one occupancy.
  struct Trial {
    Occupancy occupancy;
    Tally tally;
    uint32_t unfit = 0;  // that show nothing: after some of them they last longer
    uint32_t noted = 0;  // launches
  };

  bool IsLike(uint32_t lanes, uint32_t abreast) const;
  Occupancy Of(uint32_t lanes) const;
  Occupancy PartOf(const Occupancy& whole, uint32_t lanes, uint32_t abreast) const;
  bool IsSteady(const OccupancyLaunch& launch) const;
  void RecordSettled(const OccupancyLaunch& launch);
  void RecordUsual(double rate);
  void RecordTrial(const OccupancyLaunch& launch);
  void BeginRound();
  void Explore();
  void Try(const Occupancy& occupancy);
  void Conclude();
  void ConcludeRising(double rate);
  void TryHalf(bool lost_much);
  void TryNext();
  void ListBetween();
  void ListBlocks();
  void ListRegisters();
  void Settle(const OccupancyChoice& choice);
  void EndExploring();

  const uint32_t processors_;
  const uint32_t threads_;
  const bool few_registers_;

  Occupancy settled_;
  bool is_settled_ = false;
  bool instances_are_long_ = false;  // lanes did not become fewer
  std::optional<OccupancyChoice> news_;
  uint32_t round_ = 1;
  uint32_t in_a_row_ = 0;  // full launches of this round that have completed
  // Of launches with it, which have about so many lanes together:
  uint32_t lanes_ = 0;
  uint32_t abreast_ = 1;
  Tally row_;              // the last ones, fewer than run abreast
  double usual_rate_ = 0;  // 0: not known
  uint32_t fit_launches_ = 0;
  uint32_t low_rows_ = 0;          // one after the other, at a much lower rate
  uint32_t patience_ = kLaunches;  // fit launches before it explores

  // While it explores; `trial_` is under way.
  Stage stage_ = Stage::kNone;
  Trial trial_;
  std::vector<Occupancy> next_;  // to be tried in this stage; the next one last
  Occupancy best_;
  double best_rate_ = 0;
  double surely_ = 0;    // at least so much
  uint32_t misses_ = 0;  // halves in a row that were no better
};

}  // namespace wb
