#pragma once

// What the tests of collectives share: the functions of gpu_std, and jobs on real engine hosts.

#include <gtest/gtest.h>

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

class CollectivesTest : public ::testing::Test {
 protected:
  SchedulerSettings Settings() {
    SchedulerSettings settings;
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
