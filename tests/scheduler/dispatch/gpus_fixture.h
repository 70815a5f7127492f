#pragma once

// A scheduler with two fake GPUs of 64 lanes that run at once, "cuda0" and "cuda1".

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {

class GpusTest : public SchedulerTest {
 protected:
  GpusTest() {
    has_gpu_ = true;
    gpus_ = {{}, true};
    settings_.cuda.burst_instances = 0;
    for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
      gpu->gpus = 2;
      gpu->target = "fake-gpu";
      gpu->threads = 64;
    }
  }

  SinkRef SubmitGpu(uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.placement = Placement::kGpu;
    return Submit(std::move(spec));
  }
  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    uint64_t count = 0;
    for (const InstanceResult& result : sink.Results()) count += result.device == device ? 1 : 0;
    return count;
  }
  static uint32_t MostAttempts(RecordingSink& sink) {
    uint32_t most = 0;
    for (const InstanceResult& result : sink.Results()) most = std::max(most, result.attempt);
    return most;
  }
  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const DeviceStatus& status : scheduler_->Devices()) ids.push_back(status.info.id);
    return ids;
  }
  void Order(const std::string& device, const GateOrder& order) {
    ASSERT_TRUE(scheduler_->OrderGate(device, order).ok());
  }
};

}  // namespace wb::test
