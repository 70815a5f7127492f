#pragma once

// Small jobs of one module that come while its pipeline is loaded, so that they can share launches.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {

// Job number k counts from 1000 k, so a lane's number says whose instance it is.
class SharedBatchTest : public SchedulerTest {
 protected:
  SharedBatchTest() {
    cpu_.on_load = [this](ByteView) {
      while (held_) std::this_thread::yield();
      return Status();
    };
  }
  ~SharedBatchTest() override { held_ = false; }

  // With this engine in the place of `cpu_`.
  void StartOn(FakeEngine& engine) {
    device_ = &engine;
    SchedulerParts parts;
    parts.cpu = engine.Starter();
    parts.interpreter = interpreter_.Starter();
    parts.compiler = FakeCompiler();
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  static JobSpec Small(uint32_t number, uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.columns[0].start = Value::I32(number * 1000);
    return spec;
  }
  // The first has its turn, alone, when all others have come.
  std::vector<SinkRef> SubmitTogether(std::vector<JobSpec> specs) {
    std::vector<SinkRef> sinks;
    for (JobSpec& spec : specs) {
      sinks.push_back(Submit(std::move(spec)));
      while (device_->loads() == 0) std::this_thread::yield();
    }
    Release(specs.size());
    return sinks;
  }
  void Release(uint64_t jobs) {
    while (scheduler_->Devices()[0].jobs < jobs) std::this_thread::yield();
    held_ = false;
  }
  std::vector<SinkRef> SubmitSmall(uint32_t jobs, uint64_t instances) {
    std::vector<JobSpec> specs;
    for (uint32_t job = 0; job < jobs; ++job) specs.push_back(Small(job, instances));
    return SubmitTogether(std::move(specs));
  }
  static void ExpectJob(RecordingSink& sink, uint32_t number, uint64_t instances) {
    ExpectNumbers(sink, instances, number * 1000);
  }
  static std::chrono::nanoseconds TimeOf(const std::vector<SinkRef>& sinks) {
    std::chrono::nanoseconds time{};
    for (const SinkRef& sink : sinks) time += sink->usage().device_time;
    return time;
  }

  std::atomic<bool> held_{true};
  FakeEngine* device_ = &cpu_;
};

}  // namespace wb::test
