// The pure rules of planning: who goes next, how many seats, how much memory, what starts again.

#include <gtest/gtest.h>

#include "scheduler/backlog.h"
#include "scheduler/backoff.h"
#include "scheduler/lru.h"
#include "scheduler/memory_budget.h"
#include "scheduler/pace.h"
#include "scheduler/placement.h"
#include "scheduler/quantum.h"
#include "scheduler/seating.h"
#include "tests/scheduler/scheduler_rig.h"

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
  const Ticket again = backlog.Take({});
  EXPECT_EQ(again.instance, 0u);
  EXPECT_EQ(again.attempt, 2u);
  EXPECT_EQ(backlog.Take({}).instance, 2u);
  EXPECT_EQ(backlog.size(), 0u);
  EXPECT_TRUE(backlog.classes().empty());
}

TEST(BacklogTest, InstancesThatNeedMoreMemoryAreAClassOfTheirOwn) {
  Backlog backlog(10);
  Ticket ticket = backlog.Take({});
  ticket.seat_class.pages = 8;
  backlog.Return(ticket);
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

class SeatingTest : public ::testing::Test {
 protected:
  SeatingTest() : plan_(PlanJob(NumberJob(NumberModule(), 1000), {}).value()) {
    layout_.memory_at = 1024;
  }
  uint64_t LaneBytes(uint32_t pages) const {
    return layout_.LaneWords(pages, 0) * 4 + (abi::RECORD_REGISTERS + 1) * 4 + 4;
  }
  JobPlan plan_;
  LaneLayout layout_;
};

TEST_F(SeatingTest, FullReserveWhereItFits) {
  const auto seating = ChooseSeating(plan_, layout_, {16, 8, 0}, 16 * LaneBytes(64));
  ASSERT_TRUE(seating);
  EXPECT_EQ(seating->lanes, 16u);
  EXPECT_EQ(seating->pages, 64u);
  EXPECT_EQ(seating->bytes, 16 * LaneBytes(64));
}

TEST_F(SeatingTest, FewerLanesBeforeLessMemoryWhileEnoughRun) {
  const auto seating = ChooseSeating(plan_, layout_, {16, 8, 0}, 8 * LaneBytes(64));
  ASSERT_TRUE(seating);
  EXPECT_EQ(seating->lanes, 8u);
  EXPECT_EQ(seating->pages, 64u);
}

TEST_F(SeatingTest, LessMemoryBeforeTooFewLanes) {
  const auto seating = ChooseSeating(plan_, layout_, {16, 8, 0}, 2 * LaneBytes(64));
  ASSERT_TRUE(seating);
  EXPECT_EQ(seating->pages, 8u);
  EXPECT_EQ(seating->lanes, 15u);
  // Never less than what the instances are known to need, or the module's own minimum.
  EXPECT_EQ(ChooseSeating(plan_, layout_, {16, 8, 32}, 2 * LaneBytes(64))->pages, 32u);
  EXPECT_EQ(ChooseSeating(plan_, layout_, {16, 16, 0}, 2 * LaneBytes(1))->pages, 1u);
}

TEST_F(SeatingTest, FurtherSeatsCostOnlyWhatTheHostSees) {
  SeatingWish wish{.lanes = 16, .enough_lanes = 8, .seats = 1000, .seats_per_lane = 8};
  const auto many = ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30);
  ASSERT_TRUE(many);
  EXPECT_EQ(many->lanes, 16u);
  EXPECT_EQ(many->seats, 128u);
  EXPECT_EQ(many->bytes, 16 * LaneBytes(64) + 112 * (LaneBytes(0) - layout_.LaneWords(0, 0) * 4));
  EXPECT_EQ(ShapeOf(plan_, *many).seats, 128u);
  wish.seats = 20;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30)->seats, 20u);
  // As many seats as lanes is a dispatch without a queue.
  wish.seats = 16;
  EXPECT_EQ(ShapeOf(plan_, *ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30)).seats, 0u);
  // No lane is given up for further seats.
  wish.seats = 1000;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, 16 * LaneBytes(64))->seats, 16u);
}

