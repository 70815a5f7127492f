#pragma once

// SearchStage: the stages in which an OccupancySearch looks for the best occupancy, and the table
// of its transitions. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace wb {

// What is tried in it.
enum class SearchStage : uint8_t {
  kNone,       // nothing
  kRising,     // more and more lanes, while a job begins
  kKernels,    // each kernel, with all lanes
  kHalves,     // half as many lanes, again and again
  kBetween,    // numbers of lanes between the best one and its neighbours
  kBlocks,     // other blocks
  kRegisters,  // the kernel with the other number of registers
  kTiles,      // the kernel with memories in the other order
  kBest,       // the best one again, in longer launches
  kAll         // all lanes and the usual kernel, to compare it with
};
inline constexpr size_t kSearchStages = 10;

enum class SearchEvent : uint8_t {
  kBegins,          // launches keep the device full: a search begins
  kDispatchBegins,  // likewise, with a job whose lanes have no instance yet
  kShown,           // a trial has shown a rate
  kExhausted,       // nothing is left to be tried in this stage
  kSettles,         // the search knows what is best
  kLanesStay,       // a trial shows nothing since lanes stay; a kernel for all lanes was found
  kShowsNothing     // a trial shows nothing, and no kernel was found
};
inline constexpr size_t kSearchEvents = 7;

// What the search does as it enters the stage, or stays in it. "List": that is tried next.
enum class SearchAction : uint8_t {
  kListAll,
  kListFewest,
  kRise,        // compares a trial while lanes become more
  kCompare,     // compares a trial with the best one
  kKeepKernel,  // the best kernel is known
  kListAround,
  kListBlocks,
  kListRegisters,
  kListTiles,
  kListBest,
  kRecordBest,  // the best one's last rate is known; all lanes are listed
  kChoose,      // the best one or all lanes
  kEnd
};

struct SearchStep {
  SearchStage next = SearchStage::kNone;
  SearchAction action = SearchAction::kEnd;
  bool operator==(const SearchStep&) const = default;
};

// Nothing: the stage cannot see that event.
std::optional<SearchStep> NextStep(SearchStage stage, SearchEvent event);

}  // namespace wb
