// The whole spine with real engine hosts: decoded, lowered, compiled, run in another process.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scheduler/job/job_plan.h"
#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

// Enough work per instance to be cut by a burst, and a result that depends on every step of it.
std::shared_ptr<const Module> LongModule() {
  return ModuleOf(R"((module
    (memory 1)
    (func (export "run") (param $n i32) (result i32)
      (local $i i32) (local $h i32)
      (local.set $h (local.get $n))
      (loop $l
        (local.set $h (i32.add (i32.mul (local.get $h) (i32.const 1664525))
                               (i32.const 1013904223)))
        (i32.store (i32.and (local.get $h) (i32.const 0xfffc)) (local.get $i))
        (local.set $h (i32.xor (local.get $h)
            (i32.load (i32.and (local.get $i) (i32.const 0xfffc)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $l (i32.lt_u (local.get $i) (i32.const 2000000))))
      (local.get $h))))");
}

class EngineHostTest : public ::testing::Test {
 protected:
  SchedulerSettings Settings() {
    SchedulerSettings settings;
    settings.engine_host_path = WB_ENGINE_HOST;
    settings.cache_directory = folder_.path() + "/cache";
    settings.start_on_interpreter = false;
    settings.log = [](Severity, const std::string& message) {
      std::fprintf(stderr, "%s\n", message.c_str());
    };
    return settings;
  }

  TemporaryFolder folder_;
};

// Every field of a result that must not depend on where and how often it ran.
std::string Meaning(const InstanceResult& result) {
  std::string text = std::to_string(result.instance) + " " + std::string(EndName(result.end)) +
                     " " + std::to_string(result.fuel) + " " + std::to_string(result.trap_offset);
  for (const StepResult& step : result.steps) {
    for (const Value& value : step.values) text += " " + std::to_string(value.bits());
  }
  for (const Output& output : result.outputs) {
    text += " " + output.name + "=" + std::string(AsText(output.bytes));
  }
  return text;
}

std::vector<std::string> Meanings(RecordingSink& sink) {
  sink.AwaitEnd();
  EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
  std::vector<std::string> meanings;
  for (const InstanceResult& result : sink.Results()) meanings.push_back(Meaning(result));
  return meanings;
}

TEST_F(EngineHostTest, AJobRunsOnTheCpu) {
  auto scheduler = CreateScheduler(Settings());
  ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
  auto sink = std::make_shared<RecordingSink>();
  ASSERT_TRUE((*scheduler)->Submit(1, NumberJob(NumberModule(), 5000), sink).ok());
  sink->AwaitEnd();
  ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 5000u);
  for (uint32_t i = 0; i < results.size(); ++i) {
    ASSERT_EQ(results[i].instance, i);
    ASSERT_EQ(results[i].end, End::kReturned);
    ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(i + 1));
    ASSERT_EQ(results[i].fuel, results[0].fuel);
    ASSERT_EQ(results[i].device, "cpu0");
  }
  EXPECT_FALSE(sink->usage().pipeline_cached);
  auto again = std::make_shared<RecordingSink>();
  ASSERT_TRUE((*scheduler)->Submit(2, NumberJob(NumberModule(), 1), again).ok());
  again->AwaitEnd();
  EXPECT_TRUE(again->usage().pipeline_cached);
}

// This machine may have a GPU: a driver at a place where none is stands for one without.
TEST_F(EngineHostTest, WithoutAGpuTheLogSaysWhereItWasLookedFor) {
  SchedulerSettings settings = Settings();
  settings.cuda_enabled = true;
  settings.cuda_libraries.driver = "/nowhere/libcuda.so.1";
  std::string log;
  settings.log = [&log](Severity, const std::string& line) { log += line; };
  const auto scheduler = CreateScheduler(settings);
  ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
  EXPECT_EQ((*scheduler)->Devices().size(), 2u);
  EXPECT_NE(log.find("[/nowhere/libcuda.so.1]"), std::string::npos) << log;
  settings.cuda_required = true;
  EXPECT_EQ(CreateScheduler(settings).status().reason(), Reason::kConfigInvalid);
}

