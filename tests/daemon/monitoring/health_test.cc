// The checks of /readyz, the pulse behind /livez, and devices as samples.

#include "daemon/monitoring/health.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>

#include "daemon/monitoring/facts.h"
#include "daemon/monitoring/pool_pulse.h"
#include "daemon/process/worker_pool.h"

namespace wb {
namespace {

ReadyFacts AllReady() {
  ReadyFacts facts;
  facts.serving = true;
  facts.devices.resize(2);
  facts.devices[0].healthy = false;
  return facts;
}

TEST(Health, ReadyWithOneDevice) {
  const HealthChecks checks = ReadyChecks(AllReady());
  EXPECT_TRUE(AllGood(checks));
  EXPECT_EQ(HealthText(checks, false), "ok\n");
  EXPECT_EQ(HealthText(checks, true), "[+] serving\n[+] admission\n[+] store\n[+] devices\n");
}

TEST(Health, EachFactAloneMakesItUnready) {
  ReadyFacts facts = AllReady();
  facts.serving = false;
  EXPECT_EQ(HealthText(ReadyChecks(facts), false),
            "[-] serving: the services are not reachable\n[+] admission\n[+] store\n[+] devices\n");
  facts = AllReady();
  facts.draining = true;
  EXPECT_EQ(HealthText(ReadyChecks(facts), false),
            "[+] serving\n[-] admission: the daemon is draining\n[+] store\n[+] devices\n");
  facts = AllReady();
  facts.store_problem = "the disk is full";
  EXPECT_EQ(HealthText(ReadyChecks(facts), true),
            "[+] serving\n[+] admission\n[-] store: the disk is full\n[+] devices\n");
  facts = AllReady();
  facts.devices[1].healthy = false;
  EXPECT_FALSE(AllGood(ReadyChecks(facts)));
  EXPECT_NE(HealthText(ReadyChecks(facts), false).find("[-] devices: none of 2"),
            std::string::npos);
  facts.devices.clear();
  EXPECT_FALSE(AllGood(ReadyChecks(facts)));
}

TEST(PoolPulse, IsAnsweredByThePool) {
  WorkerPool pool(1, 4);
  const auto pulse = std::make_shared<PoolPulse>(&pool);
  for (int i = 0; i < 3; ++i) {
    std::promise<void> alive;
    pulse->Ask([&alive] { alive.set_value(); });
    EXPECT_EQ(alive.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  }
}

TEST(PoolPulse, APoolThatHangsDoesNotAnswerAndIsNotFilled) {
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  std::atomic<int> alive{0};
  {
    WorkerPool pool(1, 4);
    const auto pulse = std::make_shared<PoolPulse>(&pool);
    ASSERT_TRUE(pool.TryPost({1, 1}, [released] { released.wait(); }));
    for (int i = 0; i < 1000; ++i) pulse->Ask([&alive] { ++alive; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(alive, 0);
    EXPECT_TRUE(pool.TryPost({2, 2}, [] {}));  // there is room beside the one question
    release.set_value();
  }
  EXPECT_EQ(alive, 64);  // those that may still wait
}

double SampleOf(const Samples& samples, Metric metric, const LabelValues& labels) {
  const auto at = std::find_if(samples.begin(), samples.end(), [&](const Sample& sample) {
    return sample.metric == metric && sample.labels == labels;
  });
  return at == samples.end() ? -1 : at->value;
}

TEST(DeviceSamples, WhatADeviceSays) {
  std::vector<DeviceStatus> devices(2);
  devices[0].info.id = "cuda0";
  devices[0].info.engine = Engine::kCuda;
  devices[0].info.name = "a GPU";
  devices[0].state = "not responding";
  devices[0].bursts = 3;
  devices[0].instances = 4;
  devices[0].fuel = 5;
  devices[0].restarts = 6;
  devices[0].busy = std::chrono::milliseconds(2500);
  devices[0].telemetry.celsius = 71.5f;
  devices[0].telemetry.watts = 250;
  devices[0].joules = 12.5;
  devices[0].lane_fuel = {.useful = 30, .resident = 40};
  devices[0].telemetry.utilisation = 0.5f;
  devices[0].telemetry.memory_used = 10;
  devices[0].telemetry.memory_total = 20;
  devices[1].info.id = "cpu0";
  devices[1].state = "idle";
  devices[1].healthy = false;
  devices[1].gate = Gate::kCordoned;
  Samples samples;
  AddDeviceSamples(devices, &samples);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceInfo, {"cuda0", "cuda", "a GPU"}), 1);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceState, {"cuda0", "not_responding"}), 1);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceState, {"cuda0", "idle"}), 0);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceState, {"cpu0", "idle"}), 1);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceBursts, {"cuda0"}), 3);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceInstances, {"cuda0"}), 4);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceFuel, {"cuda0"}), 5);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceRestarts, {"cuda0"}), 6);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceBusy, {"cuda0"}), 2.5);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceUsefulFuel, {"cuda0"}), 30);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceResidentFuel, {"cuda0"}), 40);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceResidentFuel, {"cpu0"}), -1);  // its lanes run alone
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceTemperature, {"cuda0"}), 71.5);
  EXPECT_EQ(SampleOf(samples, Metric::kDevicePower, {"cuda0"}), 250);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceEnergy, {"cuda0"}), 12.5);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceEnergy, {"cpu0"}), -1);  // nothing measures it
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceUtilization, {"cuda0"}), 0.5);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceMemoryUsed, {"cuda0"}), 10);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceMemoryTotal, {"cuda0"}), 20);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceHealthy, {"cuda0"}), 1);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceHealthy, {"cpu0"}), 0);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceOpen, {"cuda0"}), 1);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceOpen, {"cpu0"}), 0);
  EXPECT_EQ(SampleOf(samples, Metric::kDeviceTemperature, {"cpu0"}), -1);  // no thermometer
}

}  // namespace
}  // namespace wb
