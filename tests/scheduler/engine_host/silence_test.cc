// How long an engine host has not been heard.

#include "scheduler/engine_host/silence.h"

#include <gtest/gtest.h>

#include <vector>

namespace wb::test {
namespace {

using namespace std::chrono_literals;

TEST(Silence, BeforeTheFirstWordThereIsNone) {
  Silence silence(5s);
  for (int i = 0; i < 100; ++i) silence.Tick(0);
  EXPECT_FALSE(silence.IsOver());
  EXPECT_EQ(silence.length(), 0ms);
}

TEST(Silence, AnyByteEndsIt) {
  Silence silence(5s);
  for (uint64_t heard = 1; heard < 100; ++heard) {
    silence.Tick(heard);
    silence.Tick(heard);
    silence.Tick(heard);
    EXPECT_EQ(silence.length(), 0ms);
    EXPECT_FALSE(silence.IsOver());
  }
}

TEST(Silence, ItIsSaidAfterThreeSecondsAndEndsAtItsBound) {
  Silence silence(5s);
  silence.Tick(7);
  std::vector<int64_t> lengths;
  while (!silence.IsOver()) {
    silence.Tick(7);
    lengths.push_back(silence.length().count());
  }
  EXPECT_EQ(lengths, (std::vector<int64_t>{0, 0, 3000, 4000, 5000}));
}

}  // namespace
}  // namespace wb::test