TEST_F(EngineHostTest, BothEnginesAgreeOnBytesTrapsAndFuel) {
  // Reverses the instance's bytes; traps on an empty string.
  const auto module = ModuleOf(R"((module
    (memory (export "memory") 1)
    (func (export "reverse") (param $n i32) (result i32)
      (local $i i32)
      (if (i32.eqz (local.get $n)) (then (unreachable)))
      (loop $l
        (i32.store8 (i32.add (i32.const 1023) (i32.sub (local.get $n) (local.get $i)))
                    (i32.load8_u (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $l (i32.lt_u (local.get $i) (local.get $n))))
      (local.get $n))))");
  auto scheduler = CreateScheduler(Settings()).value();
  std::vector<std::vector<std::string>> meanings;
  for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
    JobSpec spec;
    spec.module = module;
    Column text{Column::Kind::kBytes, ValueType::kI32, {}, {}, {}, {}};
    Column length{Column::Kind::kList, ValueType::kI32, {}, {}, {}, {}};
    for (uint32_t i = 0; i < 100; ++i) {
      text.bytes.push_back(Bytes(i, static_cast<uint8_t>('a' + i % 26)));
      if (i > 0) text.bytes.back()[0] = '!';
      length.values.push_back(Value::I32(i));
    }
    spec.columns = {text, length};
    spec.steps = {WriteStep{{Operand::Source::kConstant, Value::I32(0), 0, 0, 0}, 0},
                  CallStep{"reverse", {{Operand::Source::kColumn, {}, 1, 0, 0}}, false},
                  ReadStep{{Operand::Source::kConstant, Value::I32(1024), 0, 0, 0},
                           {Operand::Source::kResult, {}, 0, 1, 0},
                           "reversed"}};
    spec.instances = 100;
    spec.placement = placement;
    auto sink = std::make_shared<RecordingSink>();
    ASSERT_TRUE(scheduler->Submit(meanings.size() + 1, std::move(spec), sink).ok());
    meanings.push_back(Meanings(*sink));
    const auto results = sink->Results();
    ASSERT_EQ(results.size(), 100u);
    EXPECT_EQ(results[0].end, End::kTrapped);
    EXPECT_EQ(results[0].trap, Trap::kUnreachable);
    EXPECT_EQ(AsText(results[3].outputs.at(0).bytes), "dd!");
  }
  EXPECT_EQ(meanings[0], meanings[1]);
}

TEST_F(EngineHostTest, AHostKilledInMidLaunchChangesNoResult) {
  SchedulerSettings settings = Settings();
  settings.cpu.burst_max_duration = std::chrono::milliseconds(20);
  auto scheduler = CreateScheduler(settings).value();
  auto calm = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(1, NumberJob(LongModule(), 100), calm).ok());
  const auto expected = Meanings(*calm);
  ASSERT_EQ(expected.size(), 100u);

  auto sink = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(2, NumberJob(LongModule(), 100), sink).ok());
  for (uint64_t kills = 1; kills <= 2; ++kills) {
    sink->AwaitProgress([&](const JobProgress& progress) {
      return progress.usage.bursts >= 2 * kills && progress.running > 0;
    });
    const int64_t host = scheduler->Devices()[0].host_pid;
    ASSERT_GT(host, 0);
    ::kill(static_cast<pid_t>(host), SIGKILL);
    sink->AwaitProgress(
        [&](const JobProgress& progress) { return progress.usage.bursts > 2 * kills; });
  }
  EXPECT_EQ(Meanings(*sink), expected);
  uint32_t attempts = 1;
  for (const InstanceResult& result : sink->Results())
    attempts = std::max(attempts, result.attempt);
  EXPECT_GT(attempts, 1u);
  EXPECT_GE(scheduler->Devices()[0].restarts, 1u);
}

// A job whose instance n reads the word at byte n * 4099 of an input of so many bytes.
JobSpec InputReaders(uint64_t instances, size_t bytes) {
  static const auto module = ModuleOf(R"((module
    (import "wasmburst" "input_read" (func $read (param i32 i64 i32 i32) (result i32)))
    (memory 1)
    (func (export "run") (param $n i32) (result i32)
      (drop (call $read (i32.const 0)
          (i64.mul (i64.extend_i32_u (local.get $n)) (i64.const 4099)) (i32.const 3) (i32.const 4)))
      (i32.load (i32.const 3)))))");
  JobSpec spec = NumberJob(module, instances);
  ByteBlock block = ByteBlock::Of(bytes);
  for (size_t i = 0; i < bytes; ++i) block.bytes[i] = static_cast<uint8_t>(i * 7 + (i >> 8));
  Column input;
  input.kind = Column::Kind::kBytes;
  input.data = ColumnData::Strings(std::move(block), {bytes});
  spec.columns.push_back(std::move(input));
  spec.inputs = {1};
  return spec;
}