// Addresses for all that lanes may grow to, memory for what they begin with and as much again.
TEST_F(SeatingTest, MappedWhereTheFullReserveDoesNotFit) {
  SeatingWish wish{.lanes = 16, .enough_lanes = 8, .maps_memory = true};
  const auto full = ChooseSeating(plan_, layout_, wish, 8 * LaneBytes(64));
  EXPECT_EQ(full->mapped_pages, 0u);
  EXPECT_EQ(full->lanes, 8u);
  EXPECT_EQ(ShapeOf(plan_, *full).mapped_pages, 0u);
  const auto mapped = ChooseSeating(plan_, layout_, wish, 2 * LaneBytes(64));
  EXPECT_EQ(mapped->mapped_pages, 1u);
  EXPECT_EQ(mapped->pages, 64u);
  EXPECT_EQ(mapped->lanes, 16u);
  EXPECT_EQ(mapped->bytes, 16 * LaneBytes(2));
  EXPECT_EQ(ShapeOf(plan_, *mapped).mapped_pages, 1u);
  EXPECT_EQ(ShapeOf(plan_, *mapped).capacity_pages, 64u);
  wish.pages = 12;
  const auto larger = ChooseSeating(plan_, layout_, wish, 2 * LaneBytes(64));
  EXPECT_EQ(larger->mapped_pages, 12u);
  EXPECT_EQ(larger->pages, 64u);
  EXPECT_EQ(larger->lanes, 5u);
  // As much again is all that they may have, or more than there is.
  wish.pages = 32;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, 2 * LaneBytes(64))->mapped_pages, 0u);
  wish.pages = 20;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, LaneBytes(30))->mapped_pages, 0u);
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, LaneBytes(30))->lanes, 1u);
  layout_.memories = 2;
  wish.pages = 0;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, 2 * LaneBytes(64))->mapped_pages, 0u);
}

TEST_F(SeatingTest, MappedWithinATebibyteOfAddresses) {
  plan_.max_pages = 65536;
  SeatingWish wish{.lanes = 1000, .enough_lanes = 1000, .maps_memory = true};
  const auto seating = ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30);
  ASSERT_TRUE(seating);
  EXPECT_EQ(seating->lanes, 1000u);
  const uint64_t groups = 32, granule = uint64_t{2} << 20;
  const uint64_t group = layout_.LaneWords(seating->pages, 0) * 4 * 32;
  EXPECT_LE(groups * ((group + granule - 1) / granule * granule), kMostMappedBytes);
  EXPECT_GT(groups * (group + 2 * granule), kMostMappedBytes);
  wish.lanes = wish.enough_lanes = 32;
  plan_.max_pages = 4096;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30)->pages, 4096u);
}

TEST_F(SeatingTest, WhoHadMoreThanItBeganWithIsNotGivenLess) {
  EXPECT_EQ(PagesBeyond(1, 0, 64), 2u);
  EXPECT_EQ(PagesBeyond(1, 1, 64), 2u);
  EXPECT_EQ(PagesBeyond(1, 9, 64), 16u);
  EXPECT_EQ(PagesBeyond(3, 12, 64), 24u);
  EXPECT_EQ(PagesBeyond(1, ~0u, 64), 64u);
  EXPECT_EQ(PagesBeyond(0, 0, 64), 1u);
}

// Room for a short stack at first: most recursion is not deep.
TEST_F(SeatingTest, StackStartsSmallAndGrows) {
  layout_.frame_words_per_1024_slots = 2048;
  const auto first = ChooseSeating(plan_, layout_, {1, 1, 0, 0}, uint64_t{1} << 30);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->stack, kFirstStackSlots);
  EXPECT_EQ(ShapeOf(plan_, *first).capacity_stack, kFirstStackSlots);
  EXPECT_EQ(ShapeOf(plan_, *first).max_stack, 32768u);
  const auto more =
      ChooseSeating(plan_, layout_, {1, 1, 0, 4 * kFirstStackSlots}, uint64_t{1} << 30);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->stack, 4 * kFirstStackSlots);
  EXPECT_EQ(more->bytes - first->bytes, 3 * kFirstStackSlots * 2 * 4);
  plan_.spec.limits.max_stack = 100;
  EXPECT_EQ(ChooseSeating(plan_, layout_, {1, 1, 0, 0}, uint64_t{1} << 30)->stack, 100u);
}

void NoteOne(Quantum& quantum, uint64_t fuel) {
  quantum.Note(1, fuel, static_cast<double>(fuel) * static_cast<double>(fuel));
}

TEST(QuantumTest, ShortOnlyWhereLengthsDiffer) {
  Quantum quantum;
  EXPECT_EQ(quantum.next(), Quantum::kLongest);
  for (int i = 0; i < 100; ++i) NoteOne(quantum, 1'000'000 + i * 1000);
  EXPECT_EQ(quantum.next(), Quantum::kLongest);
  for (int i = 0; i < 100; ++i) NoteOne(quantum, 9'000'000);
  EXPECT_EQ(quantum.next(), 5'024'750u / 24);
}

