// What sessions keep of their instances, and how much of it.

#include "scheduler/job/resident/resident_instances.h"

#include <gtest/gtest.h>

#include <memory>

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
  residents.End(1, StateOf(2, 100));
  residents.End(2, nullptr);
  EXPECT_EQ(residents.changed(), 1u);
  EXPECT_EQ(residents.bytes(), 400u);
  EXPECT_EQ(residents.MostPages(), 2u);
  EXPECT_EQ(residents.MostFurtherPages(), 3u);
  residents.Begin();
  EXPECT_EQ(residents.changed(), 0u);
  residents.End(1, StateOf(1, 50));
  EXPECT_EQ(residents.bytes(), 200u);
  EXPECT_EQ(residents.Get(1)->bytes(), 200u);
  EXPECT_EQ(residents.Get(0), nullptr);
}

TEST(ResidentInstances, ASessionHasABound) {
  ResidentInstances residents(3, 1000, std::make_shared<ResidentBudget>(1 << 20));
  residents.Begin();
  residents.End(0, StateOf(1, 200));
  EXPECT_EQ(residents.no_room(), "");
  residents.End(1, StateOf(1, 51));
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

}  // namespace
}  // namespace wb::test
