// When memory that nothing uses is worth giving back to the system.

#include "daemon/process/idle_memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <vector>

namespace wb {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(TrimRule, MemoryIsLookedAtEveryTenSecondsAtMost) {
  TrimRule rule;
  TrimRule::TimePoint now{1h};
  EXPECT_TRUE(rule.IsDue(now));
  EXPECT_FALSE(rule.IsDue(now + 9s));
  EXPECT_TRUE(rule.IsDue(now + 10s));
  EXPECT_FALSE(rule.IsDue(now + 19s));
}

TEST(TrimRule, OnlyMuchIsGivenBack) {
  const TrimRule rule;
  EXPECT_FALSE(rule.IsWorthIt(63 * kMiB));
  EXPECT_TRUE(rule.IsWorthIt(64 * kMiB));
}

TEST(TrimRule, WhatCannotBeGivenBackIsNotTriedAgainUntilThereIsMore) {
  TrimRule rule;
  rule.NoteTrimmed(100 * kMiB);
  EXPECT_FALSE(rule.IsWorthIt(100 * kMiB));
  EXPECT_FALSE(rule.IsWorthIt(163 * kMiB));
  EXPECT_TRUE(rule.IsWorthIt(164 * kMiB));
  rule.NoteLeft(10 * kMiB);  // it became less by itself
  EXPECT_TRUE(rule.IsWorthIt(74 * kMiB));
}

#ifdef __GLIBC__
uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

// Small pieces, of which the last one stays: glibc keeps all below it.
TEST(IdleMemory, WhatMallocHoldsFreeGoesBack) {
#ifdef WB_SANITIZED
  GTEST_SKIP() << "the sanitizer's malloc is not glibc's";
#endif
  std::vector<std::unique_ptr<char[]>> pieces;
  for (int i = 0; i < 200000; ++i) {
    pieces.push_back(std::make_unique<char[]>(1000));
    for (int at = 0; at < 1000; at += 500) pieces.back()[at] = 1;
  }
  const std::unique_ptr<char[]> last = std::move(pieces.back());
  pieces.clear();
  const uint64_t before = ResidentBytes();
  IdleMemory memory;
  memory.GiveBack();
  const uint64_t after = ResidentBytes();
  EXPECT_LT(after + 128 * kMiB, before) << before << " -> " << after;
}
#endif

}  // namespace
}  // namespace wb
