#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "scheduler/sensors/nvml.h"
#include "scheduler/sensors/sensors.h"
#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

class NvidiaSensorsTest : public ::testing::Test {
 protected:
  NvidiaSensorsTest() { ::setenv("FAKE_NVML", figures_.c_str(), 1); }
  void Say(const std::string& figures) { std::ofstream(figures_) << figures; }

  TemporaryFolder folder_;
  const std::string figures_ = folder_.path() + "/figures";
};

TEST_F(NvidiaSensorsTest, GivesWhatTheGpuGives) {
  Say("71 350500 700000 0");
  const auto sensors = OpenNvidiaSensors(WB_FAKE_NVML, "0000:3b:00.0").value();
  Telemetry telemetry = sensors->Read();
  EXPECT_EQ(telemetry.celsius, 71);
  EXPECT_EQ(telemetry.watts, 350.5F);
  EXPECT_EQ(telemetry.watts_limit, 700);
  EXPECT_FALSE(telemetry.throttled);
  EXPECT_EQ(telemetry.memory_used, 400u);
  EXPECT_EQ(telemetry.memory_total, 1000u);
  EXPECT_EQ(telemetry.utilisation, std::nullopt);  // a call that the library lacks
  Say("-1 20000 -1 -1");
  telemetry = sensors->Read();
  EXPECT_EQ(telemetry.celsius, std::nullopt);
  EXPECT_EQ(telemetry.watts, 20);
  EXPECT_EQ(telemetry.watts_limit, std::nullopt);
  EXPECT_FALSE(telemetry.throttled);
}

TEST_F(NvidiaSensorsTest, ItsCounterOfEnergyIsInMillijoules) {
  Say("50 1 1 0 123456789012");
  const auto sensors = OpenNvidiaSensors(WB_FAKE_NVML, "0000:3b:00.0").value();
  EXPECT_EQ(sensors->Read().joules, 123456789.012);
  Say("50 1 1 0");  // GPUs before Volta have none
  EXPECT_EQ(sensors->Read().joules, std::nullopt);
}

TEST_F(NvidiaSensorsTest, HeatThrottlesAndThePowerCapDoesNot) {
  const auto sensors = OpenNvidiaSensors(WB_FAKE_NVML, "0000:3b:00.0").value();
  for (const auto& [reasons, throttled] : {std::pair(0x1, false),
                                           {0x4, false},
                                           {0x8, true},
                                           {0x20, true},
                                           {0x44, true},
                                           {0x80, true}}) {
    Say("50 1 1 " + std::to_string(reasons));
    EXPECT_EQ(sensors->Read().throttled, throttled) << reasons;
  }
}

TEST_F(NvidiaSensorsTest, SaysWhatIsMissing) {
  Say("50 1 1 0");
  EXPECT_TRUE(OpenNvidiaSensors(WB_FAKE_NVML, "").ok());
  const Status bus = OpenNvidiaSensors(WB_FAKE_NVML, "0000:99:00.0").status();
  EXPECT_EQ(bus.reason(), Reason::kConfigInvalid);
  EXPECT_NE(bus.message().find("0000:99:00.0"), std::string::npos);
  const Status library = OpenNvidiaSensors("/nowhere/libnvidia-ml.so", "").status();
  EXPECT_EQ(library.reason(), Reason::kConfigInvalid);
  EXPECT_NE(library.message().find("/nowhere/libnvidia-ml.so"), std::string::npos);
  Say("-2");
  EXPECT_EQ(OpenNvidiaSensors(WB_FAKE_NVML, "").status().reason(), Reason::kConfigInvalid);
}

}  // namespace
}  // namespace wb::test
