// What sessions keep of their instances, and how much of it.

#include "scheduler/job/resident/resident_instances.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <utility>
#include <vector>

#include "scheduler/devices/migration/image_words.h"

namespace wb::test {
namespace {

// Of so many pages, and so many words in all.
ResidentStateRef StateOf(uint32_t pages, size_t words) {
  auto state = std::make_shared<ResidentState>();
  state->state.resize(words);
  state->memories = {{0, pages}, {0, pages + 1}};
  return state;
}

TEST(ResidentInstances, KeepWhatTheyCameTo) {
  ResidentInstances residents(3, 1000, std::make_shared<ResidentBudget>(1000));
  EXPECT_EQ(residents.Get(1), nullptr);
  EXPECT_EQ(residents.MostPages(), 0u);
  residents.Begin();
  residents.End(1, {StateOf(2, 100)});
  residents.End(2, {});
  EXPECT_EQ(residents.changed(), 1u);
  EXPECT_EQ(residents.bytes(), 400u);
  EXPECT_EQ(residents.MostPages(), 2u);
  EXPECT_EQ(residents.MostFurtherPages(), 3u);
  residents.Begin();
  EXPECT_EQ(residents.changed(), 0u);
  residents.End(1, {StateOf(1, 50)});
  EXPECT_EQ(residents.bytes(), 200u);
  EXPECT_EQ(residents.Get(1)->bytes(), 200u);
  EXPECT_EQ(residents.Get(0), nullptr);
}

TEST(ResidentInstances, ASessionHasABound) {
  ResidentInstances residents(3, 1000, std::make_shared<ResidentBudget>(1 << 20));
  residents.Begin();
  residents.End(0, {StateOf(1, 200)});
  EXPECT_EQ(residents.no_room(), "");
  residents.End(1, {StateOf(1, 51)});
  EXPECT_EQ(residents.changed(), 1u);
  EXPECT_EQ(residents.Get(1), nullptr);
  EXPECT_NE(residents.no_room().find("[1000] bytes (sessions.max_bytes)"), std::string::npos);
  EXPECT_TRUE(residents.Put(1, StateOf(1, 50)).ok());
  EXPECT_EQ(residents.Put(1, StateOf(1, 51)).reason(), Reason::kLimitTooHigh);
  EXPECT_TRUE(residents.Put(0, nullptr).ok());
  EXPECT_EQ(residents.bytes(), 200u);
  EXPECT_FALSE(residents.no_room().empty());  // the call's states stay of different calls
}

TEST(ResidentInstances, AllSessionsHaveOne) {
  const auto budget = std::make_shared<ResidentBudget>(1000);
  ResidentInstances first(1, 4000, budget);
  auto second = std::make_unique<ResidentInstances>(1, 4000, budget);
  EXPECT_TRUE(first.Put(0, StateOf(1, 150)).ok());
  EXPECT_TRUE(second->Put(0, StateOf(1, 100)).ok());
  EXPECT_EQ(budget->held(), 1000u);
  const Status more = first.Put(0, StateOf(1, 151));
  EXPECT_NE(more.message().find("sessions.max_total_bytes"), std::string::npos) << more.message();
  second.reset();
  EXPECT_EQ(budget->held(), 600u);
  EXPECT_TRUE(first.Put(0, StateOf(1, 250)).ok());
}

// A head of one word and a memory of one page, whose first two blocks are not zero.
ResidentStateRef TwoBlocks(uint32_t first, uint32_t second) {
  auto state = std::make_shared<ResidentState>();
  state->state.resize(1 + 1 + 2 * kBlockWords);
  state->state[1] = 3;
  state->state[2] = first;
  state->state[2 + kBlockWords] = second;
  state->memories = {{1, 1}};
  return state;
}

// Of the second block, and of the head.
EndedState SecondChanged(ResidentStateRef base, uint32_t head, uint32_t second) {
  EndedState ended;
  ended.base = std::move(base);
  ended.change.words.resize(1 + 2 + kBlockWords);
  ended.change.words[0] = head;
  ended.change.words[1] = 3;
  ended.change.words[2] = 2;
  ended.change.words[3] = second;
  ended.change.memories = {{1, 1}};
  return ended;
}

TEST(ResidentInstances, WhatChangedIsPutWhereTheStateIs) {
  ResidentInstances residents(2, 1 << 20, std::make_shared<ResidentBudget>(1 << 20));
  ASSERT_TRUE(residents.Put(0, TwoBlocks(5, 6)).ok());
  ASSERT_TRUE(residents.Put(1, TwoBlocks(7, 8)).ok());
  ASSERT_NE(residents.Get(0)->placed, nullptr);
  const uint32_t* const at = residents.Get(0)->words().data();
  residents.Begin();
  residents.End(0, SecondChanged(residents.Get(0), 9, 60));
  EXPECT_EQ(residents.changed(), 1u);
  EXPECT_EQ(residents.Get(0)->words().data(), at);
  EXPECT_EQ(at[0], 9u);
  EXPECT_EQ(at[2], 5u);
  EXPECT_EQ(at[2 + kBlockWords], 60u);
  EXPECT_EQ(residents.Get(1)->words()[2 + kBlockWords], 8u);
}

// The lane's number is that of the state that the session has, and of no other.
TEST(ResidentInstances, AStateHasTheNumberOfTheLaneThatLeftIt) {
  ResidentInstances residents(2, 10000, std::make_shared<ResidentBudget>(1 << 20));
  EXPECT_EQ(residents.Resting(0).left_as, 0u);
  residents.Begin();
  EndedState ended{StateOf(1, 100)};
  ended.left_as = 5;
  residents.End(0, ended);
  EXPECT_EQ(residents.Resting(0).left_as, 5u);
  EXPECT_EQ(residents.Resting(1).left_as, 0u);
  residents.End(0, {});  // it was stopped: the state from before stays, but a lane may have run on
  EXPECT_EQ(residents.Resting(0).left_as, 5u);
  EndedState too_large{StateOf(1, 5000)};
  too_large.left_as = 6;
  residents.End(0, too_large);
  EXPECT_EQ(residents.Resting(0).state->bytes(), 400u);
  EXPECT_EQ(residents.Resting(0).left_as, 5u);
  ASSERT_TRUE(residents.Put(0, StateOf(1, 100)).ok());  // written to
  EXPECT_EQ(residents.Resting(0).left_as, 0u);
}

// One who reads a state goes on reading it as it was.
TEST(ResidentInstances, WhatSomebodyHoldsDoesNotChange) {
  ResidentInstances residents(1, 1 << 20, std::make_shared<ResidentBudget>(1 << 20));
  ASSERT_TRUE(residents.Put(0, TwoBlocks(5, 6)).ok());
  const ResidentStateRef held = residents.Get(0);
  const uint64_t bytes = residents.bytes();
  residents.Begin();
  residents.End(0, SecondChanged(residents.Get(0), 9, 60));
  EXPECT_EQ(held->words()[2 + kBlockWords], 6u);
  EXPECT_EQ(residents.Get(0)->words()[0], 9u);
  EXPECT_EQ(residents.Get(0)->words()[2], 5u);
  EXPECT_EQ(residents.Get(0)->words()[2 + kBlockWords], 60u);
  EXPECT_EQ(residents.bytes(), bytes);
}

// Where a state takes more room it is another one, elsewhere.
TEST(ResidentInstances, AStateThatGrowsIsPutElsewhere) {
  ResidentInstances residents(1, 1 << 20, std::make_shared<ResidentBudget>(1 << 20));
  ASSERT_TRUE(residents.Put(0, TwoBlocks(5, 6)).ok());
  EndedState ended = SecondChanged(residents.Get(0), 9, 60);
  ended.change.words[1] = 7;  // a third block
  ended.change.words[2] = 6;
  ended.change.words.resize(1 + 2 + 2 * kBlockWords);
  ended.change.words[3 + kBlockWords] = 77;
  residents.Begin();
  residents.End(0, std::move(ended));
  const ResidentStateRef state = residents.Get(0);
  EXPECT_EQ(state->words().size(), 1 + 1 + 3 * kBlockWords);
  EXPECT_EQ(state->words()[1], 7u);
  EXPECT_EQ(state->words()[2], 5u);
  EXPECT_EQ(state->words()[2 + kBlockWords], 60u);
  EXPECT_EQ(state->words()[2 + 2 * kBlockWords], 77u);
  EXPECT_EQ(residents.bytes(), state->bytes());
}

TEST(ResidentArena, WhatIsGivenBackIsUsedAgain) {
  const auto arena = ResidentArena::Make(4096);
  ASSERT_NE(arena, nullptr);
  std::vector<std::shared_ptr<const PlacedWords>> all;
  for (int i = 0; i < 4; ++i) all.push_back(arena->Place(256));
  for (const auto& one : all) ASSERT_NE(one, nullptr);
  EXPECT_EQ(arena->Place(1), nullptr);
  const uint64_t second = all[1]->at();
  all[1] = nullptr;
  EXPECT_EQ(arena->Place(257), nullptr);
  EXPECT_EQ(arena->Place(200)->at(), second);
  all[2] = nullptr;
  EXPECT_NE(arena->Place(512), nullptr);  // two parts side by side are one
  all[0] = nullptr;
  all[3] = nullptr;
  EXPECT_NE(arena->Place(1024), nullptr);
}

#ifdef __linux__
TEST(ResidentArena, OthersReadItAndDoNotWrite) {
  const auto arena = ResidentArena::Make(4096);
  const auto words = arena->Place(1);
  words->words()[0] = 42;
  EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, words->shared(), 0),
            MAP_FAILED);
  void* read = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, words->shared(), 0);
  ASSERT_NE(read, MAP_FAILED);
  EXPECT_EQ(static_cast<const uint32_t*>(read)[words->at() / 4], 42u);
  ::munmap(read, 4096);
}
#endif

}  // namespace
}  // namespace wb::test
