#include "daemon/cluster/shared_forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wb {
namespace {

constexpr uint64_t kInstances = 1000;
constexpr uint64_t kFuel = 500;        // of each
constexpr int64_t kBegin = 1'000'000;  // in seconds
constexpr int64_t kSecond = 1'000'000'000;

// A job of which 20 instances end in a second, so many seconds after its first turn.
void NoteAt(int64_t seconds, SharedForecast* forecast) {
  SharedJob job;
  job.changed_unix_ns = (kBegin + seconds) * kSecond;
  DurableRecord record;
  record.first_turn_unix_ns = 5;  // of a host whose clock is wrong
  JobTotals& totals = record.totals;
  totals.counts.finished = 20 * static_cast<uint64_t>(seconds);
  totals.fuel = totals.counts.finished * kFuel;
  totals.fuel_squares = static_cast<double>(totals.fuel) * kFuel;
  totals.longest_fuel = kFuel;
  job.claimed = 40;
  forecast->Note(job, record, kInstances);
}

JobInfo ShownBy(const SharedForecast& forecast, JobState state = JobState::kRunning) {
  JobInfo info;
  info.state = state;
  forecast.Show(&info);
  return info;
}

TEST(SharedForecastTest, TheSpeedIsThatOfTheCommits) {
  SharedForecast forecast;
  for (int64_t second = 0; second <= 20; ++second) NoteAt(second, &forecast);
  const JobInfo info = ShownBy(forecast);
  ASSERT_TRUE(info.instructions_per_second && info.eta);
  EXPECT_NEAR(*info.instructions_per_second, 20.0 * kFuel, 1);
  const int64_t end = (kBegin + 50) * kSecond;
  EXPECT_LE(info.eta->earliest_unix_ns, end);
  EXPECT_GE(info.eta->latest_unix_ns, end);
  EXPECT_LT(info.eta->latest_unix_ns - info.eta->earliest_unix_ns, 25 * kSecond);
}

TEST(SharedForecastTest, ADaemonThatHearsOfItMidwayTellsTheSame) {
  SharedForecast forecast;
  for (int64_t second = 10; second <= 20; ++second) NoteAt(second, &forecast);
  const JobInfo info = ShownBy(forecast);
  ASSERT_TRUE(info.instructions_per_second && info.eta);
  EXPECT_NEAR(*info.instructions_per_second, 20.0 * kFuel, 1);
  EXPECT_LE(info.eta->earliest_unix_ns, (kBegin + 50) * kSecond);
  EXPECT_GE(info.eta->latest_unix_ns, (kBegin + 50) * kSecond);
}

TEST(SharedForecastTest, NothingIsToldOfAJobThatDoesNotRunOrWasHeardOfOnce) {
  SharedForecast forecast;
  forecast.Note({}, {}, kInstances);  // it has not begun
  EXPECT_EQ(ShownBy(forecast).instructions_per_second, std::nullopt);
  NoteAt(5, &forecast);
  EXPECT_EQ(ShownBy(forecast).instructions_per_second, std::nullopt);
  for (int64_t second = 6; second <= 20; ++second) NoteAt(second, &forecast);
  EXPECT_EQ(ShownBy(forecast, JobState::kCancelling).eta.has_value(), false);
}

}  // namespace
}  // namespace wb
