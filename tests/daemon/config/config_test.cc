#include "daemon/config/config_file.h"

#include <gtest/gtest.h>

#include <string>

#include "daemon/config/default_config.h"
#include "daemon/config/engine_settings.h"
#include "daemon/config/setting_table.h"
#include "daemon/config/units.h"

namespace wb {
namespace {

std::string MessageOf(const std::string& text) {
  Result<Config> config = ParseConfig(text, "test.toml");
  EXPECT_FALSE(config.ok()) << text;
  if (config.ok()) return "";
  EXPECT_EQ(config.status().reason(), Reason::kConfigInvalid);
  return config.status().message();
}

// A setting with another value than its default, as TOML; empty when there is none to be had.
std::string Other(const SettingInfo& setting) {
  if (setting.kind == "Bool") return setting.default_text == "true" ? "false" : "true";
  if (setting.kind == "Count") return "17";
  if (setting.kind == "Time") return "\"1234ms\"";
  bool memory = setting.key.find("memory") != std::string_view::npos;
  if (setting.kind == "Bytes") return memory ? "\"128MiB\"" : "\"1MiB\"";
  if (setting.kind == "Gpus") return "\"0,2\"";
  if (setting.key == "endpoint") return "\"http://127.0.0.1:4318\"";
  if (setting.key == "postgres") return "\"postgresql://db/jobs\"";
  if (setting.section == "metrics") return "\"127.0.0.1:9464\"";
  if (setting.kind == "Text") return "\"/some/place\"";
  size_t bar = setting.meaning.find('|', 1);
  return "\"" + std::string(setting.meaning.substr(1, bar - 1)) + "\"";
}

TEST(Config, DefaultTextIsTheDefaults) {
  Result<Config> config = ParseConfig(DefaultConfigText(), "default.toml");
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config->listen.size(), 1u);
  EXPECT_EQ(config->listen[0].address.ToString(), "unix:///run/wasmburst/wasmburstd.sock");
  EXPECT_EQ(config->listen[0].mode, 0660u);
  EXPECT_EQ(config->max_message_bytes, uint64_t{16} << 20);
  EXPECT_EQ(config->heartbeat, 15'000'000'000);
  EXPECT_EQ(config->burst_max_duration, 500'000'000);
}

TEST(Config, EverySettingIsTakenAndStandsInTheDefaultText) {
  std::string all = DefaultConfigText();
  for (const SettingInfo& setting : Settings()) {
    std::string key(setting.key);
    EXPECT_NE(all.find("\n" + key + " = "), std::string::npos) << key;
    // Bound to others: below, and in s3_parts_test.cc.
    if (setting.section == "limits" || key == "host" || key == "blob_s3") continue;
    std::string text = "[" + std::string(setting.section) + "]\n" + key + " = " + Other(setting);
    if (key == "max_total_bytes" && setting.section == "results") text += "\nmax_job_bytes = 65536";
    EXPECT_TRUE(ParseConfig(text, "t").ok()) << text << ParseConfig(text, "t").status().message();
  }
  EXPECT_TRUE(ParseConfig("[limits]\nfuel = 5\nmax_fuel = 6", "t").ok());
}

TEST(Config, OneOfSeveralDaemonsHasANameAndADatabase) {
  const std::string shared = "[store]\npostgres = \"postgresql://wb@db/jobs\"\n";
  EXPECT_TRUE(ParseConfig(shared + "[cluster]\nhost = \"node-1.example_2\"", "t").ok());
  EXPECT_NE(MessageOf(shared + "[cluster]\nhost = \"node/1\"").find("[cluster.host]"),
            std::string::npos);
  const std::string long_name(64, 'n');
  EXPECT_NE(MessageOf(shared + "[cluster]\nhost = \"" + long_name + "\"").find("at most 63"),
            std::string::npos);
  EXPECT_NE(MessageOf("[cluster]\nhost = \"node1\"").find("[store.postgres]"), std::string::npos);
  EXPECT_NE(MessageOf(shared + "[server]\ndurable = false\n[cluster]\nhost = \"n\"")
                .find("[server.durable]"),
            std::string::npos);
}

TEST(Config, EverySettingRefusesTheWrongKind) {
  for (const SettingInfo& setting : Settings()) {
    std::string head = "[" + std::string(setting.section) + "]\n" + std::string(setting.key);
    EXPECT_NE(MessageOf(head + " = [1]"), "") << head;
    if (setting.kind != "Text") {
      EXPECT_NE(MessageOf(head + " = \"12 parsecs\""), "") << head;
    }
    if (setting.kind != "Text" && setting.kind != "Choice") {
      EXPECT_NE(MessageOf(head + " = -1"), "") << head;
    }
  }
}

TEST(Config, UnknownNamesAreRefusedWithTheirLine) {
  EXPECT_EQ(MessageOf("version = 1\n[grpc]\nmax_mesage_bytes = 1"),
            "test.toml:3: The setting [grpc.max_mesage_bytes] is not known.");
  EXPECT_NE(MessageOf("\n[nonsense]\na = 1").find("test.toml:2"), std::string::npos);
  EXPECT_NE(MessageOf("version = 2").find("must be 1"), std::string::npos);
  EXPECT_NE(MessageOf("[[listen]]\naddress = \"unix:///a\"\ncolour = 1").find("listen.colour"),
            std::string::npos);
}

TEST(Config, WhatIsNotTomlIsRefusedWithItsLine) {
  EXPECT_NE(MessageOf("version = 1\n= 3").find("test.toml:2: The file is not TOML"),
            std::string::npos);
}

TEST(Config, RangesAreChecked) {
  EXPECT_NE(MessageOf("[server]\nworker_threads = 0").find("between 1 and 256"), std::string::npos);
  EXPECT_NE(MessageOf("[results]\nheartbeat = \"0ms\"").find("[results.heartbeat]"),
            std::string::npos);
  EXPECT_NE(MessageOf("[limits]\nfuel = 10\nmax_fuel = 9").find("[limits.fuel]"),
            std::string::npos);
  EXPECT_NE(MessageOf("[log]\nlevel = \"loud\"").find("must be one of"), std::string::npos);
}

TEST(Config, ListenersFollowTheRule) {
  EXPECT_NE(MessageOf("[[listen]]\naddress = \"tcp://0.0.0.0:1\"").find("without TLS"),
            std::string::npos);
  EXPECT_NE(MessageOf("[[listen]]\nmode = 0o600").find("needs an [address]"), std::string::npos);
  EXPECT_NE(MessageOf("listen = []").find("[[listen]]"), std::string::npos);
  Result<Config> two = ParseConfig(
      "[[listen]]\naddress = \"tcp://[::1]:0\"\n[[listen]]\naddress = \"unix:///a\"\n"
      "mode = 0o600",
      "t");
  ASSERT_TRUE(two.ok()) << two.status().message();
  EXPECT_EQ(two->listen.size(), 2u);
  EXPECT_EQ(two->listen[1].mode, 0600u);
}

TEST(Config, TenantsHaveTheSettingsOfAllWhereTheySayNoneOfTheirOwn) {
  const Config config = ParseConfig(
                            "[[tenant]]\nname = \"render\"\nweight = 3\n"
                            "[[tenant]]\nname = \"\"\nmax_memory_bytes = \"1GiB\"\n"
                            "[tenants]\nmax_jobs = 5\n",
                            "t")
                            .value();
  ASSERT_EQ(config.tenants.size(), 2u);
  const Tenants tenants = EngineSettings(config).tenants;
  EXPECT_EQ(tenants.Of("render").weight, 3);
  EXPECT_EQ(tenants.Of("render").max_jobs, 5u);
  EXPECT_EQ(tenants.Of("").max_device_memory_bytes, uint64_t{1} << 30);
  EXPECT_EQ(tenants.Of("somebody").weight, 1);
  EXPECT_EQ(tenants.Of("somebody").max_jobs, 5u);
  EXPECT_EQ(tenants.Of("somebody").max_running_jobs, 0u);
}

TEST(Config, WrongTenantsAreRefusedWithTheirLine) {
  EXPECT_NE(MessageOf("[[tenant]]\nweight = 2").find("test.toml:1: A tenant needs a [name]"),
            std::string::npos);
  EXPECT_NE(MessageOf("[[tenant]]\nname = \"a\"\ncolour = 2").find("test.toml:3"),
            std::string::npos);
  EXPECT_NE(MessageOf("[[tenant]]\nname = \"a\"\nweight = 0").find("between 1 and"),
            std::string::npos);
  EXPECT_NE(MessageOf("[[tenant]]\nname = \"a\"\n[[tenant]]\nname = \"a\"").find("twice"),
            std::string::npos);
  EXPECT_NE(MessageOf("tenant = 3").find("[[tenant]]"), std::string::npos);
}

TEST(Address, OnlyUnixPathsAndLoopback) {
  for (const char* good : {"unix:///run/x.sock", "tcp://127.0.0.1:0", "tcp://[::1]:65535"}) {
    Result<ListenAddress> address = ParseListenAddress(good);
    ASSERT_TRUE(address.ok()) << good;
    EXPECT_EQ(address->ToString(), good);
  }
  EXPECT_EQ(ParseListenAddress("tcp://localhost:1").value().host, "127.0.0.1");
  for (const char* bad :
       {"", "unix://", "unix:///", "unix://relative", "tcp://127.0.0.1", "tcp://127.0.0.1:65536",
        "tcp://127.0.0.1:x", "tcp://0.0.0.0:1", "tcp://[::]:1", "tcp://10.0.0.1:1",
        "tcp://127.0.0.1.example.com:1", "http://127.0.0.1:1", "127.0.0.1:1"}) {
    EXPECT_FALSE(ParseListenAddress(bad).ok()) << bad;
  }
  EXPECT_FALSE(ParseListenAddress("unix:///" + std::string(200, 'a')).ok());
}

TEST(Units, Durations) {
  EXPECT_EQ(ParseDuration("500ms"), 500'000'000);
  EXPECT_EQ(ParseDuration("1.5s"), 1'500'000'000);
  EXPECT_EQ(ParseDuration("24h"), 86'400'000'000'000);
  EXPECT_EQ(ParseDuration("0"), 0);
  for (const char* bad : {"", "5", "ms", "-1s", "1 s", "1e3s", "nan", "inf", "1sec", "99999999h"}) {
    EXPECT_FALSE(ParseDuration(bad)) << bad;
  }
}

TEST(Units, Sizes) {
  EXPECT_EQ(ParseByteSize("64MiB"), uint64_t{64} << 20);
  EXPECT_EQ(ParseByteSize("20GB"), 20'000'000'000u);
  EXPECT_EQ(ParseByteSize("4096"), 4096u);
  EXPECT_EQ(ParseByteSize("0"), 0u);
  for (const char* bad : {"", "MiB", "-1", "1 MiB", "1mib", "1e9TiB", "99999999TiB", "0x10"}) {
    EXPECT_FALSE(ParseByteSize(bad)) << bad;
  }
}

TEST(Config, GpusRestAsTheOthersWhereTheyHaveNoSettingOfTheirOwn) {
  const auto settings = [](const std::string& text) {
    return EngineSettings(ParseConfig("version = 1\n" + text, "f").value());
  };
  SchedulerSettings one = settings("");
  EXPECT_TRUE(one.cuda.tunes_occupancy);
  EXPECT_FALSE(settings("[cuda]\nresidency = \"all\"").cuda.tunes_occupancy);
  EXPECT_FALSE(one.cuda_maps_memory);
  EXPECT_TRUE(settings("[cuda]\nmemory = \"mapped\"").cuda_maps_memory);
  EXPECT_TRUE(one.cuda.shares_launches);
  EXPECT_FALSE(settings("[burst]\nshare = false").cuda.shares_launches);
  EXPECT_EQ(one.cpu.cooldown, std::chrono::seconds(0));
  EXPECT_EQ(one.cuda.cooldown, std::chrono::seconds(1));
  EXPECT_EQ(one.cuda.temp_high, 80);
  EXPECT_EQ(one.cuda.burst_max_duration, std::chrono::milliseconds(500));
  one = settings("[burst]\npolicy = \"quiet\"\ntemp_high = 60\nquiet_percent = 10\n");
  EXPECT_EQ(one.cuda.policy, DevicePolicy::kQuiet);
  EXPECT_EQ(one.interpreter.policy, DevicePolicy::kQuiet);
  EXPECT_EQ(one.cuda.temp_high, 60);
  EXPECT_EQ(one.cpu.quiet_share, 0.1F);
  one = settings("[cuda]\npolicy = \"continuous\"\ntemp_high = 90\nmax_duration = \"2s\"\n");
  EXPECT_EQ(one.cuda.policy, DevicePolicy::kContinuous);
  EXPECT_EQ(one.cpu.policy, DevicePolicy::kBurst);
  EXPECT_EQ(one.cuda.temp_high, 90);
  EXPECT_EQ(one.cuda.burst_max_duration, std::chrono::seconds(2));
  one = settings("[burst]\npolicy = \"seed\"\n");
  EXPECT_EQ(one.cpu.policy, DevicePolicy::kSeed);
  EXPECT_EQ(one.cuda.policy, DevicePolicy::kSeed);
  one = settings("[cuda]\npolicy = \"seed\"\n");
  EXPECT_EQ(one.cuda.policy, DevicePolicy::kSeed);
  EXPECT_EQ(one.interpreter.policy, DevicePolicy::kBurst);
  one = settings("[cuda]\npolicy = \"persistent\"\n");
  EXPECT_EQ(one.cuda.policy, DevicePolicy::kPersistent);
}

TEST(Config, BacktracesHaveTheirLimits) {
  const auto limits = [](const std::string& text) {
    return EngineSettings(*ParseConfig(text, "t")).backtraces;
  };
  EXPECT_EQ(limits("").per_job, ReplayLimits().per_job);
  EXPECT_EQ(limits("").fuel, ReplayLimits().fuel);
  EXPECT_EQ(limits("").memory_bytes, ReplayLimits().memory_bytes);
  EXPECT_EQ(limits("").time, ReplayLimits().time);
  const ReplayLimits set = limits(
      "[backtraces]\nper_job = 0\nmax_fuel = 9\nmax_memory_bytes = \"64MiB\"\nmax_time = \"1s\"");
  EXPECT_EQ(set.per_job, 0u);
  EXPECT_EQ(set.fuel, 9u);
  EXPECT_EQ(set.memory_bytes, uint64_t{64} << 20);
  EXPECT_EQ(set.time, std::chrono::seconds(1));
  EXPECT_NE(MessageOf("[backtraces]\nper_job = 33").find("[backtraces.per_job]"),
            std::string::npos);
}

TEST(Config, ProfilesHaveTheirLimits) {
  const auto limits = [](const std::string& text) {
    return EngineSettings(*ParseConfig(text, "t")).profiles;
  };
  EXPECT_EQ(limits("").instances, ProfileLimits().instances);
  EXPECT_EQ(limits("").fuel, ProfileLimits().fuel);
  EXPECT_EQ(limits("").memory_bytes, ProfileLimits().memory_bytes);
  EXPECT_EQ(limits("").time, ProfileLimits().time);
  EXPECT_EQ(limits("").share_percent, ProfileLimits().share_percent);
  const ProfileLimits set = limits(
      "[profiles]\ninstances = 3\nmax_fuel = 9\nmax_memory_bytes = \"64MiB\"\nmax_time = \"1s\"\n"
      "share_percent = 5");
  EXPECT_EQ(set.instances, 3u);
  EXPECT_EQ(set.fuel, 9u);
  EXPECT_EQ(set.memory_bytes, uint64_t{64} << 20);
  EXPECT_EQ(set.time, std::chrono::seconds(1));
  EXPECT_EQ(set.share_percent, 5u);
  EXPECT_NE(MessageOf("[profiles]\ninstances = 1025").find("[profiles.instances]"),
            std::string::npos);
}

TEST(Config, InputsHaveAShareOfEveryDevicesMemory) {
  const auto settings = [](const std::string& text) {
    return EngineSettings(ParseConfig(text, "t").value());
  };
  EXPECT_EQ(settings("").cuda.input_percent, 50u);
  const SchedulerSettings set = settings("[engine]\ninput_percent = 7");
  EXPECT_EQ(set.cpu.input_percent, 7u);
  EXPECT_EQ(set.interpreter.input_percent, 7u);
  EXPECT_EQ(set.cuda.input_percent, 7u);
  EXPECT_EQ(settings("[engine]\ninput_percent = 100").cuda.input_percent, 100u);
  for (const char* bad : {"0", "101"}) {
    const std::string message = MessageOf("[engine]\ninput_percent = " + std::string(bad));
    EXPECT_NE(message.find("test.toml:2"), std::string::npos) << message;
    EXPECT_NE(message.find("[engine.input_percent]"), std::string::npos) << message;
    EXPECT_NE(message.find("must lie between 1 and 100"), std::string::npos) << message;
  }
}

TEST(Config, GpusAreAllOrAList) {
  const auto ordinals = [](const std::string& value) {
    return EngineSettings(*ParseConfig("[cuda]\ndevices = \"" + value + "\"", "t")).cuda_ordinals;
  };
  EXPECT_TRUE(EngineSettings(*ParseConfig("", "t")).cuda_ordinals.empty());
  EXPECT_TRUE(ordinals("all").empty());
  EXPECT_EQ(ordinals("2,0"), (std::vector<uint32_t>{2, 0}));
  for (const char* bad : {"", "0,", ",1", "0,0", "1 ", "-1", "64", "0;1", "cuda0", "ALL"}) {
    EXPECT_NE(MessageOf("[cuda]\ndevices = \"" + std::string(bad) + "\"").find("[cuda.devices]"),
              std::string::npos)
        << bad;
  }
  EXPECT_NE(MessageOf("[cuda]\ndevices = 0").find("\"all\" or numbers"), std::string::npos);
}

TEST(Config, TheGpuIsOfTheSystemsKindUnlessNamed) {
  EXPECT_EQ(EngineSettings(*ParseConfig("", "t")).gpu, kGpuHere);
  EXPECT_EQ(EngineSettings(*ParseConfig("[cuda]\nkind = \"metal\"", "t")).gpu, Engine::kMetal);
  EXPECT_EQ(EngineSettings(*ParseConfig("[cuda]\nkind = \"cuda\"", "t")).gpu, Engine::kCuda);
}

}  // namespace
}  // namespace wb
