#include "scheduler/placement/shares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace wb {
namespace {

struct ShareCase {
  std::string name;
  std::vector<Worker> workers;  // lanes, lane time, setup, seated, age
  uint64_t waiting;
  std::vector<uint64_t> shares;
};

class ShareOutTest : public ::testing::TestWithParam<ShareCase> {};

TEST_P(ShareOutTest, GivesEachItsPart) {
  EXPECT_EQ(ShareOut(GetParam().workers, GetParam().waiting), GetParam().shares);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ShareOutTest,
    ::testing::Values(
        ShareCase{"alone", {{10, 1, 0, 5}}, 100, {100}},
        ShareCase{"by_rate", {{3, 0.1}, {1, 0.1}}, 400, {300, 100}},
        ShareCase{"who_sits_counts", {{3, 0.1, 0, 300}, {1, 0.1}}, 100, {0, 100}},
        ShareCase{"too_late_a_start", {{3, 0.1}, {100, 0.1, 60}}, 300, {300, 0}},
        ShareCase{"worth_its_start", {{3, 0.1}, {100, 0.1, 60}}, 2830, {1830, 1000}},
        ShareCase{"too_slow_a_lane", {{3, 0.1}, {90, 9}}, 30, {30, 0}},
        ShareCase{"the_tail_to_the_quick", {{4, 1}, {1, 3}}, 1, {1, 0}},
        ShareCase{"whole_rounds", {{6, 2.6}, {11, 3.4}}, 8, {6, 2}},
        ShareCase{"who_is_nearly_done_takes_the_next", {{4, 1, 0, 4, 0.9}, {4, 1.5}}, 4, {4, 0}},
        ShareCase{"equals_get_as_much", {{64, 1}, {64, 1}}, 100, {50, 50}},
        ShareCase{"who_sits_there_included", {{64, 1, 0, 50}, {64, 1}}, 100, {25, 75}},
        ShareCase{"all_to_the_one_behind", {{64, 1, 0, 500}, {64, 1, 0, 20}}, 100, {0, 100}},
        ShareCase{"three_with_one_far_ahead",
                  {{64, 1, 0, 900}, {64, 1, 0, 10}, {64, 1}},
                  100,
                  {0, 45, 55}},
        ShareCase{"an_equal_that_is_closed", {{64, 1}, {64, 0, 0, 10}, {64, 1}}, 9, {5, 0, 4}},
        ShareCase{"equals_beside_a_slow_one", {{64, 1}, {1, 1}, {64, 1}}, 1290, {640, 10, 640}},
        ShareCase{"nothing_known", {{1, 0}, {1, 0, 0, 3}}, 7, {7, 7}},
        ShareCase{"one_that_does_nothing", {{1, 0}, {1, 0.2, 0, 3}}, 7, {0, 7}},
        ShareCase{"nobody_waits", {{4, 0.01, 0, 2}, {1, 0.01, 0, 1}}, 0, {0, 0}}),
    [](const auto& test) { return test.param.name; });

TEST(SharesTest, TheEndIsWhenTheLastOneEnds) {
  const std::vector<Worker> both = {{3, 0.1}, {1, 0.1}};
  EXPECT_NEAR(TimeToEnd(both, 400), 10, 1e-6);
  const std::vector<Worker> slow = {{3, 0.1}, {20, 20, 0, 1}};
  EXPECT_NEAR(TimeToEnd(slow, 30), 20, 1e-6);
  EXPECT_TRUE(std::isinf(TimeToEnd({}, 1)));
  EXPECT_EQ(TimeToEnd({}, 0), 0);
}

TEST(SharesTest, AStragglerIsOneWhoseInstancesEndClearlySoonerElsewhere) {
  std::vector<Worker> workers = {{3, 0.1}, {20, 20, 0, 4}};
  EXPECT_TRUE(IsStraggler(workers, 1, 0));
  EXPECT_FALSE(IsStraggler(workers, 1, 1));  // an instance that waits comes first
  EXPECT_FALSE(IsStraggler(workers, 0, 0));
  workers[0].lane_time = 8;
  EXPECT_FALSE(IsStraggler(workers, 1, 0));
  workers = {{3, 6}, {20, 20, 0, 4, 16}};
  EXPECT_FALSE(IsStraggler(workers, 1, 0));
  EXPECT_TRUE(IsStraggler(workers, 1, 0, 0.2));  // they take along what is done
}

// Small numbers of a generator, so that the seed is all there is to record.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  double Between(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  uint64_t state_;
};

TEST(SharesTest, AllAreSharedAndMoreDevicesNeverEndLater) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    std::vector<Worker> workers;
    for (int i = 0; i < 3; ++i) {
      workers.push_back({std::floor(std::exp(random.Between(0, 8))),
                         std::exp(random.Between(-6, 2)), random.Between(0, 3),
                         static_cast<uint64_t>(random.Between(0, 40)), random.Between(0, 1)});
    }
    const auto waiting = static_cast<uint64_t>(std::exp(random.Between(0, 14)));
    const auto shares = ShareOut(workers, waiting);
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), uint64_t{0}), waiting) << seed;
    for (Worker& worker : workers) worker.seated = 0;
    const double all = TimeToEnd(workers, waiting);
    for (size_t left_out = 0; left_out < workers.size(); ++left_out) {
      std::vector<Worker> fewer = workers;
      fewer[left_out].lane_time = 0;
      EXPECT_LE(all, TimeToEnd(fewer, waiting) * 1.000001) << seed;
    }
  }
}

}  // namespace
}  // namespace wb
