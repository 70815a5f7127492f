// A GPU's faults through the real scheduler and a real engine host: a kernel that writes to memory
// that is not allocated, one that hangs past its bound, a host killed in mid-launch. Each must end
// with the device shown unhealthy, its host replaced, every result there once and right, and a good
// job afterwards.
//
//   gpu_faults [--patience SECONDS] HOST [killed|illegal|hang]...
//     HOST        wasmburst-engine; all three faults unless named
//     --patience  how long a host that hangs is waited for, in place of a minute
//
// The kernels are the job's own text with the fault put in (tampered_device.h), built and loaded as
// any other. With fake_gpu_host in place of HOST the GPU is this machine's processor: there an
// illegal access ends the host by a signal, where a GPU's driver gives an error; all else is the
// same, and a hang keeps a processor busy for that long. No bound of its own: run it under
// `timeout`.

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/engine_host/start_remote_device.h"
#include "scheduler/scheduler_parts.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/engine_host/tampered_device.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;
constexpr uint32_t kInstances = 60'000;
constexpr uint32_t kStruck = 40'000;  // results are there when its launch begins
constexpr uint32_t kRounds = 2000;
constexpr const char* kGpu = "cuda0";

// `salt` makes a module of its own, whose pipeline no other has loaded.
std::shared_ptr<const Module> WorkingModule(uint32_t salt) {
  return ModuleOf(R"((module
    (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
      loop $l
        local.get $sum i32.const 31 i32.mul local.get $n i32.add local.get $i i32.xor
        local.set $sum
        local.get $i i32.const 1 i32.add local.tee $i i32.const )" +
                  std::to_string(kRounds) + R"( i32.lt_u br_if $l
      end
      local.get $sum i32.const )" +
                  std::to_string(salt) + " i32.add))");
}

uint32_t Expected(uint32_t n, uint32_t salt) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < kRounds; ++i) sum = (sum * 31 + n) ^ i;
  return sum + salt;
}

class Rig {
 public:
  Rig(const std::string& host, std::chrono::seconds patience) {
    SchedulerSettings settings;
    settings.cache_directory = folder_.path() + "/cache";
    settings.start_on_interpreter = false;
    settings.cpu_enabled = false;
    settings.log = [](Severity, const std::string& line) {
      std::fprintf(stderr, "%s\n", line.c_str());
    };
    SchedulerParts parts;
    const auto start = [host, patience,
                        plan = plan_](std::function<void()> on_lost) -> Result<StartedDevice> {
      EngineHostSettings engine;
      engine.program = host;
      engine.engine = Engine::kCuda;
      engine.id = kGpu;
      engine.patience = patience;
      WB_ASSIGN(StartedDevice started, StartRemoteDevice(engine, std::move(on_lost)));
      return WithFaults(std::move(started), plan);
    };
    parts.gpus = GpuParts::One("cuda", start);
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      StartedDevice started;
      started.device = CreateInterpreterDevice({.id = "interpreter0", .threads = 1});
      return started;
    };
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &SystemClock();
    opened_ = AssembleScheduler(settings, std::move(parts));
  }

  Status status() const { return opened_.status(); }
  FaultPlan& plan() { return *plan_; }
  std::shared_ptr<RecordingSink> Submit(uint32_t salt) {
    auto sink = std::make_shared<RecordingSink>();
    JobSpec spec = NumberJob(WorkingModule(salt), kInstances);
    spec.placement = Placement::kGpu;
    const Status submitted = (*opened_)->Submit(next_id_++, std::move(spec), sink);
    if (!submitted.ok()) sink->OnEnd(submitted, false, {});
    return sink;
  }
  DeviceStatus Gpu() const {
    for (DeviceStatus& status : (*opened_)->Devices()) {
      if (status.info.id == kGpu) return status;
    }
    return {};
  }

 private:
  TemporaryFolder folder_;
  const std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  Result<std::unique_ptr<Scheduler>> opened_ = Status(Reason::kInternal, "not opened");
  JobId next_id_ = 1;
};

// Sees whether the device is ever shown unhealthy.
class HealthWatch {
 public:
  explicit HealthWatch(const Rig& rig)
      : thread_([this, &rig] {
          while (!over_) {
            if (!rig.Gpu().healthy) seen_ = true;
            std::this_thread::sleep_for(milliseconds(1));
          }
        }) {}
  ~HealthWatch() {
    over_ = true;
    thread_.join();
  }
  bool SawUnhealthy() const { return seen_; }

 private:
  std::atomic<bool> over_{false}, seen_{false};
  std::thread thread_;
};

