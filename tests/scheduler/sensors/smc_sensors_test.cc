// A Mac's thermometers by its SMC, over a table of keys; and what thermal states mean.

#include "scheduler/sensors/smc_sensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "scheduler/sensors/thermal_state.h"

namespace wb::test {
namespace {

struct Key {
  uint32_t name;
  float value = 0;
  uint32_t type = kSmcFloat;
};
struct Table {
  std::vector<Key> keys;
  bool works = true;
  uint64_t messages = 0;
};

class FakeSmc final : public SmcLine {
 public:
  explicit FakeSmc(Table& table) : table_(table) {}
  bool Exchange(const SmcMessage& asked, SmcMessage* said) override {
    ++table_.messages;
    if (!table_.works) return false;
    said->result = 132;
    for (size_t i = 0; i < table_.keys.size(); ++i) {
      const Key& key = table_.keys[i];
      if (asked.command == kSmcKeyAt ? asked.index != i : asked.key != key.name) continue;
      said->result = 0;
      said->key = key.name;
      said->size = 4;
      said->type = key.type;
      if (asked.command == kSmcRead && asked.size == 4) {
        std::memcpy(said->value, &key.value, sizeof key.value);
      }
    }
    return true;
  }

 private:
  Table& table_;
};

class SmcSensorsTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Sensors>> Open(MacPart part = MacPart::kGpu) {
    return SmcSensors::Create(std::make_unique<FakeSmc>(table_), part);
  }
  Table table_{{{SmcName("#KEY"), 5, SmcName("ui32")},
                {SmcName("PSTR"), 23.5F},
                {SmcName("TB1T"), 99},
                {SmcName("Tf14"), 71},
                {SmcName("Tg05"), 55},
                {SmcName("Tg0D"), 62.25F},
                {SmcName("Tg0L"), 0},
                {SmcName("Tg0T"), 90, SmcName("ui16")},
                {SmcName("Tp01"), 80}}};
};

TEST_F(SmcSensorsTest, TheHottestOfTheGpusThermometersAndThePower) {
  const auto sensors = Open().value();
  const Telemetry telemetry = sensors->Read();
  EXPECT_EQ(telemetry.celsius, 62.25F);
  EXPECT_EQ(telemetry.watts, 23.5F);
  EXPECT_EQ(telemetry.watts_limit, std::nullopt);
  EXPECT_EQ(sensors->Words(),
            "SMC: 3 thermometers Tg*, 1 thermometers Tf*, power of the whole Mac");
  EXPECT_EQ((*Open(MacPart::kProcessors))->Read().celsius, 80);
}

TEST_F(SmcSensorsTest, WhereTheFirstFamilySaysNothingTheNextOneIsAsked) {
  for (Key& key : table_.keys) {
    if (key.name >> 16 == SmcName("Tg05") >> 16) key.value = key.name & 1 ? 0 : -40;
  }
  EXPECT_EQ((*Open())->Read().celsius, 71);
}

TEST_F(SmcSensorsTest, NonsenseIsNoReading) {
  const auto sensors = Open().value();
  for (const float nonsense : {NAN, INFINITY, -INFINITY, 0.0F, 1e9F}) {
    for (Key& key : table_.keys) key.value = nonsense;
    const Telemetry telemetry = sensors->Read();
    EXPECT_EQ(telemetry.celsius, std::nullopt) << nonsense;
  }
  for (Key& key : table_.keys) key.value = NAN;
  EXPECT_EQ(sensors->Read().watts, std::nullopt);
}

TEST_F(SmcSensorsTest, WhatFallsSilentIsMissing) {
  const auto sensors = Open().value();
  table_.works = false;
  EXPECT_EQ(sensors->Read().celsius, std::nullopt);
  EXPECT_EQ(sensors->Read().watts, std::nullopt);
}

TEST_F(SmcSensorsTest, WithNeitherHeatNorPowerThereAreNone) {
  table_.keys = {{SmcName("TB1T"), 30}, {SmcName("Tg0T"), 90, SmcName("sp78")}};
  const auto sensors = Open();
  ASSERT_FALSE(sensors.ok());
  EXPECT_EQ(sensors.status().reason(), Reason::kConfigInvalid);
  table_.works = false;
  EXPECT_FALSE(Open().ok());
}

// A table that never ends, and more thermometers than are worth a look each.
TEST_F(SmcSensorsTest, IsBoundedWhateverTheTable) {
  class Endless final : public SmcLine {
   public:
    bool Exchange(const SmcMessage& asked, SmcMessage* said) override {
      const float value = 50;
      said->key = SmcName("Tg00");
      said->size = 4;
      said->type = kSmcFloat;
      ++messages;
      if (asked.command == kSmcRead) std::memcpy(said->value, &value, sizeof value);
      return true;
    }
    uint64_t messages = 0;
  };
  auto line = std::make_unique<Endless>();
  const Endless& endless = *line;
  const auto sensors = SmcSensors::Create(std::move(line), MacPart::kGpu).value();
  EXPECT_LT(endless.messages, 20000u);
  const uint64_t before = endless.messages;
  EXPECT_EQ(sensors->Read().celsius, 50);
  EXPECT_LE(endless.messages - before, 65u);
}

TEST(ThermalStateTest, EachLevelIsWorseThanTheOneBefore) {
  EXPECT_EQ(ThermalStateOf(0).name, "nominal");
  for (uint64_t i = 1; i < kThermalStates.size(); ++i) {
    EXPECT_GT(ThermalStateOf(i).level, ThermalStateOf(i - 1).level);
    EXPECT_GE(ThermalStateOf(i).slice_rests, ThermalStateOf(i - 1).slice_rests);
  }
  EXPECT_EQ(ThermalStateOf(99).name, "critical");
}

}  // namespace
}  // namespace wb::test
