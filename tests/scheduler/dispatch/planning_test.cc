// The pure rules of planning: which instances go next, where, for how long, and which start again.

#include <gtest/gtest.h>

#include "scheduler/base/backoff.h"
#include "scheduler/base/lru.h"
#include "scheduler/control/pace.h"
#include "scheduler/control/quantum.h"
#include "scheduler/dispatch/engine_choice.h"
#include "scheduler/job/backlog.h"

namespace wb::test {
namespace {

TEST(BackoffTest, DoublesUpToFiveSeconds) {
  Backoff backoff;
  std::vector<int64_t> waits;
  for (int i = 0; i < 20; ++i) waits.push_back(backoff.Next().count());
  EXPECT_EQ(std::vector<int64_t>(waits.begin(), waits.begin() + 8),
            (std::vector<int64_t>{100, 200, 400, 800, 1600, 3200, 5000, 5000}));
  EXPECT_EQ(waits.back(), 5000);
  backoff.Reset();
  EXPECT_EQ(backoff.Next().count(), 100);
}

TEST(BacklogTest, EveryInstanceIsTakenOnce) {
  Backlog backlog(3);
  EXPECT_EQ(backlog.size(), 3u);
  EXPECT_EQ(backlog.Take({}).instance, 0u);
  EXPECT_EQ(backlog.Take({}).instance, 1u);
  backlog.Return({0, 2, {}});
  EXPECT_EQ(backlog.size({}), 2u);
  const InstanceRef again = backlog.Take({});
  EXPECT_EQ(again.instance, 0u);
  EXPECT_EQ(again.attempt, 2u);
  EXPECT_EQ(backlog.Take({}).instance, 2u);
  EXPECT_EQ(backlog.size(), 0u);
  EXPECT_TRUE(backlog.classes().empty());
}

TEST(BacklogTest, InstancesThatNeedMoreMemoryAreAClassOfTheirOwn) {
  Backlog backlog(10);
  InstanceRef instance = backlog.Take({});
  instance.seat_class.pages = 8;
  backlog.Return(instance);
  EXPECT_EQ(backlog.size({}), 9u);
  EXPECT_EQ(backlog.size({8, 0}), 1u);
  EXPECT_EQ(backlog.classes(), (std::vector<SeatClass>{{0, 0}, {8, 0}}));
  EXPECT_EQ(backlog.Take({8, 0}).instance, 0u);
}

TEST(BacklogTest, CompanyShrinksWithEveryDeadEngine) {
  EXPECT_EQ(LanesAfterDeaths(0, 1024), 1024u);
  EXPECT_EQ(LanesAfterDeaths(1, 1024), 32u);
  EXPECT_EQ(LanesAfterDeaths(2, 1024), 1u);
  EXPECT_EQ(LanesAfterDeaths(1, 8), 8u);
}

void RecordOne(Quantum& quantum, uint64_t fuel) {
  quantum.Record(1, fuel, static_cast<double>(fuel) * static_cast<double>(fuel));
}

TEST(QuantumTest, ShortOnlyWhereLengthsDiffer) {
  Quantum quantum;
  EXPECT_EQ(quantum.next(), Quantum::kLongest);
  for (int i = 0; i < 100; ++i) RecordOne(quantum, 1'000'000 + i * 1000);
  EXPECT_EQ(quantum.next(), Quantum::kLongest);
  for (int i = 0; i < 100; ++i) RecordOne(quantum, 9'000'000);
  EXPECT_EQ(quantum.next(), 5'024'750u / 24);
}

TEST(QuantumTest, IsBoundedBothWays) {
  Quantum small, large;
  for (uint64_t i = 1; i < 100; ++i) {
    RecordOne(small, i * 100);
    RecordOne(large, i * 10'000'000);
  }
  EXPECT_EQ(small.next(), Quantum::kShortest);
  EXPECT_EQ(large.next(), Quantum::kLongest);
}

TEST(PaceTest, LaunchesShortenWhileFewLanesKeepOthersWaiting) {
  using std::chrono::milliseconds;
  Pace pace(milliseconds(500));
  EXPECT_EQ(pace.next(), milliseconds(500));
  pace.Record({1, 4, 100});
  EXPECT_EQ(pace.next(), milliseconds(250));
  for (int i = 0; i < 20; ++i) pace.Record({1, 4, 100});
  EXPECT_EQ(pace.next(), milliseconds(10));
  pace.Record({4, 4, 100});  // all processors had work
  EXPECT_EQ(pace.next(), milliseconds(20));
  pace.Record({1, 4, 0});  // none waits
  EXPECT_EQ(pace.next(), milliseconds(40));
  for (int i = 0; i < 20; ++i) pace.Record({0, 4, 0});
  EXPECT_EQ(pace.next(), milliseconds(500));
  const bool refills = true;
  pace.Record({1, 4, 100, refills});
  EXPECT_EQ(pace.next(), milliseconds(500));
  pace.Record({4, 4, 0, refills, /*drained=*/true});
  EXPECT_EQ(pace.next(), milliseconds(250));
  Pace brief(milliseconds(2));
  brief.Record({1, 4, 100});
  EXPECT_EQ(brief.next(), milliseconds(2));
}

TEST(LruTest, ForgetsWhatWasUsedLeastRecently) {
  Lru<int, int> lru(2);
  lru.Put(1, 10, 1);
  lru.Put(2, 20, 1);
  EXPECT_EQ(*lru.Find(1), 10);
  lru.Put(3, 30, 1);
  EXPECT_EQ(lru.Find(2), nullptr);
  EXPECT_NE(lru.Find(1), nullptr);
  lru.Put(4, 40, 9);  // the newest stays, alone
  EXPECT_EQ(lru.Find(1), nullptr);
  EXPECT_NE(lru.Find(4), nullptr);
}

TEST(PlacementTest, AutomaticJobsGoWhereTheyCan) {
  const Status refused(Reason::kWasmUnsupportedFeature, "Recursion.");
  PlacementFacts facts;
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kCpu);
  facts.refused = refused;
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kInterpreter);
  EXPECT_NE(ChoosePlacement(facts)->reason.find("Recursion."), std::string::npos);
  facts = {};
  facts.avoids = "It broke.";
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kInterpreter);
  facts = {};
  facts.enabled = false;
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kInterpreter);
}

TEST(PlacementTest, PinnedJobsGetAnErrorInstead) {
  PlacementFacts facts;
  facts.wanted = Placement::kCpu;
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kCpu);
  facts.refused = Status(Reason::kWasmUnsupportedFeature, "Recursion.");
  EXPECT_EQ(ChoosePlacement(facts).status().reason(), Reason::kWasmUnsupportedFeature);
  facts = {};
  facts.wanted = Placement::kGpu;
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kGpu);
  facts.enabled = false;
  EXPECT_EQ(ChoosePlacement(facts).status().reason(), Reason::kNoDeviceFits);
  facts.wanted = Placement::kInterpreter;
  EXPECT_EQ(ChoosePlacement(facts)->device_class, DeviceClass::kInterpreter);
}

}  // namespace
}  // namespace wb::test
