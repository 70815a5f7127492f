// When a job tries again after the machine lacked something.

#include "scheduler/base/retry_delay.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

using namespace std::chrono_literals;

TEST(RetryDelayTest, ItWaitsLongerEachTimeAndGivesUp) {
  RetryDelay delay;
  const TimePoint now{1h};
  auto longest = 0ns;
  uint32_t failures = 1;
  while (delay.Failed(now)) {
    EXPECT_GE(delay.until() - now, longest);
    longest = delay.until() - now;
    ++failures;
  }
  EXPECT_EQ(failures, Backoff::kMostTries);
}

TEST(RetryDelayTest, ALaunchThatBeginsMakesAnEndOfTheFailures) {
  RetryDelay delay;
  const TimePoint now{1h};
  EXPECT_TRUE(delay.Failed(now));
  const TimePoint first = delay.until();
  EXPECT_TRUE(delay.Failed(now));
  delay.Succeeded();
  for (uint32_t i = 1; i < Backoff::kMostTries; ++i) {
    EXPECT_TRUE(delay.Failed(now)) << i;
    if (i == 1) {
      EXPECT_EQ(delay.until(), first);
    }
  }
  EXPECT_FALSE(delay.Failed(now));
}

}  // namespace
}  // namespace wb::test
