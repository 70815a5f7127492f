#include "daemon/config/shown_settings.h"

#include <gtest/gtest.h>

#include "daemon/config/config_file.h"
#include "daemon/config/default_config.h"
#include "daemon/config/live_config.h"
#include "daemon/config/units.h"

namespace wb {
namespace {

std::vector<ShownSetting> ShownNamed(const Config& config, const std::string& name) {
  std::vector<ShownSetting> found;
  for (ShownSetting& setting : ShowSettings(config)) {
    if (setting.name == name) found.push_back(std::move(setting));
  }
  return found;
}

TEST(ShownSettings, TheTextOfAValueIsTheValue) {
  const Config defaults = DefaultConfig();
  for (const Setting& setting : SettingTable()) {
    const std::string text = SettingText(setting, defaults);
    Config copy = defaults;
    ASSERT_EQ(AssignSetting(setting, text, &copy), "") << NameOf(setting.info) << " " << text;
    EXPECT_EQ(SettingText(setting, copy), text);
  }
}

TEST(ShownSettings, NumbersHaveTheLargestUnitThatFits) {
  EXPECT_EQ(DurationText(0), "0s");
  EXPECT_EQ(DurationText(1'500'000'000), "1500ms");
  EXPECT_EQ(DurationText(86'400'000'000'000), "24h");
  EXPECT_EQ(DurationText(90'000'000'000), "90s");
  EXPECT_EQ(DurationText(1), "1ns");
  EXPECT_EQ(ByteSizeText(0), "0");
  EXPECT_EQ(ByteSizeText(uint64_t{64} << 20), "64MiB");
  EXPECT_EQ(ByteSizeText(1'000'000), "1000000");
  for (const int64_t time : {int64_t{7}, int64_t{60'000'000'000}, int64_t{1'234'000'000}}) {
    EXPECT_EQ(ParseDuration(DurationText(time)), time);
  }
  for (const uint64_t size : {uint64_t{7}, uint64_t{1} << 50, uint64_t{20'000'000'000}}) {
    EXPECT_EQ(ParseByteSize(ByteSizeText(size)), size);
  }
}

TEST(ShownSettings, EachSaysWhereItComesFrom) {
  Config config = ParseConfig(
                      "[limits]\nfuel = 1099511627776\n[[tenant]]\nname = \"render\"\nweight = 3\n"
                      "[[identity]]\nuser = \"ann\"\nrole = \"viewer\"\n",
                      "x")
                      .value();
  config.origins.flags.insert("listen");
  EXPECT_EQ(ShowSettings(config).size(), SettingTable().size() + 3);
  // Also where the file says what would hold without it.
  EXPECT_EQ(ShownNamed(config, "limits.fuel").at(0).origin, "file");
  EXPECT_EQ(ShownNamed(config, "limits.max_fuel").at(0).origin, "default");
  EXPECT_EQ(ShownNamed(config, "tenants.weight").at(0).origin, "default");
  EXPECT_EQ(ShownNamed(config, "tenant").at(0).origin, "file");
  EXPECT_EQ(ShownNamed(config, "tenant").at(0).value,
            "render weight=3 max_running_jobs=0 max_jobs=0 max_memory_bytes=0");
  EXPECT_EQ(ShownNamed(config, "identity").at(0).value, "user=ann role=viewer");
  EXPECT_EQ(ShownNamed(config, "listen").at(0).origin, "flag");
  EXPECT_EQ(ShownNamed(config, "listen").at(0).value,
            "unix:///run/wasmburst/wasmburstd.sock mode=0o660");
  EXPECT_TRUE(ShownNamed(config, "identity").at(0).reloads);
  EXPECT_FALSE(ShownNamed(config, "tenant").at(0).reloads);
}

TEST(ShownSettings, AReloadChangesWhereTheyComeFrom) {
  const Config running = DefaultConfig();
  const Config read =
      ParseConfig("[limits]\nfuel = 5\n[grpc]\nmemory_bytes = \"64MiB\"\n", "x").value();
  const Config now = Reload(running, read).config;
  EXPECT_EQ(ShownNamed(now, "limits.fuel").at(0).origin, "reloaded");
  EXPECT_EQ(ShownNamed(now, "grpc.memory_bytes").at(0).origin, "default");
  EXPECT_EQ(ShownNamed(now, "grpc.memory_bytes").at(0).value, "512MiB");
  EXPECT_EQ(ShownNamed(now, "grpc.memory_bytes").at(0).after_restart, "64MiB");
  // The file says again what holds: nothing waits for a restart any more.
  const Config then = Reload(now, running).config;
  EXPECT_EQ(ShownNamed(then, "grpc.memory_bytes").at(0).after_restart, "");
  EXPECT_EQ(ShownNamed(then, "limits.fuel").at(0).value, "1099511627776");
  EXPECT_EQ(ShownNamed(then, "limits.fuel").at(0).origin, "reloaded");
}

}  // namespace
}  // namespace wb