TEST(QuantumTest, IsBoundedBothWays) {
  Quantum small, large;
  for (uint64_t i = 1; i < 100; ++i) {
    NoteOne(small, i * 100);
    NoteOne(large, i * 10'000'000);
  }
  EXPECT_EQ(small.next(), Quantum::kShortest);
  EXPECT_EQ(large.next(), Quantum::kLongest);
}

TEST(GrownStackTest, TimesFourUpToTheBudget) {
  EXPECT_EQ(GrownStack(2048, 32768), 8192u);
  EXPECT_EQ(GrownStack(8192, 32768), 32768u);
  EXPECT_EQ(GrownStack(32768, 32768), 32768u);
  EXPECT_EQ(GrownStack(2048, 3000), 3000u);
}

TEST_F(SeatingTest, NothingWhereNotOneLaneFits) {
  EXPECT_FALSE(ChooseSeating(plan_, layout_, {16, 8, 0}, LaneBytes(1) - 1));
  EXPECT_EQ(ChooseSeating(plan_, layout_, {16, 8, 0}, LaneBytes(1))->lanes, 1u);
}

TEST_F(SeatingTest, LargeOutputsMeanFewerLanes) {
  plan_.output_bytes = 512 << 20;
  EXPECT_EQ(ChooseSeating(plan_, layout_, {16, 8, 0}, uint64_t{1} << 40)->lanes, 1u);
  plan_.output_bytes = 0;
  plan_.blob.slot_bytes = 256 << 20;
  EXPECT_EQ(ChooseSeating(plan_, layout_, {16, 8, 0}, uint64_t{1} << 40)->lanes, 4u);
}

TEST(GrownPagesTest, DoublesUpToTheLimit) {
  EXPECT_EQ(GrownPages(0, 64), 1u);
  EXPECT_EQ(GrownPages(3, 64), 6u);
  EXPECT_EQ(GrownPages(40, 64), 64u);
  EXPECT_EQ(GrownPages(40000, 65536), 65536u);
}

TEST(MemoryBudgetTest, HalfOfWhatIsLeft) {
  MemoryBudget memory;
  memory.SetTotal(100);
  EXPECT_EQ(memory.Share(), 50u);
  memory.Hold(50);
  EXPECT_EQ(memory.Share(), 25u);
  const uint64_t version = memory.version();
  memory.Free(50);
  EXPECT_NE(memory.version(), version);
  EXPECT_TRUE(memory.empty());
}

TEST(PaceTest, LaunchesShortenWhileFewLanesKeepOthersWaiting) {
  using std::chrono::milliseconds;
  Pace pace(milliseconds(500));
  EXPECT_EQ(pace.next(), milliseconds(500));
  pace.Note(1, 4, 100);
  EXPECT_EQ(pace.next(), milliseconds(250));
  for (int i = 0; i < 20; ++i) pace.Note(1, 4, 100);
  EXPECT_EQ(pace.next(), milliseconds(10));
  pace.Note(4, 4, 100);  // all processors had work
  EXPECT_EQ(pace.next(), milliseconds(20));
  pace.Note(1, 4, 0);  // nobody waits
  EXPECT_EQ(pace.next(), milliseconds(40));
  for (int i = 0; i < 20; ++i) pace.Note(0, 4, 0);
  EXPECT_EQ(pace.next(), milliseconds(500));
  Pace brief(milliseconds(2));
  brief.Note(1, 4, 100);
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
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kCpu);
  facts.refused = refused;
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kInterpreter);
  EXPECT_NE(ChoosePlacement(facts)->reason.find("Recursion."), std::string::npos);
  facts = {};
  facts.avoids = "It broke.";
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kInterpreter);
  facts = {};
  facts.enabled = false;
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kInterpreter);
}

TEST(PlacementTest, PinnedJobsGetAnErrorInstead) {
  PlacementFacts facts;
  facts.wanted = Placement::kCpu;
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kCpu);
  facts.refused = Status(Reason::kWasmUnsupportedFeature, "Recursion.");
  EXPECT_EQ(ChoosePlacement(facts).status().reason(), Reason::kWasmUnsupportedFeature);
  facts = {};
  facts.wanted = Placement::kGpu;
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kCuda);
  facts.enabled = false;
  EXPECT_EQ(ChoosePlacement(facts).status().reason(), Reason::kNoDeviceFits);
  facts.wanted = Placement::kInterpreter;
  EXPECT_EQ(ChoosePlacement(facts)->engine, Engine::kInterpreter);
}

}  // namespace
}  // namespace wb::test
