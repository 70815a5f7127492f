#pragma once

// A scheduler on devices that do as the test says and time that it moves.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "scheduler/scheduler_parts.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_device.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {

using SinkRef = std::shared_ptr<RecordingSink>;
inline constexpr uint64_t kMuch = uint64_t{1} << 40;

class SchedulerTest : public ::testing::Test {
 protected:
  SchedulerTest() {
    settings_.cache_directory = folder_.path() + "/cache";
    settings_.cache_key_folder = folder_.path() + "/state";
    settings_.cpu.burst_instances = 64;
    settings_.start_on_interpreter = false;  // or an instance's device would be chance
  }

  void Start(CompilerCalls compiler = FakeCompiler()) {
    SchedulerParts parts;
    parts.cpu = cpu_.Starter();
    if (has_gpu_) {
      parts.gpus.starter = [this](uint32_t ordinal) { return gpu(ordinal).Starter(); };
    }
    parts.gpus.choice = gpus_;
    parts.interpreter = interpreter_.Starter();
    parts.compiler = std::move(compiler);
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }

  SinkRef Submit(JobSpec spec, uint64_t room = kMuch) {
    auto sink = std::make_shared<RecordingSink>(room);
    EXPECT_TRUE(scheduler_->Submit(next_id_++, std::move(spec), sink).ok());
    return sink;
  }
  SinkRef SubmitNumbers(uint64_t instances, uint64_t room = kMuch) {
    return Submit(NumberJob(NumberModule(), instances), room);
  }
  FakeEngine& gpu(uint32_t ordinal) { return ordinal == 0 ? cuda_ : cuda1_; }
  void Wake() { scheduler_->RoomChanged(1); }

  // Whose columns count from `first`.
  static void ExpectNumbers(RecordingSink& sink, uint64_t instances, uint32_t first = 0) {
    sink.AwaitEnd();
    EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
    const auto results = sink.Results();
    ASSERT_EQ(results.size(), instances);
    for (uint32_t i = 0; i < instances; ++i) {
      ASSERT_EQ(results[i].instance, i);
      ASSERT_EQ(results[i].end, End::kReturned);
      ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(first + i + 1));
    }
    EXPECT_EQ(sink.ends(), 1u);
    EXPECT_FALSE(sink.overflowed());
  }

  TemporaryFolder folder_;
  FakeClock clock_;
  FakeEngine cpu_{Engine::kCpu};
  FakeEngine cuda_{Engine::kCuda};
  FakeEngine interpreter_{Engine::kInterpreter};
  FakeEngine cuda1_{Engine::kCuda, uint64_t{1} << 30, 1};
  bool has_gpu_ = false;
  GpuChoice gpus_{{0}, true};
  SchedulerSettings settings_;
  std::unique_ptr<Scheduler> scheduler_;
  JobId next_id_ = 1;
};

// A compiler that works until it is told to be done.
class SlowBuild {
 public:
  auto operator()() {
    return [finished = finished_](const KernelSource&) -> Result<Bytes> { return finished.get(); };
  }
  void Finish(Result<Bytes> outcome = Bytes{1}) { finish_.set_value(std::move(outcome)); }

 private:
  std::promise<Result<Bytes>> finish_;
  std::shared_future<Result<Bytes>> finished_ = finish_.get_future().share();
};

// Moves time whenever a device waits to be started, until the test is over.
class Pusher {
 public:
  explicit Pusher(FakeClock& clock)
      : thread_([this, &clock] {
          while (!done_) {
            // Slowly enough that an engine that restarts meanwhile is not found to be late.
            clock.Advance(std::chrono::milliseconds(50));
            std::this_thread::sleep_for(std::chrono::microseconds(200));
          }
        }) {}
  ~Pusher() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace wb::test
