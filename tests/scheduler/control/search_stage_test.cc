// The table of a search's stages: every event in every stage.

#include "scheduler/control/search_stage.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace wb::test {
namespace {

using SearchSteps = std::map<std::pair<SearchEvent, SearchStage>, SearchStep>;

SearchStage SearchStageAt(size_t index) { return static_cast<SearchStage>(index); }
SearchEvent SearchEventAt(size_t index) { return static_cast<SearchEvent>(index); }

// From all lanes by each kernel to the other kernels with fewer lanes.
constexpr SearchStage kComparing[] = {SearchStage::kKernels,   SearchStage::kHalves,
                                      SearchStage::kBetween,   SearchStage::kBlocks,
                                      SearchStage::kRegisters, SearchStage::kTiles};

SearchSteps AllSearchSteps() {
  using S = SearchStage;
  using E = SearchEvent;
  using A = SearchAction;
  SearchSteps steps;
  steps[{E::kBegins, S::kNone}] = {S::kKernels, A::kListAll};
  steps[{E::kDispatchBegins, S::kNone}] = {S::kRising, A::kListFewest};
  steps[{E::kShown, S::kRising}] = {S::kRising, A::kRise};
  steps[{E::kShown, S::kBest}] = {S::kAll, A::kRecordBest};
  steps[{E::kShown, S::kAll}] = {S::kAll, A::kChoose};
  for (const S stage : kComparing) {
    steps[{E::kShown, stage}] = {stage, A::kCompare};
    steps[{E::kLanesStay, stage}] = {S::kBest, A::kListBest};
    steps[{E::kShowsNothing, stage}] = {S::kNone, A::kEnd};
  }
  for (const S stage : {S::kBest, S::kAll}) {
    steps[{E::kLanesStay, stage}] = {S::kBest, A::kListBest};
    steps[{E::kShowsNothing, stage}] = {S::kNone, A::kEnd};
  }
  steps[{E::kShowsNothing, S::kRising}] = {S::kNone, A::kEnd};
  steps[{E::kExhausted, S::kKernels}] = {S::kHalves, A::kKeepKernel};
  steps[{E::kExhausted, S::kHalves}] = {S::kBetween, A::kListAround};
  steps[{E::kExhausted, S::kBetween}] = {S::kBlocks, A::kListBlocks};
  steps[{E::kExhausted, S::kBlocks}] = {S::kRegisters, A::kListRegisters};
  steps[{E::kExhausted, S::kRegisters}] = {S::kTiles, A::kListTiles};
  steps[{E::kExhausted, S::kTiles}] = {S::kBest, A::kListBest};
  for (const S stage : {S::kRising, S::kTiles, S::kAll}) {
    steps[{E::kSettles, stage}] = {S::kNone, A::kEnd};
  }
  return steps;
}

TEST(SearchStageTest, TheTableHasTheseStepsAndNoOther) {
  const SearchSteps steps = AllSearchSteps();
  for (size_t event = 0; event < kSearchEvents; ++event) {
    for (size_t stage = 0; stage < kSearchStages; ++stage) {
      const auto step = steps.find({SearchEventAt(event), SearchStageAt(stage)});
      const std::optional<SearchStep> next = NextStep(SearchStageAt(stage), SearchEventAt(event));
      if (step == steps.end()) {
        EXPECT_FALSE(next) << "event " << event << " in stage " << stage;
      } else {
        EXPECT_EQ(next, step->second) << "event " << event << " in stage " << stage;
      }
    }
  }
}

TEST(SearchStageTest, EverySearchReachesItsEnd) {
  for (size_t from = 0; from < kSearchStages; ++from) {
    std::set<SearchStage> reached{SearchStageAt(from)};
    for (size_t round = 0; round < kSearchStages; ++round) {
      for (const SearchStage stage : std::set<SearchStage>(reached)) {
        for (size_t event = 0; event < kSearchEvents; ++event) {
          if (const auto next = NextStep(stage, SearchEventAt(event))) reached.insert(next->next);
        }
      }
    }
    EXPECT_EQ(reached.size(), kSearchStages) << "from stage " << from;
  }
}

}  // namespace
}  // namespace wb::test