bool Check(bool good, const std::string& words) {
  if (!good) std::printf("  NOT: %s\n", words.c_str());
  return good;
}

// Every instance has one result, and it is right.
bool AllRight(RecordingSink& sink, uint32_t salt) {
  bool good = Check(sink.status().ok(), "the job ended well: " + sink.status().ToString());
  const std::vector<InstanceResult> results = sink.Results();
  good = Check(sink.ends() == 1, "one end") && good;
  good = Check(results.size() == kInstances,
               "as many results as instances: " + std::to_string(results.size())) &&
         good;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < results.size(); ++i) {
    const InstanceResult& result = results[i];
    const bool right = result.instance == i && result.end == End::kReturned &&
                       result.steps.size() == 1 && result.steps[0].values.size() == 1 &&
                       result.steps[0].values[0] == Value::I32(Expected(i, salt)) &&
                       result.device == kGpu;
    wrong += right ? 0 : 1;
  }
  return Check(wrong == 0, std::to_string(wrong) + " results are lost, doubled or wrong") && good;
}

void KillInMidLaunch(Rig& rig, RecordingSink& sink) {
  sink.AwaitResults(1000);
  while (rig.Gpu().state != "bursting") std::this_thread::yield();
  ::kill(static_cast<pid_t>(rig.Gpu().host_pid), SIGKILL);
}

bool RunFault(Rig& rig, const std::string& name, uint32_t salt) {
  const auto begin = std::chrono::steady_clock::now();
  const DeviceStatus before = rig.Gpu();
  rig.plan().instance = kStruck;
  if (name == "illegal") rig.plan().next = Fault::kIllegalAccess;
  if (name == "hang") rig.plan().next = Fault::kHang;
  bool good = true;
  {
    const HealthWatch watch(rig);
    const auto struck = rig.Submit(salt);
    if (name == "killed") KillInMidLaunch(rig, *struck);
    struck->AwaitEnd();
    good = AllRight(*struck, salt);
    uint32_t again = 0;
    for (const InstanceResult& result : struck->Results()) again += result.attempt > 1 ? 1 : 0;
    good = Check(again > 0 && again < kInstances,
                 "some instances ran again, and not all: " + std::to_string(again)) &&
           good;
    good = Check(watch.SawUnhealthy(), "the device was shown unhealthy") && good;
  }
  const DeviceStatus after = rig.Gpu();
  good = Check(after.restarts > before.restarts && after.host_pid != before.host_pid,
               "another host took over") &&
         good;
  const auto next = rig.Submit(salt + 1);
  next->AwaitEnd();
  good = AllRight(*next, salt + 1) && good;
  good = Check(rig.Gpu().healthy && rig.Gpu().restarts == after.restarts,
               "healthy after a good job") &&
         good;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%s: %s (%.1f s)\n", name.c_str(), good ? "contained" : "FAILED", took.count());
  std::fflush(stdout);
  return good;
}

int Usage() {
  std::fprintf(stderr, "usage: gpu_faults [--patience SECONDS] HOST [killed|illegal|hang]...\n");
  return 2;
}

std::optional<std::chrono::seconds> WholeSeconds(const std::string& word) {
  int seconds = 0;
  const char* end = word.data() + word.size();
  const auto [read, error] = std::from_chars(word.data(), end, seconds);
  if (error != std::errc() || read != end || seconds < 1 || seconds > 3600) return std::nullopt;
  return std::chrono::seconds(seconds);
}

int Main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::chrono::seconds patience{60};
  if (words.size() >= 2 && words[0] == "--patience") {
    const std::optional<std::chrono::seconds> given = WholeSeconds(words[1]);
    if (!given) {
      std::fprintf(stderr, "gpu_faults: --patience takes whole seconds from 1 to 3600, not [%s]\n",
                   words[1].c_str());
      return Usage();
    }
    patience = *given;
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) return Usage();
  const std::string host = words[0];
  std::vector<std::string> faults(words.begin() + 1, words.end());
  const std::vector<std::string> known = {"killed", "illegal", "hang"};
  if (faults.empty()) faults = known;
  for (const std::string& fault : faults) {
    if (std::find(known.begin(), known.end(), fault) == known.end()) return Usage();
  }
  Rig rig(host, patience);
  if (!rig.status().ok()) {
    std::fprintf(stderr, "gpu_faults: %s\n", rig.status().ToString().c_str());
    return 1;
  }
  std::printf("%s\n", rig.Gpu().info.name.c_str());
  bool good = true;
  uint32_t salt = 0;
  for (const std::string& fault : faults) good = RunFault(rig, fault, salt += 10) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace wb::test

int main(int argc, char** argv) { return wb::test::Main(argc, argv); }
