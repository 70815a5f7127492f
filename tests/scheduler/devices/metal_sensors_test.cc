// What a Mac says of its GPU besides Metal: heat, power, cores.

#include <gtest/gtest.h>

#include "scheduler/devices/metal/gpu_width.h"
#include "tests/scheduler/devices/metal_rig.h"

namespace wb::test {
namespace {

class MetalSensorsTest : public MetalTest {
 protected:
  const DeviceInfo& With(const standin::Traits& traits) {
    standin::Set(traits);
    Open({});
    return device_->info();
  }
};

TEST_F(MetalSensorsTest, HeatAndPowerComeFromTheSmc) {
  traits_.smc = {{"#KEY", 4}, {"PSTR", 31}, {"TB0T", 99}, {"Tg0f", 64}, {"Tg0j", 66.5F}};
  traits_.thermal_state = 1;
  EXPECT_EQ(With(traits_).sensors, "thermalState; SMC: 2 thermometers Tg*, power of the whole Mac");
  const Telemetry telemetry = device_->Sample();
  EXPECT_EQ(telemetry.celsius, 66.5F);
  EXPECT_EQ(telemetry.watts, 31);
  EXPECT_EQ(telemetry.thermal_state, 1u);
  traits_.smc["Tg0f"] = 83;
  standin::Set(traits_);
  EXPECT_EQ(device_->Sample().celsius, 83);
}

TEST_F(MetalSensorsTest, WithoutTheSmcThereIsTheThermalState) {
  traits_.thermal_state = 2;
  EXPECT_NE(With(traits_).sensors.find("no service AppleSMC"), std::string::npos);
  EXPECT_EQ(device_->Sample().celsius, std::nullopt);
  EXPECT_EQ(device_->Sample().thermal_state, 2u);
  traits_.smc = {{"Tg0f", 64}};
  traits_.smc_opens = false;
  EXPECT_NE(With(traits_).sensors.find("cannot be opened"), std::string::npos);
  traits_.smc_opens = true;
  traits_.smc = {{"TB0T", 30}};
  EXPECT_NE(With(traits_).sensors.find("no key for its heat"), std::string::npos);
}

TEST_F(MetalSensorsTest, ItsWidthIsThatOfItsCores) {
  traits_.cores = 10;
  EXPECT_EQ(With(traits_).threads, 30720u);
  traits_.cores = 0;  // not told: the smallest of its family
  traits_.family = 1007;
  EXPECT_EQ(With(traits_).threads, 21504u);
  traits_.family = 1009;
  EXPECT_EQ(With(traits_).threads, 24576u);
  EXPECT_EQ(ThreadsOfGpu(8, 1007), 24576u);        // as Apple says of the M1
  EXPECT_EQ(ThreadsOfGpu(0, 0), 21504u);           // older than any that is known
  EXPECT_EQ(ThreadsOfGpu(0, 1012), 24576u);        // and later
  EXPECT_EQ(ThreadsOfGpu(1 << 30, 1009), 24576u);  // nonsense
}

TEST_F(MetalSensorsTest, NothingOfIoKitIsKept) {
  device_.reset();
  const int64_t before = standin::Counted().io_objects;
  traits_.cores = 8;
  for (const bool opens : {true, false}) {
    traits_.smc = {{"Tg0f", 64}};
    traits_.smc_opens = opens;
    With(traits_);
    (void)device_->Sample();
  }
  device_.reset();
  EXPECT_EQ(standin::Counted().io_objects, before);
}

}  // namespace
}  // namespace wb::test
