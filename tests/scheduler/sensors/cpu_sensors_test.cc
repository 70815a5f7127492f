// The processors' sensors over trees of files as machines have them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scheduler/sensors/sensors.h"
#include "scheduler/sensors/thermometers.h"
#include "tests/fakes/fake_clock.h"
#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class CpuSensorsTest : public ::testing::Test {
 protected:
  void Put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = folder_.path() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  std::unique_ptr<Sensors> Open() { return OpenCpuSensors(folder_.path(), clock_); }

  TemporaryFolder folder_;
  FakeClock clock_;
};

TEST_F(CpuSensorsTest, AMachineWithoutAnyGivesNothing) {
  const Telemetry telemetry = Open()->Read();
  EXPECT_FALSE(telemetry.celsius || telemetry.watts || telemetry.watts_limit ||
               telemetry.utilisation || telemetry.throttled);
}

TEST_F(CpuSensorsTest, TheHottestOfTheProcessorsThermometers) {
  Put("/sys/class/hwmon/hwmon0/name", "nvme");
  Put("/sys/class/hwmon/hwmon0/temp1_input", "90000");
  Put("/sys/class/hwmon/hwmon1/name", "coretemp");
  Put("/sys/class/hwmon/hwmon1/temp1_input", "55000");
  Put("/sys/class/hwmon/hwmon1/temp2_input", "61500");
  Put("/sys/class/hwmon/hwmon1/temp3_input", "-127000");  // broken
  Put("/sys/class/hwmon/hwmon1/temp1_crit", "100000");
  Put("/sys/class/thermal/thermal_zone0/type", "x86_pkg_temp");
  Put("/sys/class/thermal/thermal_zone0/temp", "99000");
  const auto sensors = Open();
  EXPECT_EQ(sensors->Read().celsius, 61.5F);
  Put("/sys/class/hwmon/hwmon1/temp1_input", "81000");
  EXPECT_EQ(sensors->Read().celsius, 81);
}

TEST_F(CpuSensorsTest, OfAmdsTheDie) {
  Put("/sys/class/hwmon/hwmon2/name", "k10temp");
  Put("/sys/class/hwmon/hwmon2/temp1_input", "95000");
  Put("/sys/class/hwmon/hwmon2/temp1_label", "Tctl");
  Put("/sys/class/hwmon/hwmon2/temp2_input", "68000");
  Put("/sys/class/hwmon/hwmon2/temp2_label", "Tdie");
  EXPECT_EQ(Open()->Read().celsius, 68);
}

TEST_F(CpuSensorsTest, ThermalZonesWhereThereIsNoHwmon) {
  Put("/sys/class/thermal/thermal_zone0/type", "acpitz");
  Put("/sys/class/thermal/thermal_zone0/temp", "27800");
  EXPECT_EQ(Open()->Read().celsius, std::nullopt);
  Put("/sys/class/thermal/thermal_zone1/type", "cpu-thermal");
  Put("/sys/class/thermal/thermal_zone1/temp", "48300");
  EXPECT_EQ(Open()->Read().celsius, 48.3F);
}

TEST_F(CpuSensorsTest, PowerFromEnergyOverTime) {
  const std::string zone = "/sys/class/powercap/intel-rapl:";
  for (const char* package : {"0", "1"}) {
    Put(zone + package + "/name", std::string("package-") + package);
    Put(zone + package + "/energy_uj", "1000000");
    Put(zone + package + "/max_energy_range_uj", "100000000");
    Put(zone + package + "/constraint_0_power_limit_uw", "125000000");
  }
  Put(zone + "0:0/name", "core");  // a part of package 0
  Put(zone + "0:0/energy_uj", "500000");
  const auto sensors = Open();
  EXPECT_EQ(sensors->Read().watts, std::nullopt);
  EXPECT_EQ(sensors->Read().joules, std::nullopt);
  clock_.Advance(500ms);
  Put(zone + "0/energy_uj", "21000000");
  Put(zone + "1/energy_uj", "6000000");
  Telemetry telemetry = sensors->Read();
  EXPECT_EQ(telemetry.watts, 50);
  EXPECT_EQ(telemetry.joules, 25);
  EXPECT_EQ(telemetry.watts_limit, 250);
  clock_.Advance(10ms);  // too soon to count
  EXPECT_EQ(sensors->Read().watts, 50);
  clock_.Advance(990ms);
  Put(zone + "0/energy_uj", "11000000");  // wrapped: 90 J
  telemetry = sensors->Read();
  EXPECT_EQ(telemetry.watts, 90);
  EXPECT_EQ(telemetry.joules, 115);  // since the first read
}

TEST_F(CpuSensorsTest, LoadAndThrottlingSinceTheLastRead) {
  const std::string cpu = "/sys/devices/system/cpu/cpu";
  for (const char* number : {"0", "1"}) {
    Put(cpu + number + "/topology/physical_package_id", "0");
    Put(cpu + number + "/thermal_throttle/package_throttle_count", "7");
  }
  Put("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0");
  EXPECT_EQ(FindThrottleCounters(folder_.path()).size(), 1u);  // one for each package
  const auto sensors = Open();
  EXPECT_EQ(sensors->Read().utilisation, std::nullopt);
  EXPECT_FALSE(sensors->Read().throttled);
  clock_.Advance(1s);
  Put("/proc/stat", "cpu  150 0 125 825 0 0 0 0 0 0");
  Put(cpu + "0/thermal_throttle/package_throttle_count", "9");
  Telemetry telemetry = sensors->Read();
  EXPECT_EQ(telemetry.utilisation, 0.75F);
  EXPECT_TRUE(telemetry.throttled);
  clock_.Advance(1s);
  EXPECT_FALSE(sensors->Read().throttled);
}

}  // namespace
}  // namespace wb::test