void ExpectRead(RecordingSink& sink, const JobSpec& spec) {
  sink.AwaitEnd();
  ASSERT_TRUE(sink.status().ok()) << sink.status().ToString();
  const ByteView bytes = spec.columns[1].BytesAt(0);
  ASSERT_EQ(sink.Results().size(), spec.instances);
  for (const InstanceResult& result : sink.Results()) {
    uint32_t word = 0;
    const size_t at = result.instance * 4099;
    for (size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
      word |= uint32_t{bytes[at + i]} << 8 * i;
    ASSERT_EQ(result.steps.at(0).values.at(0), Value::I32(word)) << result.instance;
  }
}

// One is copied into shared memory, the other is there.
TEST_F(EngineHostTest, AHostReadsAnInputThatItsDeviceKeepsAndSoDoesTheNextHost) {
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const size_t bytes : {size_t{300'001}, ByteBlock::kSharedFrom + 5}) {
    JobSpec spec = InputReaders(bytes / 4099 + 2, bytes);
    for (const Placement placement : {Placement::kCpu, Placement::kInterpreter, Placement::kCpu}) {
      spec.placement = placement;
      auto sink = std::make_shared<RecordingSink>();
      ASSERT_TRUE(scheduler->Submit(id++, spec, sink).ok());
      ExpectRead(*sink, spec);
      if (placement != Placement::kInterpreter) continue;
      ::kill(static_cast<pid_t>(scheduler->Devices()[0].host_pid), SIGKILL);
    }
  }
}

TEST_F(EngineHostTest, AJobThatMovesInMidRunGivesTheSameResults) {
  SchedulerSettings settings = Settings();
  settings.start_on_interpreter = true;
  settings.interpreter.burst_instances = 4;
  settings.interpreter.burst_max_duration = std::chrono::milliseconds(100);
  auto scheduler = CreateScheduler(settings).value();
  JobSpec spec = NumberJob(LongModule(), 400);
  auto moving = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(1, spec, moving).ok());
  const auto meanings = Meanings(*moving);
  spec.placement = Placement::kCpu;
  auto pinned = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(2, spec, pinned).ok());
  EXPECT_EQ(meanings, Meanings(*pinned));
  // Clang takes some tenths of a second, the interpreter some seconds for all.
  uint64_t moved = 0;
  for (const InstanceResult& result : moving->Results()) {
    moved += result.device == "cpu0" ? 1 : 0;
    EXPECT_EQ(result.attempt, 1u);
  }
  EXPECT_GT(moved, 0u);
  EXPECT_GT(scheduler->Devices()[1].bursts, 0u);
}

TEST_F(EngineHostTest, SlicesCutAJobIntoLaunchesAndChangeNoResult) {
  const auto meanings_of = [&](const SchedulerSettings& settings, uint64_t* bursts) {
    auto scheduler = CreateScheduler(settings).value();
    auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(scheduler->Submit(1, NumberJob(LongModule(), 3), sink).ok());
    auto meanings = Meanings(*sink);
    sink->AwaitProgress([&](const JobProgress& progress) {
      *bursts = progress.usage.bursts;
      return true;
    });
    return meanings;
  };
  SchedulerSettings settings = Settings();
  settings.cpu.burst_max_duration = std::chrono::hours(1);
  uint64_t whole = 0, cut = 0;
  const auto expected = meanings_of(settings, &whole);
  settings.cpu.slice_fuel = 1000000;  // an instance uses some 40 million
  EXPECT_EQ(meanings_of(settings, &cut), expected);
  EXPECT_EQ(expected.size(), 3u);
  EXPECT_EQ(whole, 1u);
  EXPECT_GE(cut, 20u);
}

