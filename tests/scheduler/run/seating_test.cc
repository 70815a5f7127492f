// How many lanes and seats a dispatch has, and how much memory each.

#include <gtest/gtest.h>

#include "compiler/system/system_layer.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/run/seats/seating.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

class SeatingTest : public ::testing::Test {
 protected:
  SeatingTest() : plan_(PlanJob(NumberJob(NumberModule(), 1000), {}).value()) {
    layout_.memory_at = 1024;
  }
  uint64_t LaneBytes(uint32_t pages) const {
    return layout_.LaneWords({pages}, 0) * 4 + (abi::RECORD_REGISTERS + 1) * 4 + 4;
  }
  uint64_t Besides(uint32_t stack) const {  // memories
    return LaneBytes(0) + (layout_.LaneWords({0}, stack) - layout_.LaneWords({0}, 0)) * 4 -
           layout_.MemoryWords({0}) * 4;
  }
  JobPlan plan_;
  LaneLayout layout_;
};

TEST_F(SeatingTest, ALimitOfOutputFarAboveTheBufferCostsNoLanes) {
  const uint64_t budget = 100 * (LaneBytes(64) + kOutputBuffer);
  plan_.output_buffer = kOutputBuffer;
  plan_.output_bytes = kOutputBuffer;
  const auto small = ChooseSeating(plan_, layout_, {1000, 100, 0}, budget);
  plan_.output_bytes = 64 << 20;
  const auto large = ChooseSeating(plan_, layout_, {1000, 100, 0}, budget);
  ASSERT_TRUE(small && large);
  EXPECT_GE(small->lanes, 100u);
  EXPECT_EQ(large->lanes, small->lanes);
  EXPECT_EQ(large->bytes, small->bytes);
  EXPECT_EQ(ShapeOf(plan_, *large).RecordWords(), abi::RECORD_REGISTERS + 1 + kOutputBuffer / 4);
}

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
  EXPECT_EQ(many->bytes, 16 * LaneBytes(64) + 112 * (LaneBytes(0) - layout_.LaneWords({0}, 0) * 4));
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
  layout_.memories = {{1, 64}, {1, 64}};
  wish.pages = 0;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, 2 * LaneBytes(64))->mapped_pages, 0u);
}

// A WASI program that begins with 17 pages, as Rust's do, and the system layer, which begins with
// one: 18 pages a lane. Where both had the same reserve it was 34.
TEST_F(SeatingTest, TheSystemLayerTakesWhatItNeeds) {
  const auto program = Module::Decode(MustAssemble(R"((module
    (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 17) (func (export "_start")
      (drop (memory.grow (i32.const 1))) (drop (call 0 (i32.const 1) (i32.const 0)
                                                       (i32.const 1) (i32.const 16))))))"));
  const auto lowered = Lower(WholeProgram(program.value()).value()).value();
  layout_ = lowered->layout;
  plan_.min_pages = 17;
  plan_.max_pages = 512;
  const uint64_t besides = Besides(kFirstStackSlots);
  SeatingWish wish{.lanes = 100'000, .enough_lanes = 100'000};
  const uint64_t gib = uint64_t{1} << 30;
  const auto least = ChooseSeating(plan_, layout_, wish, gib);
  EXPECT_EQ(least->pages, 17u);
  EXPECT_EQ(least->further_pages, 0u);
  EXPECT_EQ(least->lanes, gib / (besides + 18 * 65536));
  EXPECT_GT(least->lanes, gib / (besides + 34 * 65536) * 18 / 10);
  // Between that and all the layer may grow by an eighth of what the program may grow by.
  wish.lanes = wish.enough_lanes = 200;
  const auto some = ChooseSeating(plan_, layout_, wish, gib);
  EXPECT_EQ(some->pages, 64u);
  EXPECT_EQ(some->further_pages, 5u);
  EXPECT_EQ(ShapeOf(plan_, *some).further_pages, 5u);
  // What its files are known to need it has.
  wish.further_pages = 40;
  EXPECT_EQ(ChooseSeating(plan_, layout_, wish, gib)->further_pages, 40u);
  wish.lanes = wish.enough_lanes = 1;
  EXPECT_TRUE(ShapeOf(plan_, *ChooseSeating(plan_, layout_, wish, gib)).ReservesAll());
}

