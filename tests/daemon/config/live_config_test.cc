#include "daemon/config/live_config.h"

#include <gtest/gtest.h>

#include "daemon/config/config_file.h"
#include "daemon/config/default_config.h"

namespace wb {
namespace {

using Names = std::vector<std::string>;

TEST(LiveConfig, TakesOverWhatMayChangeAndNamesTheRest) {
  const Config running = DefaultConfig();
  const Config read = ParseConfig(R"(
[limits]
fuel = 1000
[log]
level = "debug"
format = "json"
[grpc]
memory_bytes = "64MiB"
[[identity]]
user = "root"
role = "viewer"
)",
                                  "x")
                          .value();
  const Reloaded reloaded = Reload(running, read);
  EXPECT_EQ(reloaded.changed, (Names{"limits.fuel", "log.level", "identity"}));
  EXPECT_EQ(reloaded.for_restart, (Names{"grpc.memory_bytes", "log.format"}));
  EXPECT_EQ(reloaded.config.default_limits.max_fuel, 1000u);
  EXPECT_EQ(reloaded.config.log_level, "debug");
  EXPECT_EQ(reloaded.config.log_format, running.log_format);
  EXPECT_EQ(reloaded.config.grpc_memory_bytes, running.grpc_memory_bytes);
  ASSERT_EQ(reloaded.config.identities.size(), 1u);
  EXPECT_EQ(reloaded.config.identities[0].user, "root");
}

TEST(LiveConfig, TheSameFileChangesNothing) {
  const Reloaded reloaded = Reload(DefaultConfig(), DefaultConfig());
  EXPECT_TRUE(reloaded.changed.empty());
  EXPECT_TRUE(reloaded.for_restart.empty());
}

TEST(LiveConfig, ListenersAndTenantsNeedARestart) {
  const Config read = ParseConfig(
                          "[[listen]]\naddress = \"tcp://[::1]:1\"\nrole = \"viewer\"\n"
                          "[[tenant]]\nname = \"render\"\nweight = 3\n",
                          "x")
                          .value();
  EXPECT_EQ(Reload(DefaultConfig(), read).for_restart, (Names{"listen", "tenant"}));
}

TEST(LiveConfig, WhoLooksKeepsWhatItGot) {
  LiveConfig live(DefaultConfig());
  const auto before = live.Get();
  Config next = DefaultConfig();
  next.max_instances = 7;
  live.Set(next);
  EXPECT_NE(before->max_instances, 7u);
  EXPECT_EQ(live.Get()->max_instances, 7u);
}

}  // namespace
}  // namespace wb
