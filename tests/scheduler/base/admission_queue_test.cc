#include "scheduler/base/admission_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace wb {
namespace {

std::vector<int> AfterLeave(AdmissionQueue<int>& queue, int job) {
  std::vector<int> started;
  queue.Leave(job, [&](int next) { started.push_back(next); });
  return started;
}

TEST(AdmissionQueue, WithoutALimitAllStart) {
  AdmissionQueue<int> queue;
  for (int job = 0; job < 100; ++job) EXPECT_TRUE(queue.Enter(job, "a", 0, 0));
  EXPECT_TRUE(AfterLeave(queue, 7).empty());
}

TEST(AdmissionQueue, TheHighestPriorityIsNextThenWhoCameFirst) {
  AdmissionQueue<int> queue;
  EXPECT_TRUE(queue.Enter(1, "a", 0, 1));
  EXPECT_FALSE(queue.Enter(2, "a", 0, 1));
  EXPECT_FALSE(queue.Enter(3, "a", 0, 1));
  EXPECT_FALSE(queue.Enter(4, "a", 5, 1));
  EXPECT_TRUE(queue.Enter(5, "b", -8, 1)) << "others are not held up";
  const auto standing = queue.Of(3);
  EXPECT_TRUE(standing.waits);
  EXPECT_EQ(standing.before, 2u);
  EXPECT_EQ(standing.under_way, 1u);
  EXPECT_EQ(standing.at_most, 1u);
  EXPECT_FALSE(queue.Of(1).waits);
  EXPECT_FALSE(queue.Of(99).waits);
  EXPECT_EQ(AfterLeave(queue, 1), std::vector<int>{4});
  EXPECT_TRUE(AfterLeave(queue, 2).empty()) << "one that waited makes no place";
  EXPECT_EQ(AfterLeave(queue, 4), std::vector<int>{3});
}

// Whatever comes and goes: the limit holds, and no job is forgotten.
TEST(AdmissionQueue, EverybodyStartsOnceAndNeverTooMany) {
  std::mt19937 random(7);
  AdmissionQueue<int> queue;
  std::map<int, std::string> under_way;
  std::map<std::string, int> counts;
  const auto start = [&](int job, const std::string& tenant) {
    under_way[job] = tenant;
    EXPECT_LE(++counts[tenant], 3);
  };
  std::map<int, std::string> tenant_of;
  const auto leave = [&] {
    const int job = under_way.begin()->first;
    --counts[under_way.begin()->second];
    under_way.erase(job);
    queue.Leave(job, [&](int next) { start(next, tenant_of[next]); });
  };
  for (int job = 0; job < 1000; ++job) {
    tenant_of[job] = random() % 2 == 0 ? "a" : "b";
    if (queue.Enter(job, tenant_of[job], int32_t(random() % 5), 3)) start(job, tenant_of[job]);
    if (random() % 3 == 0 && !under_way.empty()) leave();
  }
  size_t left = 0;
  for (; !under_way.empty(); ++left) leave();
  EXPECT_GE(left, 600u);
  for (int job = 0; job < 1000; ++job) EXPECT_FALSE(queue.Of(job).waits);
}

}  // namespace
}  // namespace wb
