#include "scheduler/placement/rate_book.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace wb {
namespace {

using namespace std::chrono_literals;

Digest Work(uint64_t number) { return DigestBuilder().Add(number).Finish(); }

TEST(RateBookTest, KnowsNothingAtFirst) {
  const RateBook book;
  EXPECT_EQ(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 0);
}

TEST(RateBookTest, RatesAreOfWorkOnADevice) {
  RateBook book;
  book.Record(Work(1), "cpu0", 1, {1000, 10, 1000, 10ms, 1});
  book.Record(Work(1), "cuda0", 1, {9000, 10, 9000, 1ms, 1});
  book.Record(Work(2), "cpu0", 1, {10, 1, 10, 1s, 1});
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 1e5, 1);
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_instance, 100, 1e-6);
  EXPECT_NEAR(book.Find(Work(1), "cuda0", 1, 1).fuel_per_s, 9e6, 100);
  EXPECT_NEAR(book.Find(Work(2), "cpu0", 1, 1).fuel_per_s, 10, 1e-3);
}

TEST(RateBookTest, ALaunchWithoutAnEndCostsTimeOnly) {
  RateBook book;
  book.Record(Work(1), "cpu0", 1, {0, 0, 0, 10ms, 1});
  EXPECT_EQ(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 0);
  book.Record(Work(1), "cpu0", 1, {1000, 1, 1000, 10ms, 1});
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 5e4, 500);
}

TEST(RateBookTest, ALaunchInWhichNobodyEndsShowsTheRate) {
  RateBook book;
  book.Record(Work(1), "cpu0", 1, {500, 0, 0, 10ms, 1});
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 5e4, 1);
  EXPECT_EQ(book.Find(Work(1), "cpu0", 1, 1).fuel_per_instance, 0);
}

// It has run for much longer than is remembered.
TEST(RateBookTest, ALongInstanceIsNoQuickerForHavingEnded) {
  RateBook book;
  for (int i = 0; i < 100; ++i) book.Record(Work(1), "cpu0", 1, {1000, 0, 0, 500ms, 1});
  book.Record(Work(1), "cpu0", 1, {1000, 1, 101'000, 500ms, 1});
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 2000, 1);
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_instance, 101'000, 1);
}

TEST(RateBookTest, AQuickBuildHasRatesOfItsOwn) {
  RateBook book;
  book.Record(Work(1), RateKind("cpu0", KernelBuild::kQuick), 1, {1000, 1, 1000, 10ms, 1});
  EXPECT_EQ(book.Find(Work(1), RateKind("cpu0", KernelBuild::kFull), 1, 1).fuel_per_s, 0);
  EXPECT_NEAR(book.Find(Work(1), RateKind("cpu0", KernelBuild::kQuick), 1, 1).fuel_per_s, 1e5, 1);
}

TEST(RateBookTest, FewLanesDoNotMakeADeviceSlow) {
  RateBook book;
  book.Record(Work(1), "cuda0", 1, {1000, 1, 1000, 1s, 1.0 / 64});
  EXPECT_NEAR(book.Find(Work(1), "cuda0", 1, 1).fuel_per_s, 64000, 1);
}

TEST(RateBookTest, RatesAreOfJobsOfAboutAsMany) {
  RateBook book;
  const auto rate = [&book](uint64_t instances) {
    return book.Find(Work(1), "cuda0", instances, 1).fuel_per_s;
  };
  book.Record(Work(1), "cuda0", 50'000, {1000, 10, 1000, 10ms, 1});
  EXPECT_NEAR(rate(1), 1e5, 1);  // of larger ones, if there are
  EXPECT_NEAR(rate(1000), 1e5, 1);
  EXPECT_NEAR(rate(uint64_t{1} << 60), 1e5, 1);
  book.Record(Work(1), "cuda0", 1000, {4000, 10, 4000, 10ms, 1});
  EXPECT_NEAR(rate(1), 4e5, 4);
  EXPECT_NEAR(rate(2000), 4e5, 4);
  EXPECT_NEAR(rate(50'000), 1e5, 1);
  EXPECT_NEAR(rate(2'000'000), 1e5, 1);
}

TEST(RateBookTest, TheLatestLaunchesCountMost) {
  RateBook book;
  for (int i = 0; i < 100; ++i) book.Record(Work(1), "cpu0", 1, {1000, 1, 1000, 500ms, 1});
  for (int i = 0; i < 32; ++i) book.Record(Work(1), "cpu0", 1, {4000, 1, 4000, 500ms, 1});
  EXPECT_NEAR(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 8000, 500);
}

TEST(RateBookTest, SetupIsRememberedAndFollows) {
  RateBook book;
  book.RecordSetup(Work(1), "cuda0", 1, 100ms);
  EXPECT_NEAR(book.Find(Work(1), "cuda0", 1, 1).setup_s, 0.1, 1e-9);
  book.RecordSetup(Work(1), "cuda0", 1, 40ms);
  EXPECT_NEAR(book.Find(Work(1), "cuda0", 1, 1).setup_s, 0.07, 1e-9);
}

TEST(RateBookTest, SetupIsOfSoMany) {
  RateBook book;
  const auto setup = [&book](uint64_t instances) {
    return book.Find(Work(1), "cuda0", 1, instances).setup_s;
  };
  book.RecordSetup(Work(1), "cuda0", 1'000'000, 160ms);
  EXPECT_NEAR(setup(2'000'000), 0.16, 1e-9);
  EXPECT_NEAR(setup(30'000), 0.08, 1e-9);
  EXPECT_NEAR(setup(0), 0.01, 1e-9);
  book.RecordSetup(Work(1), "cuda0", 1000, 4ms);
  EXPECT_NEAR(setup(1000), 0.004, 1e-9);
  EXPECT_NEAR(setup(30'000), 0.004, 1e-9);
  EXPECT_NEAR(setup(uint64_t{1} << 60), 0.16, 1e-9);
}

TEST(RateBookTest, ForgetsWhatWasNotUsedLongest) {
  RateBook book;
  for (uint64_t i = 0; i <= RateBook::kMostRemembered; ++i) {
    book.Record(Work(i), "cpu0", 1, {1000, 10, 1000, 10ms, 1});
  }
  EXPECT_EQ(book.Find(Work(0), "cpu0", 1, 1).fuel_per_s, 0);
  EXPECT_GT(book.Find(Work(1), "cpu0", 1, 1).fuel_per_s, 0);
}

}  // namespace
}  // namespace wb
