// The table of stages: every event in every stage.

#include "scheduler/dispatch/job_stage.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wb::test {
namespace {

using S = JobStage;
using E = JobEvent;
using A = JobAction;

constexpr std::array<S, kJobStages> kStages{
    S::kWaitingForTenant, S::kLowering,      S::kWaitingForDevice, S::kWaitingForPipeline,
    S::kProbingGpu,       S::kOnInterpreter, S::kRunning};
constexpr std::array<S, 3> kAsking{S::kLowering, S::kWaitingForDevice, S::kWaitingForPipeline};

JobEvent EventAt(size_t index) { return static_cast<JobEvent>(index); }

// What each event does where it does something. All other pairs either stay or are forbidden.
using Moves = std::map<std::pair<E, S>, Transition>;
Moves MovesOfAsking() {
  Moves moves;
  for (const S stage : kAsking) {
    moves[{E::kStartsOver, stage}] = {S::kLowering, A::kLower};
    moves[{E::kInterpreterReady, stage}] = {S::kOnInterpreter, A::kJoinInterpreter};
    moves[{E::kInterpreterFails, stage}] = {S::kWaitingForPipeline, A::kHandOver};
    moves[{E::kBuilt, stage}] = {S::kWaitingForPipeline, A::kPlace};
    moves[{E::kBuildFailed, stage}] = {S::kWaitingForPipeline, A::kGoElsewhere};
  }
  return moves;
}
Moves AllMoves() {
  Moves moves = MovesOfAsking();
  moves[{E::kMayStart, S::kWaitingForTenant}] = {S::kLowering, A::kLower};
  moves[{E::kStartsOver, S::kProbingGpu}] = {S::kLowering, A::kLower};
  moves[{E::kLowered, S::kLowering}] = {S::kWaitingForPipeline, A::kChooseDevice};
  moves[{E::kDevicesClosed, S::kWaitingForPipeline}] = {S::kWaitingForDevice, A::kAwaitGate};
  moves[{E::kGatesChanged, S::kWaitingForDevice}] = {S::kLowering, A::kLower};
  moves[{E::kNeedsGpu, S::kWaitingForPipeline}] = {S::kProbingGpu, A::kNothing};
  moves[{E::kGpuAnswered, S::kProbingGpu}] = {S::kWaitingForPipeline, A::kHandOver};
  moves[{E::kHandedOver, S::kWaitingForPipeline}] = {S::kRunning, A::kNothing};
  moves[{E::kReviewDue, S::kProbingGpu}] = {S::kWaitingForPipeline, A::kHandOver};
  for (const E event : {E::kGatesChanged, E::kBuilt, E::kBetterBuilt, E::kReviewDue}) {
    moves[{event, S::kOnInterpreter}] = {S::kOnInterpreter, A::kReviewWarmup};
  }
  moves[{E::kBuildFailed, S::kOnInterpreter}] = {S::kRunning, A::kKeepOnInterpreter};
  moves[{E::kGivenBack, S::kOnInterpreter}] = {S::kWaitingForPipeline, A::kLeaveInterpreter};
  moves[{E::kGatesChanged, S::kRunning}] = {S::kRunning, A::kRebalance};
  moves[{E::kReviewDue, S::kRunning}] = {S::kRunning, A::kRebalance};
  moves[{E::kBetterBuilt, S::kRunning}] = {S::kRunning, A::kSwapPipeline};
  moves[{E::kGivenBack, S::kRunning}] = {S::kWaitingForPipeline, A::kFindAnotherPlace};
  moves[{E::kLeftOne, S::kOnInterpreter}] = {S::kOnInterpreter, A::kGoOnWithOthers};
  moves[{E::kLeftOne, S::kRunning}] = {S::kRunning, A::kGoOnWithOthers};
  moves[{E::kInterpreterJoins, S::kRunning}] = {S::kOnInterpreter, A::kNothing};
  moves[{E::kLeftInterpreter, S::kOnInterpreter}] = {S::kRunning, A::kGoOnWithOthers};
  moves[{E::kLeftInterpreter, S::kRunning}] = {S::kRunning, A::kGoOnWithOthers};
  return moves;
}

// The stages that cannot see an event.
std::set<S> Forbidding(E event) {
  const std::set<S> tenant{S::kWaitingForTenant};
  std::set<S> all(kStages.begin(), kStages.end());
  switch (event) {
    case E::kMayStart: all.erase(S::kWaitingForTenant); return all;
    case E::kStartsOver: return {S::kWaitingForTenant, S::kOnInterpreter, S::kRunning};
    case E::kLowered:
    case E::kInterpreterReady:
    case E::kInterpreterFails:
    case E::kBuilt:
    case E::kBuildFailed:
    case E::kBetterBuilt:
    case E::kGpuAnswered: return tenant;
    case E::kDevicesClosed:
    case E::kNeedsGpu:
    case E::kHandedOver: all.erase(S::kWaitingForPipeline); return all;
    case E::kGatesChanged:
    case E::kReviewDue: return {};
    case E::kGivenBack:
    case E::kLeftOne:
    case E::kLeftInterpreter:
      all.erase(S::kOnInterpreter);
      all.erase(S::kRunning);
      return all;
    case E::kInterpreterJoins: all.erase(S::kRunning); return all;
  }
  return all;
}

TEST(JobStageTest, EveryEventInEveryStageDoesWhatTheTableSays) {
  const Moves moves = AllMoves();
  for (size_t i = 0; i < kJobEvents; ++i) {
    const E event = EventAt(i);
    const std::set<S> forbidding = Forbidding(event);
    for (const S stage : kStages) {
      SCOPED_TRACE(std::string(JobEventName(event)) + " in " + std::string(JobStageName(stage)));
      const std::optional<Transition> next = Next(stage, event);
      const auto move = moves.find({event, stage});
      if (move != moves.end()) {
        EXPECT_EQ(next, move->second);
      } else if (forbidding.count(stage) > 0) {
        EXPECT_EQ(next, std::nullopt);
      } else {
        EXPECT_EQ(next, (Transition{stage, A::kNothing}));
      }
    }
  }
}

TEST(JobStageTest, AJobThatNoDeviceHasIsGivenBackByNone) {
  for (const S stage : kStages) {
    EXPECT_EQ(Next(stage, E::kGivenBack).has_value(), !IsHeld(stage)) << JobStageName(stage);
  }
}

TEST(JobStageTest, EveryStageIsReachedFromTheFirstAndLeadsToADevice) {
  const auto reach = [](S from) {
    std::set<S> reached{from};
    for (size_t round = 0; round < kJobStages; ++round) {
      for (const S stage : std::set<S>(reached)) {
        for (size_t i = 0; i < kJobEvents; ++i) {
          if (const auto next = Next(stage, EventAt(i))) reached.insert(next->next);
        }
      }
    }
    return reached;
  };
  EXPECT_EQ(reach(S::kWaitingForTenant).size(), kJobStages);
  for (const S stage : kStages) EXPECT_EQ(reach(stage).count(S::kRunning), 1u);
}

TEST(JobStageTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const S stage : kStages) names.insert(JobStageName(stage));
  for (size_t i = 0; i < kJobEvents; ++i) names.insert(JobEventName(EventAt(i)));
  EXPECT_EQ(names.size(), kJobStages + kJobEvents);
}

}  // namespace
}  // namespace wb::test
