#include "client/cli/top/top_history.h"

#include <gtest/gtest.h>

#include "tests/client/top/top_samples.h"

namespace wb::cli {
namespace {

void AddBurst(const std::string& device, int64_t second, TopFacts* facts) {
  wasmburst::v1::Burst* burst = facts->bursts.add_bursts();
  burst->set_device(device);
  burst->mutable_start_time()->set_seconds(second);
  burst->mutable_duration()->set_nanos(500);
}

TEST(TopHistory, RatesAreThoseBetweenTwoLooks) {
  TopHistory history;
  EXPECT_LT(history.InstructionsPerSecond("jobs/01B"), 0);
  history.Add(samples::LookAt(0));
  EXPECT_LT(history.InstructionsPerSecond("jobs/01B"), 0) << "one look has no rate";
  history.Add(samples::LookAt(2));
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("jobs/01B"), 1e6);
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("devices/cpu0"), 1e6);
  EXPECT_DOUBLE_EQ(history.InstancesPerSecond("devices/cpu0"), 1e3);
  EXPECT_DOUBLE_EQ(history.BusyShare("devices/cpu0"), 0.25);
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("jobs/01A"), 0);
}

TEST(TopHistory, ADevicesRateIsThatOfTheJobsThatRunOnIt) {
  TopHistory history;
  for (int64_t second = 0; second < 3; ++second) {
    TopFacts look = samples::LookAt(second);
    look.devices.mutable_devices(0)->set_fuel(5);  // no instance ends
    look.jobs.mutable_jobs(1)->set_device("cpu0");
    history.Add(look);
  }
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("devices/cpu0"), 1e6);
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("devices/interpreter0"), 0);
  TopFacts ended = samples::LookAt(3);
  ended.devices.mutable_devices(0)->set_fuel(5);
  history.Add(ended);
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("devices/cpu0"), 0) << "none runs on it";
}

TEST(TopHistory, AGapHasNoRateAndTotalsMayBeginAnew) {
  TopHistory history;
  history.Add(samples::LookAt(5));
  history.Add(samples::LostAt(6));
  EXPECT_LT(history.InstructionsPerSecond("devices/cpu0"), 0);
  history.Add(samples::LookAt(7));
  EXPECT_LT(history.InstancesPerSecond("devices/cpu0"), 0) << "not over the gap";
  history.Add(samples::LookAt(8));
  EXPECT_DOUBLE_EQ(history.InstructionsPerSecond("devices/cpu0"), 1e6);
  TopFacts anew = samples::LookAt(9);
  anew.devices.mutable_devices(0)->set_fuel(0);
  history.Add(anew);
  EXPECT_LT(history.InstructionsPerSecond("devices/cpu0"), 0);
}

TEST(TopHistory, KeepsTheLastLooksOfWhatIsStillThere) {
  TopHistory history;
  for (int64_t second = 0; second < 300; ++second) history.Add(samples::LookAt(second));
  EXPECT_EQ(history.Rates("jobs/01B").size(), TopHistory::kLooks);
  TopFacts without = samples::LookAt(300);
  without.jobs.clear_jobs();
  history.Add(without);
  EXPECT_TRUE(history.Rates("jobs/01B").empty());
}

TEST(TopHistory, BurstsAddUpUntilTheDaemonBeginsAnew) {
  TopHistory history;
  TopFacts look = samples::LookAt(0);
  AddBurst("devices/cpu0", 10, &look);
  AddBurst("devices/cpu0", 11, &look);
  history.Add(look);
  ASSERT_EQ(history.Bursts("devices/cpu0").size(), 2u);
  EXPECT_EQ(history.Bursts("devices/cpu0")[1].begin_ns, 11 * samples::kSecond);
  EXPECT_EQ(history.Bursts("devices/cpu0")[1].end_ns, 11 * samples::kSecond + 500);
  EXPECT_EQ(history.LastBurst("devices/cpu0")->start_time().seconds(), 11);
  EXPECT_EQ(history.LastBurst("devices/gpu0"), nullptr);
  TopFacts anew = samples::LookAt(1);
  anew.bursts.set_restarted(true);
  AddBurst("devices/cpu0", 20, &anew);
  history.Add(anew);
  EXPECT_EQ(history.Bursts("devices/cpu0").size(), 1u);
}

TEST(TopHistory, KeepsTheLastBursts) {
  TopHistory history;
  TopFacts look = samples::LookAt(0);
  for (int64_t i = 0; i < 3000; ++i) AddBurst("devices/cpu0", i, &look);
  history.Add(look);
  EXPECT_EQ(history.Bursts("devices/cpu0").size(), TopHistory::kBursts);
  EXPECT_EQ(history.LastBurst("devices/cpu0")->start_time().seconds(), 2999);
}

}  // namespace
}  // namespace wb::cli