TEST_F(EngineHostTest, AHostKilledWhileItCompilesIsNoticedAndReplaced) {
  auto scheduler = CreateScheduler(Settings()).value();
  auto sink = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(1, NumberJob(LongModule(), 4), sink).ok());
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.waiting_for.find("cpu0") != std::string::npos;
  });
  ::kill(static_cast<pid_t>(scheduler->Devices()[0].host_pid), SIGKILL);
  EXPECT_EQ(Meanings(*sink).size(), 4u);
}

TEST_F(EngineHostTest, AnEndlessInstanceStopsAtItsFuelAndOnCancel) {
  const auto module = ModuleOf(
      "(module (func (export \"run\") (param i32) (result i32) (loop $l (br $l)) (unreachable)))");
  auto scheduler = CreateScheduler(Settings()).value();
  JobSpec spec = NumberJob(module, 3);
  spec.limits.max_fuel = 1000000;
  auto sink = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(1, spec, sink).ok());
  sink->AwaitEnd();
  ASSERT_EQ(sink->Results().size(), 3u);
  EXPECT_EQ(sink->Results()[0].end, End::kOutOfFuel);

  spec.limits.max_fuel = kMaxFuel;
  auto endless = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(2, spec, endless).ok());
  endless->AwaitProgress([](const JobProgress& progress) { return progress.usage.bursts > 0; });
  scheduler->Cancel(2);
  endless->AwaitEnd();
  EXPECT_TRUE(endless->cancelled());
}

#ifdef __linux__
std::string StatusLine(int64_t pid, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.substr(0, name.size()) == name) return line.substr(name.size());
  }
  return "";
}

TEST_F(EngineHostTest, TheHostHasNothingThatIsNotItsOwn) {
  auto scheduler = CreateScheduler(Settings()).value();
  const int64_t host = scheduler->Devices()[0].host_pid;
  EXPECT_EQ(StatusLine(host, "NoNewPrivs:"), "\t1");
  EXPECT_EQ(::getsid(static_cast<pid_t>(host)), host);
  std::ifstream limits("/proc/" + std::to_string(host) + "/limits");
  std::string core;
  for (std::string line; std::getline(limits, line);) {
    if (line.rfind("Max core file size", 0) == 0) core = line;
  }
  EXPECT_NE(core.find(" 0 "), std::string::npos) << core;
  size_t sockets = 0;
  for (const auto& fd :
       std::filesystem::directory_iterator("/proc/" + std::to_string(host) + "/fd")) {
    std::error_code error;
    const std::string target = std::filesystem::read_symlink(fd.path(), error).string();
    sockets += target.rfind("socket:", 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(sockets, 1u);
}

TEST_F(EngineHostTest, TheInterpreterIsAsNiceAsTheCompilersThatItBridges) {
  auto scheduler = CreateScheduler(Settings()).value();
  const int own = ::getpriority(PRIO_PROCESS, 0);
  for (const DeviceStatus& device : scheduler->Devices()) {
    const bool nicer = device.info.engine == Engine::kInterpreter;
    EXPECT_EQ(::getpriority(PRIO_PROCESS, static_cast<id_t>(device.host_pid)),
              nicer ? std::min(own + 5, 19) : own);
  }
}
#endif

TEST_F(EngineHostTest, AMissingHostIsAnErrorThatNamesIt) {
  SchedulerSettings settings = Settings();
  settings.engine_host_path = folder_.path() + "/no-such-program";
  const auto scheduler = CreateScheduler(settings);
  ASSERT_FALSE(scheduler.ok());
  EXPECT_EQ(scheduler.status().reason(), Reason::kIoError);
  EXPECT_NE(scheduler.status().message().find("no-such-program"), std::string::npos);
  settings.engine_host_path = "/bin/true";  // ends at once
  EXPECT_EQ(CreateScheduler(settings).status().reason(), Reason::kIoError);
}

TEST_F(EngineHostTest, ANamedCompilerMustWorkAndAnUnnamedOneMayBeMissing) {
  SchedulerSettings settings = Settings();
  settings.compiler_path = folder_.path() + "/no-such-compiler";
  EXPECT_EQ(CreateScheduler(settings).status().reason(), Reason::kConfigInvalid);
}

}  // namespace
}  // namespace wb::test
