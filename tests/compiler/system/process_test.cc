// Arguments, environment, clocks, random numbers, polling, and the end.

#include <gtest/gtest.h>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

TEST(ProcessTest, ArgumentsAndEnvironmentArriveWithTheirZeros) {
  InstanceInputs inputs;
  inputs.args = {"prog", "", "--flag=1"};
  inputs.envs = {"HOME=/", "A=b"};
  Program program(inputs);
  const Guest count = program.Room(4), bytes = program.Room(4);
  ASSERT_EQ(wasi_args_sizes_get(count, bytes), I32{E_OK});
  EXPECT_EQ(program.Number(count), 3u);
  ASSERT_EQ(program.Number(bytes), 15u);
  const Guest pointers = program.Room(12), to = program.Room(16);
  ASSERT_EQ(wasi_args_get(pointers, to), I32{E_OK});
  EXPECT_EQ(program.Text(to, 15), std::string("prog\0\0--flag=1\0", 15));
  EXPECT_EQ(program.Number(pointers + 4), to + 5);
  EXPECT_EQ(program.Number(pointers + 8), to + 6);
  ASSERT_EQ(wasi_environ_sizes_get(count, bytes), I32{E_OK});
  EXPECT_EQ(program.Number(count), 2u);
  EXPECT_EQ(program.Number(bytes), 11u);
  ASSERT_EQ(wasi_environ_get(pointers, to), I32{E_OK});
  EXPECT_EQ(program.Text(to, 11), std::string("HOME=/\0A=b\0", 11));
}

TEST(ProcessTest, AnArgumentThatDoesNotFitIsAFault) {
  InstanceInputs inputs;
  inputs.args = {"12345678"};
  Program program(inputs);
  const Guest pointers = program.Room(4);
  EXPECT_EQ(wasi_args_get(pointers, 65536 - 8), I32{E_FAULT});
  EXPECT_EQ(wasi_args_get(pointers, 65536 - 9), I32{E_OK});
  EXPECT_EQ(wasi_args_get(65536 - 2, 0), I32{E_FAULT});
}

TEST(ProcessTest, ALongConfigurationIsReadWhole) {
  InstanceInputs inputs;
  inputs.preopens.clear();
  for (int i = 0; i < 40; ++i) {
    inputs.preopens.emplace_back("/a/rather/long/name/" + std::to_string(i), "d");
  }
  Program program(inputs);
  const Guest out = program.Room(8), name = program.Room(64);
  ASSERT_EQ(wasi_fd_prestat_get(42, out), I32{E_OK});
  EXPECT_EQ(program.Number(out + 4), 22u);
  ASSERT_EQ(wasi_fd_prestat_dir_name(42, name, 22), I32{E_OK});
  EXPECT_EQ(program.Text(name, 22), "/a/rather/long/name/39");
  EXPECT_EQ(wasi_fd_prestat_get(43, out), I32{E_BADF});
}

TEST(ProcessTest, EveryPrefixOfAConfigurationIsLetPass) {
  InstanceInputs inputs;
  inputs.args = {"a"};
  inputs.outputs = {"out/file"};
  Program whole(inputs);
  const std::string bytes = TheHost().inputs[0];
  for (size_t length = 0; length < bytes.size(); ++length) {
    Program program(inputs);
    TheHost().inputs[0] = bytes.substr(0, length);
    EXPECT_EQ(program.WriteTo(1, "x"), I32{E_OK}) << length;
    program.Open("f", OPEN_CREATE);
    Finish();
  }
}

