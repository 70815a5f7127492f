// Where the parts of lanes and images lie, and which words a move needs.

#include "scheduler/devices/migration/lane_map.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "scheduler/devices/migration/image_words.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr std::string_view kTwoMemories = R"((module (memory 1 8) (memory $m 1 4)
  (func (export "run") (param i32) (result i32)
    (i32.add (memory.grow (local.get 0)) (memory.grow $m (local.get 0))))))";
constexpr std::string_view kOnePage = R"((module (memory 1 8)
  (func (export "run") (param i32) (result i32)
    (i32.load (local.get 0)))))";
constexpr std::string_view kCallsItself = R"((module (memory 1 8)
  (func $run (export "run") (param i32) (result i32)
    (if (result i32) (local.get 0) (then (call $run (i32.load (local.get 0))))
      (else (i32.const 0))))))";

// The map of a module, and a lane's header there, all zeros.
struct MappedLane {
  explicit MappedLane(std::string_view text)
      : work(WorkOf(text, "run")),
        shape(work.Shape()),
        map(*work.module, shape),
        words(map.layout().memory_at) {}
  LaneWords lane() { return {words.data(), 1}; }

  Work work;
  DispatchShape shape;
  LaneMap map;
  std::vector<uint32_t> words;
};

// With a header of zeros, and no memory in it.
LaneImage EmptyImage(const LaneMap& map) {
  LaneImage image;
  image.form = map.form();
  image.state.resize(1 + map.HeadWords());
  return image;
}

TEST(LaneMapTest, MemoriesAreFetchedAsFarAsTheyAre) {
  MappedLane mapped(kTwoMemories);
  const LaneMap& map = mapped.map;
  EXPECT_EQ(map.Reserved(0), 8u);
  EXPECT_EQ(map.Reserved(1), 4u);
  EXPECT_TRUE(map.Rest(mapped.lane()).empty());
  const uint64_t first = map.layout().memory_at;
  mapped.words[abi::LANE_PAGES] = 2;
  EXPECT_EQ(map.Rest(mapped.lane()), (std::vector<LaneRange>{{first, 2 * kWordsPerPage}}));
  EXPECT_EQ(map.MemoryAt(1), first + 8 * kWordsPerPage);
  const uint32_t global = mapped.work.module->program.memories[1].pages_global;
  ASSERT_NE(global, ir::kNoGlobal);
  const uint32_t pages_at =
      map.layout().globals_at + mapped.work.module->program.global_words[global];
  mapped.words[pages_at] = 3;
  EXPECT_EQ(map.PagesOf(mapped.lane(), 1), 3u);
  EXPECT_EQ(
      map.Rest(mapped.lane()),
      (std::vector<LaneRange>{{first, 2 * kWordsPerPage}, {map.MemoryAt(1), 3 * kWordsPerPage}}));
  // A header that no sound engine leaves leads to no word outside of the lane.
  mapped.words[abi::LANE_PAGES] = mapped.words[pages_at] = ~0u;
  EXPECT_EQ(
      map.Rest(mapped.lane()),
      (std::vector<LaneRange>{{first, 8 * kWordsPerPage}, {map.MemoryAt(1), 4 * kWordsPerPage}}));
}

TEST(LaneMapTest, ReservesLieBeforeTheGlobals) {
  MappedLane two(kTwoMemories);
  const LaneRange reserves = two.map.Reserves();
  EXPECT_EQ(reserves.words, abi::RESERVE_WORDS);
  EXPECT_EQ(reserves.at + reserves.words, two.map.layout().globals_at);
  MappedLane one(kOnePage);
  EXPECT_EQ(one.map.Reserves().words, 0u);
}

TEST(LaneMapTest, FramesOfARecursiveModuleLieBehindTheMemory) {
  MappedLane mapped(kCallsItself);
  const LaneMap& map = mapped.map;
  ASSERT_TRUE(map.layout().recursive());
  EXPECT_EQ(map.FramesAt(), map.layout().memory_at + 8 * kWordsPerPage);
  const std::vector<LaneRange> rest = map.Rest(mapped.lane());
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].at, map.FramesAt());
  EXPECT_EQ(rest[0].words, map.layout().FramesWords(map.CapacityStack()));
}

