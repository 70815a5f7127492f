#pragma once

// What the tests of collectives share: the functions of gpu_std, and jobs on real engine hosts.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {

struct Collective {
  std::string name;  // "quad_sum_f32"
  std::string type;  // of its value: "i32"
  bool shuffles = false;
};

// All of gpu_std but barrier, in the order in which the guest calls them.
inline std::vector<Collective> AllCollectives() {
  std::vector<Collective> all;
#define WB_GPU_STD(import, primitive, code, results, params) \
  if (Primitive::k##primitive == Primitive::kCollective) all.push_back({import, "i32", false});
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
  std::erase_if(all, [](const Collective& one) { return one.name == "barrier"; });
  for (Collective& one : all) {
    for (const char* type : {"i64", "f32", "f64"}) {
      if (one.name.ends_with(type)) one.type = type;
    }
    one.shuffles = one.name.find("shuffle") != std::string::npos ||
                   one.name.find("broadcast") != std::string::npos;
  }
  return all;
}

// The CPU device and the interpreter; WB_GROUP_GPU=1: a GPU and the interpreter.
inline bool OnGpu() { return std::getenv("WB_GROUP_GPU") != nullptr; }
inline std::vector<Placement> GroupPlacements() {
  return {OnGpu() ? Placement::kGpu : Placement::kCpu, Placement::kInterpreter};
}

// A number of the environment; `otherwise` where there is none.
inline uint64_t NumberOf(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// WB_GROUP_INSTANCES: further.
inline std::vector<uint64_t> GroupInstances() {
  std::vector<uint64_t> counts = {1, 31, 32, 33, 500};
  if (const uint64_t more = NumberOf("WB_GROUP_INSTANCES", 0)) counts.push_back(more);
  return counts;
}

class CollectivesTest : public ::testing::Test {
 protected:
  // Instances leave a launch when they have used so much fuel.
  SchedulerSettings Settings(uint64_t slice = uint64_t{1} << 62) {
    SchedulerSettings settings;
    settings.cpu.slice_fuel = settings.interpreter.slice_fuel = settings.cuda.slice_fuel = slice;
    settings.cuda_enabled = OnGpu();
    settings.engine_host_path = WB_ENGINE_HOST;
    settings.cache_directory = folder_.path() + "/cache";
    settings.start_on_interpreter = false;
    return settings;
  }

  static std::vector<InstanceResult> Run(Scheduler& scheduler, JobSpec spec, JobId id) {
    auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(scheduler.Submit(id, std::move(spec), sink).ok());
    sink->AwaitEnd();
    EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
    return sink->Results();
  }

  TemporaryFolder folder_;
};

}  // namespace wb::test