TEST(ProcessTest, ClocksCountFuelAndSleep) {
  InstanceInputs inputs;
  inputs.clock_start = 5'000'000'000;
  Program program(inputs);
  TheHost().fuel = 700;
  const Guest out = program.Room(8);
  ASSERT_EQ(wasi_clock_time_get(0, 0, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 5'000'000'700u);
  for (I32 clock : {1u, 2u, 3u}) {
    ASSERT_EQ(wasi_clock_time_get(clock, 0, out), I32{E_OK});
    EXPECT_EQ(program.Number(out, 8), 700u);
  }
  EXPECT_EQ(wasi_clock_time_get(4, 0, out), I32{E_INVAL});
  EXPECT_EQ(wasi_clock_res_get(4, out), I32{E_INVAL});
  ASSERT_EQ(wasi_clock_res_get(0, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 1u);
}

struct Wait {
  uint64_t user = 0;
  uint8_t type = EVENT_CLOCK;
  uint32_t id = 1;
  uint64_t timeout = 0;
  uint16_t flags = 0;
};

Guest Subscriptions(Program& program, const std::vector<Wait>& waits) {
  std::string bytes;
  for (const Wait& wait : waits) {
    std::string record(48, '\0');
    std::memcpy(record.data(), &wait.user, 8);
    record[8] = static_cast<char>(wait.type);
    std::memcpy(record.data() + 16, &wait.id, 4);
    std::memcpy(record.data() + 24, &wait.timeout, 8);
    std::memcpy(record.data() + 40, &wait.flags, 2);
    bytes += record;
  }
  return program.Put(bytes);
}

TEST(ProcessTest, SleepingMovesTheVirtualTime) {
  Program program;
  TheHost().fuel = 100;
  const Guest at =
      Subscriptions(program, {{7, EVENT_CLOCK, 1, 5000, 0}, {8, EVENT_CLOCK, 1, 9000, 0}});
  const Guest to = program.Room(64), out = program.Room(8);
  ASSERT_EQ(wasi_poll_oneoff(at, to, 2, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 1u);
  EXPECT_EQ(program.Number(to, 8), 7u);
  wasi_clock_time_get(1, 0, out);
  EXPECT_EQ(program.Number(out, 8), 5100u);
  const Guest absolute = Subscriptions(program, {{9, EVENT_CLOCK, 1, 6000, CLOCK_ABSOLUTE}});
  ASSERT_EQ(wasi_poll_oneoff(absolute, to, 1, out), I32{E_OK});
  wasi_clock_time_get(1, 0, out);
  EXPECT_EQ(program.Number(out, 8), 6000u);
}

// A record of snapshot 0 has the user's number twice.
TEST(ProcessTest, SubscriptionsOfSnapshotZeroAreLonger) {
  Program program;
  const auto shifted = [&program](const Wait& wait) {
    const std::string record = program.Text(Subscriptions(program, {wait}), 48);
    return record.substr(0, 16) + std::string(8, 'u') + record.substr(16);
  };
  std::string writes = shifted({});
  writes.replace(0, 1, "\2");
  writes.replace(8, 1, std::string(1, EVENT_FD_WRITE));
  writes.replace(16, 8, std::string("\1\0\0\0\0\0\0\0", 8));
  const Guest to = program.Room(64), out = program.Room(8);
  const Guest clocks = program.Put(shifted({7, EVENT_CLOCK, 1, 6000, CLOCK_ABSOLUTE}) +
                                   shifted({8, EVENT_CLOCK, 1, 5000, 0}));
  ASSERT_EQ(wasi_unstable_poll_oneoff(clocks, to, 2, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 1u);
  EXPECT_EQ(program.Number(to, 8), 8u);
  wasi_clock_time_get(1, 0, out);
  EXPECT_EQ(program.Number(out, 8), 5000u);
  const Guest ready = program.Put(writes + shifted({9, EVENT_CLOCK, 1, 10, 0}));
  ASSERT_EQ(wasi_unstable_poll_oneoff(ready, to, 2, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 1u);
  EXPECT_EQ(program.Number(to, 8), 2u);
  EXPECT_EQ(program.Number(to + 8, 2), uint64_t{E_OK});
}

TEST(ProcessTest, TimeDoesNotRunBackwardsAfterAnEndlessSleep) {
  Program program;
  const Guest at = Subscriptions(program, {{1, EVENT_CLOCK, 1, UINT64_MAX, 0}});
  const Guest to = program.Room(32), out = program.Room(8);
  uint64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(wasi_poll_oneoff(at, to, 1, out), I32{E_OK});
    wasi_clock_time_get(1, 0, out);
    EXPECT_GE(program.Number(out, 8), last);
    last = program.Number(out, 8);
  }
}

TEST(ProcessTest, AReadyDescriptorEndsAWaitAtOnce) {
  Program program;
  const Guest at = Subscriptions(program, {{1, EVENT_CLOCK, 0, 5000, 0},
                                           {2, EVENT_FD_WRITE, 1, 0, 0},
                                           {3, EVENT_FD_READ, 99, 0, 0},
                                           {4, EVENT_CLOCK, 12, 1, 0},
                                           {5, 9, 0, 0, 0}});
  const Guest to = program.Room(5 * 32), out = program.Room(8);
  ASSERT_EQ(wasi_poll_oneoff(at, to, 5, out), I32{E_OK});
  ASSERT_EQ(program.Number(out), 4u);
  EXPECT_EQ(program.Number(to, 8), 2u);
  EXPECT_EQ(program.Number(to + 8, 2), uint64_t{E_OK});
  EXPECT_EQ(program.Number(to + 10, 1), uint64_t{EVENT_FD_WRITE});
  EXPECT_EQ(program.Number(to + 32 + 8, 2), uint64_t{E_BADF});
  EXPECT_EQ(program.Number(to + 64 + 8, 2), uint64_t{E_INVAL});
  EXPECT_EQ(program.Number(to + 96 + 8, 2), uint64_t{E_INVAL});
  wasi_clock_time_get(1, 0, out);
  EXPECT_EQ(program.Number(out, 8), 0u);
  EXPECT_EQ(wasi_poll_oneoff(at, to, 0, out), I32{E_INVAL});
}

std::string Random(uint64_t seed, uint64_t instance, uint32_t bytes) {
  InstanceInputs inputs;
  inputs.seed = seed;
  inputs.instance = instance;
  Program program(inputs);
  const Guest to = program.Room(bytes);
  EXPECT_EQ(wasi_random_get(to, bytes), I32{E_OK});
  return program.Text(to, bytes);
}

TEST(ProcessTest, RandomNumbersDependOnSeedAndInstanceAlone) {
  EXPECT_EQ(Random(1, 2, 100), Random(1, 2, 100));
  EXPECT_NE(Random(1, 2, 100), Random(1, 3, 100));
  EXPECT_NE(Random(1, 2, 100), Random(2, 2, 100));
  EXPECT_EQ(Random(1, 2, 13), Random(1, 2, 100).substr(0, 13));
  int ones = 0;
  for (const char byte : Random(1, 2, 4000)) ones += __builtin_popcount(static_cast<uint8_t>(byte));
  EXPECT_NEAR(ones, 16000, 400);
}

TEST(ProcessTest, RandomNumbersDoNotDependOnHowARunIsCutIntoJobs) {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15;  // command.proto
  EXPECT_EQ(Random(7 + 5 * kStep, 0, 100), Random(7, 5, 100));
  EXPECT_EQ(Random(7 + 2 * kStep, 3, 100), Random(7, 5, 100));
}

TEST(ProcessTest, ADrawNumberStandsForTheInstances) {
  InstanceInputs inputs;
  inputs.seed = 7;
  inputs.instance = 2;
  inputs.draw_number = 0x123456789;
  inputs.args = {"a"};
  inputs.envs = {"B=c", "D="};
  inputs.files = {{"own", "bytes"}};
  Program program(inputs);
  const Guest to = program.Room(100);
  EXPECT_EQ(wasi_random_get(to, 100), I32{E_OK});
  EXPECT_EQ(program.Text(to, 100), Random(7, 0x123456789, 100));
}

TEST(ProcessTest, RandomNumbersDoNotRepeat) {
  Program program;
  const Guest to = program.Room(32);
  wasi_random_get(to, 16);
  wasi_random_get(to + 16, 16);
  EXPECT_NE(program.Text(to, 16), program.Text(to + 16, 16));
  EXPECT_EQ(wasi_random_get(kOutside, 3), I32{E_FAULT});
}

TEST(ProcessTest, TheEndHasItsCodeAndDeliversFilesOnce) {
  InstanceInputs inputs;
  inputs.file_set = FileSet({{"given", "of the set"}, {"d/", ""}});
  inputs.outputs = {"made", "given", "absent", "/d", "d/../long"};
  Program program(inputs);
  ASSERT_EQ(program.Write("made", "result"), I32{E_OK});
  ASSERT_EQ(program.Write("long", std::string(9000, 'x')), I32{E_OK});
  try {
    wasi_proc_exit(3);
    FAIL();
  } catch (const Exited& exited) {
    EXPECT_EQ(exited.code, 3u);
  }
  Finish();
  EXPECT_EQ(program.Output(3), "result");
  EXPECT_EQ(program.Output(4), "of the set");
  EXPECT_EQ(program.Output(5), "");
  EXPECT_EQ(program.Output(6), "");
  EXPECT_EQ(program.Output(7), std::string(9000, 'x'));
}

TEST(ProcessTest, ASignalEndsTheProgram) {
  Program program;
  try {
    wasi_proc_raise(6);
    FAIL();
  } catch (const Exited& exited) {
    EXPECT_EQ(exited.code, 134u);
  }
  EXPECT_EQ(wasi_proc_raise(0), I32{E_INVAL});
  EXPECT_EQ(wasi_proc_raise(31), I32{E_INVAL});
  EXPECT_EQ(wasi_sched_yield(), I32{E_OK});
}

}  // namespace
}  // namespace wb::test