// A span is of 2 KiB there, and a block of 4. A write may end in the span behind its own.
TEST(LaneMapTest, BlocksThatWereNotWrittenToAreKept) {
  MappedLane mapped(kOnePage);
  ASSERT_EQ(mapped.map.layout().span_shift, 11u);
  const auto kept = [&](uint32_t bits, uint64_t block, uint32_t base_pages = 1) {
    mapped.words[abi::LANE_KEPT] = bits;
    return mapped.map.IsKept(mapped.lane(), 0, block, base_pages);
  };
  EXPECT_TRUE(kept(~0u, 0));
  EXPECT_TRUE(kept(~0u, 15));
  EXPECT_FALSE(kept(~0u, 16));  // it has come since
  EXPECT_TRUE(kept(~0u, 16, 2));
  EXPECT_FALSE(kept(~(1u << 4), 2));
  EXPECT_TRUE(kept(~(1u << 4), 1));
  EXPECT_TRUE(kept(~(1u << 4), 3));
  EXPECT_FALSE(kept(~(1u << 5), 3));
  EXPECT_FALSE(kept(~1u, 16, 2));  // it shares the note
  EXPECT_FALSE(mapped.map.IsKept(mapped.lane(), 1, 0, 1));
}

TEST(LaneMapTest, OnlyWhatMayHaveChangedIsFetched) {
  MappedLane mapped(kOnePage);
  const LaneMap& map = mapped.map;
  LaneImage base = EmptyImage(map);
  const uint64_t first = map.layout().memory_at;
  base.state[1 + abi::LANE_PAGES] = mapped.words[abi::LANE_PAGES] = 1;
  mapped.words[abi::LANE_KEPT] = ~0u;
  EXPECT_TRUE(map.RestOfChange(mapped.lane(), base.state).empty());
  mapped.words[abi::LANE_KEPT] = ~(1u << 4);
  EXPECT_EQ(map.RestOfChange(mapped.lane(), base.state),
            (std::vector<LaneRange>{{first + 2 * kBlockWords, kBlockWords}}));
  // Ranges so close to one another are one.
  mapped.words[abi::LANE_KEPT] = ~(1u | 1u << 30);
  EXPECT_EQ(map.RestOfChange(mapped.lane(), base.state),
            (std::vector<LaneRange>{{first, kWordsPerPage}}));
  mapped.words[abi::LANE_PAGES] = 3;
  mapped.words[abi::LANE_KEPT] = ~0u;
  EXPECT_EQ(map.RestOfChange(mapped.lane(), base.state),
            (std::vector<LaneRange>{{first + kWordsPerPage, 2 * kWordsPerPage}}));
}

TEST(LaneMapTest, AnImageTakesAtLeastOnePage) {
  MappedLane mapped(kOnePage);
  const LaneMap& map = mapped.map;
  LaneImage image = EmptyImage(map);
  EXPECT_EQ(map.PagesFor(image), 1u);
  EXPECT_EQ(map.RestOf(image), (std::vector<LaneRange>{{map.layout().memory_at, kWordsPerPage}}));
  image.state[1 + abi::LANE_PAGES] = 3;
  EXPECT_EQ(map.PagesFor(image), 3u);
  MappedLane none("(module (func (export \"run\") (param i32)))");
  EXPECT_EQ(none.map.PagesFor(EmptyImage(none.map)), none.map.Reserved(0) == 0 ? 0u : 1u);
}

TEST(LaneMapTest, AnImagesPartsLieBehindOneAnother) {
  MappedLane mapped(kCallsItself);
  const LaneMap& map = mapped.map;
  LaneImage image = EmptyImage(map);
  image.state[0] = 5;
  EXPECT_FALSE(map.PartsOf(image).has_value());  // its frames are not there
  image.state.resize(image.state.size() + 5);
  const auto parts = map.PartsOf(image);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->head.first, image.state.data() + 1);
  EXPECT_EQ(parts->frames.first, image.state.data() + 1 + map.HeadWords());
  EXPECT_EQ(parts->frames_words, 5u);
  EXPECT_EQ(parts->memories_at, image.state.size());
  image.state.clear();
  EXPECT_FALSE(map.PartsOf(image).has_value());
}

TEST(LaneMapTest, WithoutRecursionNoFramesLieBehindTheMemory) {
  MappedLane mapped(kOnePage);
  LaneImage image = EmptyImage(mapped.map);
  EXPECT_TRUE(mapped.map.PartsOf(image).has_value());
  image.state[0] = 1;
  image.state.push_back(0);
  EXPECT_FALSE(mapped.map.PartsOf(image).has_value());
}

}  // namespace
}  // namespace wb::test
