#include "daemon/cluster/claim_size.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace wb {
namespace {

constexpr uint64_t kMany = 1'000'000'000;

struct SizeCase {
  std::string name;
  ClaimFacts facts;  // open, held, per second, hosts, room, group, lanes
  uint64_t size;
};

class ClaimSizeTest : public ::testing::TestWithParam<SizeCase> {};

TEST_P(ClaimSizeTest, IsWhatTheHostLacks) {
  EXPECT_EQ(ClaimSize(GetParam().facts), GetParam().size);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ClaimSizeTest,
    ::testing::Values(
        // Of a job's beginning: what the devices run, no more.
        SizeCase{"fills_the_lanes_of_an_unknown_job", {kMany, 0, 0, 10, kMany, 1, 640}, 640},
        SizeCase{"then_waits_for_its_speed", {kMany, 640, 0, 10, kMany, 1, 640}, 0},
        SizeCase{"fills_lanes_again", {kMany, 600, 0, 10, kMany, 1, 640}, 40},
        // In the middle: seconds ahead.
        SizeCase{"three_seconds_ahead", {kMany, 64, 1000, 10, kMany, 1, 64}, 3000},
        SizeCase{"has_enough_for_half_of_them", {kMany, 64 + 1500, 1000, 10, kMany, 1, 64}, 0},
        SizeCase{"has_less_than_that", {kMany, 64 + 1499, 1000, 10, kMany, 1, 64}, 1501},
        SizeCase{"empty_lanes_and_seconds_ahead", {kMany, 0, 1000, 10, kMany, 1, 64}, 3064},
        SizeCase{"slow_ones_one_by_one", {kMany, 63, 0.1, 10, kMany, 1, 64}, 1},
        // At the end: half its share of what is open.
        SizeCase{"half_a_share", {40'000, 64, 1000, 10, kMany, 1, 64}, 2000},
        SizeCase{"has_half_of_half_a_share", {40'000, 64 + 1000, 1000, 10, kMany, 1, 64}, 0},
        SizeCase{"alone_it_takes_half", {4000, 64, 1000, 1, kMany, 1, 64}, 2000},
        SizeCase{"not_less_than_is_worth_a_claim", {4000, 64, 200, 1000, kMany, 1, 64}, 200},
        SizeCase{"not_less_than_fills_the_lanes", {10'000, 0, 0, 1000, kMany, 1, 640}, 640},
        SizeCase{"no_more_than_is_open", {7, 0, 1000, 1, kMany, 1, 64}, 7},
        SizeCase{"no_host_is_one", {4000, 64, 1000, 0, kMany, 1, 64}, 2000},
        // Groups.
        SizeCase{"whole_groups", {kMany, 0, 0, 10, kMany, 32, 65}, 96},
        SizeCase{"the_last_group_is_short", {5, 0, 0, 10, kMany, 32, 64}, 32},
        SizeCase{"no_group_is_one", {kMany, 0, 0, 10, kMany, 0, 65}, 65},
        // Room.
        SizeCase{"as_much_as_has_room", {kMany, 0, 0, 10, 100, 32, 640}, 96},
        SizeCase{"no_room", {kMany, 0, 0, 10, 31, 32, 640}, 0},
        SizeCase{"room_for_all_that_is_open", {5, 0, 0, 10, 5, 32, 64}, 32},
        // Nothing to do.
        SizeCase{"nothing_is_open", {0, 0, 1000, 10, kMany, 1, 64}, 0},
        SizeCase{"no_device", {kMany, 0, 1000, 10, kMany, 1, 0}, 0}),
    [](const auto& test) { return test.param.name; });

TEST(ClaimSizeTest, WhatItClaimsIsEnoughForNow) {
  for (uint64_t open = 1; open < kMany; open = open * 3 + 1) {
    for (const double speed : {0.0, 0.3, 40.0, 7e3, 2e6}) {
      for (const uint64_t lanes : {1u, 64u, 100'000u}) {
        for (const uint32_t hosts : {1u, 2u, 7u, 1000u}) {
          for (const uint32_t group : {1u, 32u}) {
            ClaimFacts facts{open, 0, speed, hosts, kMany, group, lanes};
            const uint64_t size = ClaimSize(facts);
            ASSERT_GT(size, 0u);
            ASSERT_EQ(size % group, 0u);
            if (size >= open) continue;
            facts.held = size;
            facts.open -= size;
            ASSERT_EQ(ClaimSize(facts), 0u) << open << " " << speed << " " << lanes << " " << hosts;
          }
        }
      }
    }
  }
}

TEST(ClaimSizeTest, NumbersAtTheirEdgesDoNotWrap) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t kNine = 9'000'000'000'000'000'000;  // the most that it counts
  EXPECT_EQ(ClaimSize({kMost, 0, 1e300, 1, kMost, 1, 1}), kNine + 1);
  EXPECT_EQ(ClaimSize({kMost, 0, 1e300, 1, kMost, 1, kMost}), kNine * 2);
  EXPECT_EQ(ClaimSize({kMost, 0, 0, 1, kMost, 1, kMost}), kNine);
  EXPECT_EQ(ClaimSize({kMost, 0, 0, 1, kMost, 7, kMost}), kNine / 7 * 7 + 7);
  EXPECT_EQ(ClaimSize({kMost, kMost, 1, 1, kMost, 7, kMost}), 7u);
}

}  // namespace
}  // namespace wb