// A program that never grows its memory leaves nothing to reserve for that, whatever the limit is.
TEST_F(SeatingTest, NothingForAMemoryThatNoCodeGrows) {
  plan_.max_pages = 512;
  layout_.memories = {{20, 20}, {1, 65536}};
  SeatingWish wish{.lanes = 8, .enough_lanes = 8};
  const auto all = ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30);
  EXPECT_EQ(all->bytes, 8 * (Besides(0) + (20 + 512) * uint64_t{65536}));
  const auto less = ChooseSeating(plan_, layout_, wish, 8 * (uint64_t{40} << 16));
  EXPECT_LE(less->bytes, 8 * (uint64_t{40} << 16));
  EXPECT_EQ(less->lanes, 8u);
  EXPECT_GT(less->further_pages, 0u);
}

TEST_F(SeatingTest, APartOfMemoryWhereAllLeavesTooFewLanes) {
  SeatingWish wish{.lanes = 16, .enough_lanes = 8, .pages = 0};
  wish.window = {4096, 8192};
  const uint64_t part_bytes = LaneBytes(0) + 8192;
  // All of what they begin with leaves enough.
  EXPECT_TRUE(ChooseSeating(plan_, layout_, wish, 8 * LaneBytes(1))->window.is_all());
  const auto part = ChooseSeating(plan_, layout_, wish, 8 * LaneBytes(1) - 1);
  EXPECT_EQ(part->window, wish.window);
  EXPECT_EQ(part->lanes, 16u);
  EXPECT_EQ(part->pages, plan_.max_pages);
  EXPECT_EQ(part->bytes, 16 * part_bytes);
  EXPECT_EQ(ShapeOf(plan_, *part).window, wish.window);
  // Where it leaves no more lanes, they hold all.
  wish.window.bytes = 65536;
  EXPECT_TRUE(ChooseSeating(plan_, layout_, wish, 8 * LaneBytes(1) - 1)->window.is_all());
}

TEST_F(SeatingTest, WhoNeedsMoreOfOneMemoryKeepsWhatItHasOfTheOthers) {
  Module two;
  two.memories = {{{17, std::nullopt}, false}, {{3, std::nullopt}, false}};
  DispatchShape shape;
  shape.capacity_pages = 20;
  shape.further_pages = 2;
  shape.max_pages = 512;
  std::vector<uint32_t> record(abi::RECORD_REGISTERS, 0);
  record[abi::RECORD_WANTED_PAGES] = 50;
  EXPECT_EQ(GrownClass({}, shape, two, record), (SeatClass{100, 0, 0, 2}));
  record[abi::RECORD_WANTED_PAGES] = 9 | 1u << abi::WANTED_MEMORY_SHIFT;
  EXPECT_EQ(GrownClass({}, shape, two, record), (SeatClass{20, 0, 0, 12}));
  EXPECT_EQ(GrownClass({18, 1, 2, 40}, shape, two, record), (SeatClass{20, 1, 2, 12}));
  record[abi::RECORD_WANTED_PAGES] = 500 | 1u << abi::WANTED_MEMORY_SHIFT;
  EXPECT_EQ(GrownClass({}, shape, two, record), (SeatClass{20, 0, 0, 512}));
  // Of a memory that is not there: nothing that a sound engine writes.
  record[abi::RECORD_WANTED_PAGES] = 9 | 7u << abi::WANTED_MEMORY_SHIFT;
  EXPECT_EQ(GrownClass({}, shape, two, record).pages, 512u);
}

TEST_F(SeatingTest, MappedWithinATebibyteOfAddresses) {
  plan_.max_pages = 65536;
  SeatingWish wish{.lanes = 1000, .enough_lanes = 1000, .maps_memory = true};
  const auto seating = ChooseSeating(plan_, layout_, wish, uint64_t{1} << 30);
  ASSERT_TRUE(seating);
  EXPECT_EQ(seating->lanes, 1000u);
  const uint64_t groups = 32, granule = uint64_t{2} << 20;
  const uint64_t group = layout_.LaneWords({seating->pages}, 0) * 4 * 32;
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
  plan_.output_bytes = plan_.output_buffer = 512 << 20;
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

}  // namespace
}  // namespace wb::test
