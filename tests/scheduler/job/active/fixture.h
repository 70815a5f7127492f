#pragma once

// What the tests of an active job share: a job over a sink that records, and its instances.

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "scheduler/job/active/active_job.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {

class ActiveJobTest : public ::testing::Test {
 protected:
  ActiveJobRef JobOf(uint64_t instances, uint64_t room, const JobLimits& limits = {},
                     std::shared_ptr<const JobBefore> before = nullptr) {
    sink_ = std::make_shared<RecordingSink>(room);
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.limits.max_total_time = limits.max_total_time;
    spec.limits.max_total_fuel = limits.max_total_fuel;
    spec.before = std::move(before);
    JobPlan plan = PlanJob(std::move(spec), {}).value();
    return std::make_shared<ActiveJob>(1, std::move(plan), sink_, clock_);
  }
  static std::vector<InstanceResult> ResultsOf(std::vector<InstanceRef> instances) {
    std::vector<InstanceResult> results(instances.size());
    for (size_t i = 0; i < instances.size(); ++i) results[i].instance = instances[i].instance;
    return results;
  }
  static std::vector<InstanceRef> InstancesOf(Claim claim) {
    std::vector<InstanceRef> instances;
    for (uint64_t i = 0; i < claim.size(); ++i) instances.push_back(claim.At(i));
    return instances;
  }

  static constexpr const char* kCpu = "cpu0";
  FakeClock clock_;
  std::shared_ptr<RecordingSink> sink_;
};

}  // namespace wb::test
