#include "scheduler/control/fair_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/scheduler/simulation/jain.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

const auto kAnybody = [](int) { return true; };

class FairQueueTest : public ::testing::Test {
 protected:
  void Add(int job, FairShare share = {}) { queue_.Add(job, share, now_); }
  int Turn(nanoseconds took = 500ms) {
    const int job = queue_.Next(now_, kAnybody).value_or(-1);
    now_ += took;
    queue_.Charge(job, took);
    return job;
  }
  std::vector<int> Turns(int count) {
    std::vector<int> turns;
    while (count-- > 0) turns.push_back(Turn());
    return turns;
  }

  FairQueue<int> queue_;
  TimePoint now_{1h};
};

TEST_F(FairQueueTest, NobodyIsNobody) {
  EXPECT_EQ(Turn(), -1);
  Add(1);
  EXPECT_EQ(queue_.Next(now_, [](int) { return false; }), std::nullopt);
  queue_.Remove(1);
  queue_.Remove(1);
  EXPECT_EQ(Turn(), -1);
}

TEST_F(FairQueueTest, ASmallJobBehindABigOneIsNext) {
  for (int turns = 1; turns < 5; ++turns) {
    FairQueue<int> queue;
    queue.Add(1, {}, now_);
    for (int i = 0; i < turns; ++i) {
      EXPECT_EQ(*queue.Next(now_, kAnybody), 1);
      queue.Charge(1, 500ms);
    }
    queue.Add(2, {}, now_);
    EXPECT_EQ(*queue.Next(now_, kAnybody), 2);
  }
}

TEST_F(FairQueueTest, TenantsShareHoweverManyJobsTheyHave) {
  for (int job = 0; job < 50; ++job) Add(job, {"flood", 1, 0});
  Add(100, {"one", 1, 0});
  int one = 0;
  for (int i = 0; i < 200; ++i) one += Turn() == 100 ? 1 : 0;
  EXPECT_NEAR(one, 100, 2);
}

TEST_F(FairQueueTest, TenantsHaveTheirWeights) {
  Add(1, {"a", 1, 0});
  Add(2, {"b", 3, 0});
  std::map<int, int> turns;
  for (int i = 0; i < 400; ++i) ++turns[Turn()];
  EXPECT_NEAR(turns[2], 300, 4);
}

TEST_F(FairQueueTest, PriorityGoesFirstAndAgeingComesRound) {
  Add(1, {"", 1, 0});
  Add(2, {"", 1, 1});
  Add(3, {"", 1, 1});
  EXPECT_EQ(Turns(4), (std::vector<int>{2, 3, 2, 3}));
  const std::vector<int> turns = Turns(400);  // 200 s
  const auto low = std::count(turns.begin(), turns.end(), 1);
  EXPECT_GE(low, 15);
  EXPECT_LE(low, 25);
}

TEST_F(FairQueueTest, PrioritiesOfOneTenantDoNotTakeFromAnother) {
  Add(1, {"a", 1, 100});
  Add(2, {"b", 1, -100});
  int second = 0;
  for (int i = 0; i < 100; ++i) second += Turn() == 2 ? 1 : 0;
  EXPECT_NEAR(second, 50, 2);
}

TEST_F(FairQueueTest, NobodyLosesDebtByGoingAway) {
  Add(1, {"b", 1, 0});
  Add(2, {"c", 1, 0});
  int mine = 0;
  for (int i = 0; i < 300; ++i) {
    if (i % 2 == 0) Add(1000 + i, {"a", 1, 0});  // jobs of one turn each, one after the other
    const int job = Turn();
    if (job < 1000) continue;
    ++mine;
    queue_.Remove(job);
  }
  EXPECT_NEAR(mine, 100, 10);
}

TEST_F(FairQueueTest, AFloodOfTenantsIsForgotten) {
  Add(1, {"stays", 1, 0});
  int stays = 0;
  for (int i = 0; i < 5000; ++i) {
    Add(1000 + i, {"tenant " + std::to_string(i), 1, 0});
    const int job = Turn();
    stays += job == 1 ? 1 : 0;
    if (job != 1) queue_.Remove(job);
  }
  EXPECT_GE(stays, 2000);
}

// Equal tenants under flood, jobs that come and go, turns of all lengths: alike within a minute.
TEST_F(FairQueueTest, EqualTenantsUnderFloodGetAlikeInAMinute) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    FairQueue<int> queue;
    TimePoint now(1h);
    std::map<int, size_t> owner;
    int next = 0;
    const auto add = [&](size_t tenant) {
      owner[next] = tenant;
      queue.Add(next++, {"tenant " + std::to_string(tenant), 1, 0}, now);
    };
    for (size_t tenant = 0; tenant < 6; ++tenant) {
      for (size_t i = 0; i < 1 + tenant * tenant * 10; ++i) add(tenant);
    }
    std::vector<double> used(6);
    for (const TimePoint end = now + 60s; now < end;) {
      const int job = *queue.Next(now, kAnybody);
      const nanoseconds took(1'000'000 + static_cast<int64_t>(random() % 499'000'000));
      queue.Charge(job, took);
      now += took;
      used[owner[job]] += std::chrono::duration<double>(took).count();
      if (random() % 3 != 0) continue;
      queue.Remove(job);
      add(owner[job]);
    }
    EXPECT_GE(Jain(used), 0.95) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wb::test
