// What cutting a job into bursts costs: the whole picture in bursts of the usual length and in
// bursts so short that there are about a hundred. No cooldown. Every run must give the same bytes
// and the same fuel as the first.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bench/mandelbrot.h"
#include "bench/temporary_folder.h"
#include "compiler/base/digest.h"
#include "scheduler/scheduler.h"

namespace wb::bench {
namespace {

// Keeps everything and wakes who waits for the end.
class WholeJob : public ResultSink {
 public:
  uint64_t Room() const override { return kRows; }
  void OnResults(std::vector<InstanceResult> results) override {
    std::lock_guard lock(mutex_);
    std::move(results.begin(), results.end(), std::back_inserter(results_));
  }
  void OnProgress(const JobProgress&) override {}
  void OnEnd(Status status, bool, const JobUsage& usage) override {
    std::lock_guard lock(mutex_);
    status_ = std::move(status);
    usage_ = usage;
    ended_ = true;
    changed_.notify_all();
  }

  // Of all that an instance gave, in the order of instances.
  std::string WaitForDigest() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
    if (!status_.ok()) return status_.ToString();
    std::sort(results_.begin(), results_.end(),
              [](const auto& a, const auto& b) { return a.instance < b.instance; });
    DigestBuilder digest;
    for (const InstanceResult& result : results_) {
      digest.Add(result.fuel).Add(static_cast<uint64_t>(result.end));
      for (const Output& output : result.outputs) digest.Add(ByteView(output.bytes));
    }
    return digest.Finish().Hex();
  }
  const JobUsage& usage() const { return usage_; }  // after WaitForDigest

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  Status status_;
  JobUsage usage_;
  std::vector<InstanceResult> results_;
};

void BM_PictureInBursts(benchmark::State& state) {
  SchedulerSettings settings;
  settings.cpu.burst_max_duration = std::chrono::milliseconds(state.range(0));
  settings.engine_host_path = WB_BENCH_ENGINE_HOST;
  static const TemporaryFolder cache;
  settings.cache_directory = cache.path();
  auto scheduler = CreateScheduler(settings);
  if (!scheduler.ok()) return state.SkipWithError(scheduler.status().ToString().c_str());

  static std::string expected;
  JobSpec spec = MandelbrotJob(0, 1);
  spec.placement = Placement::kCpu;
  JobId id = 0;
  uint64_t bursts = 0;
  auto run = [&] {
    auto job = std::make_shared<WholeJob>();
    Status status = (*scheduler)->Submit(++id, spec, job);
    if (!status.ok()) return status.ToString();
    std::string digest = job->WaitForDigest();
    bursts = job->usage().bursts;
    return digest;
  };
  if (expected.empty()) expected = run();  // also fills the pipeline cache
  run();
  for (auto _ : state) {
    if (run() != expected) return state.SkipWithError("A result or a fuel count differs.");
  }
  state.counters["bursts"] = static_cast<double>(bursts);
}
// 2 s on one thread of the machine it was written on, so 10 ms cut it into 100 and more.
BENCHMARK(BM_PictureInBursts)
    ->ArgName("burst_ms")
    ->Arg(10'000)
    ->Arg(10)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wb::bench
