#include "scheduler/control/search_stage.h"

#include <array>

namespace wb {
namespace {

using S = SearchStage;
using A = SearchAction;

using Cell = std::optional<SearchStep>;
using Row = std::array<Cell, kSearchStages>;
constexpr Cell No{};  // the stage cannot see the event
constexpr Cell To(S next, A action) { return SearchStep{next, action}; }

// An event that leaves the stage as it is.
constexpr Cell Stay(S stage) { return To(stage, A::kCompare); }
constexpr Cell kRise = To(S::kRising, A::kRise);
constexpr Cell kBest = To(S::kBest, A::kListBest);
constexpr Cell kEnd = To(S::kNone, A::kEnd);

constexpr std::array<Row, kSearchEvents> kTable{{
    // kBegins: from kNone alone
    {{To(S::kKernels, A::kListAll), No, No, No, No, No, No, No, No, No}},
    // kDispatchBegins: likewise
    {{To(S::kRising, A::kListFewest), No, No, No, No, No, No, No, No, No}},
    // kShown
    {{No, kRise, Stay(S::kKernels), Stay(S::kHalves), Stay(S::kBetween), Stay(S::kBlocks),
      Stay(S::kRegisters), Stay(S::kTiles), To(S::kAll, A::kRecordBest), To(S::kAll, A::kChoose)}},
    // kExhausted
    {{No, No, To(S::kHalves, A::kKeepKernel), To(S::kBetween, A::kListAround),
      To(S::kBlocks, A::kListBlocks), To(S::kRegisters, A::kListRegisters),
      To(S::kTiles, A::kListTiles), kBest, No, No}},
    // kSettles: a search that has found nothing better than all lanes ends after kTiles
    {{No, kEnd, No, No, No, No, No, kEnd, No, kEnd}},
    // kLanesStay
    {{No, No, kBest, kBest, kBest, kBest, kBest, kBest, kBest, kBest}},
    // kShowsNothing
    {{No, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd}},
}};

}  // namespace

std::optional<SearchStep> NextStep(SearchStage stage, SearchEvent event) {
  return kTable.at(static_cast<size_t>(event)).at(static_cast<size_t>(stage));
}

}  // namespace wb
