// What cutting a job into bursts costs: the whole picture in one burst and in bursts so short that
// there are about a hundred. No cooldown. Both must give the same bytes and the same fuel.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
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
  uint64_t Reserve(uint64_t instances) override { return instances; }
  void Release(uint64_t) override {}
  void OnEnded(const EndedRange&) override {}
  void OnResults(ResultBatch batch) override {
    std::vector<InstanceResult> results = batch.All();
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

// One scheduler with bursts of a length of its own, and what its last picture was.
class Runner {
 public:
  explicit Runner(std::chrono::milliseconds burst, const std::string& cache) {
    SchedulerSettings settings;
    settings.cpu.burst_max_duration = burst;
    settings.engine_host_path = WB_BENCH_ENGINE_HOST;
    settings.cache_directory = cache;
    auto scheduler = CreateScheduler(settings);
    status_ = scheduler.status();
    if (status_.ok()) scheduler_ = std::move(scheduler).value();
    spec_.placement = Placement::kCpu;
  }

  // Seconds.
  double Run() {
    if (!status_.ok()) return 0;
    const auto start = std::chrono::steady_clock::now();
    auto job = std::make_shared<WholeJob>();
    status_ = scheduler_->Submit(++id_, spec_, job);
    if (status_.ok()) digest_ = job->WaitForDigest();
    bursts_ = job->usage().bursts;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const Status& status() const { return status_; }
  const std::string& digest() const { return digest_; }
  uint64_t bursts() const { return bursts_; }

 private:
  Status status_;
  std::unique_ptr<Scheduler> scheduler_;
  JobSpec spec_ = MandelbrotJob(0, 1);
  JobId id_ = 0;
  std::string digest_;
  uint64_t bursts_ = 0;
};

// An iteration is the picture whole and the picture cut, one directly after the other and in turns
// first, so that a slow moment of the machine falls on both.
void BM_PictureInBursts(benchmark::State& state) {
  const TemporaryFolder cache;
  Runner whole(std::chrono::seconds(10), cache.path());
  Runner cut(std::chrono::milliseconds(state.range(0)), cache.path());
  whole.Run();  // also fills the pipeline cache
  cut.Run();
  std::vector<double> costs;
  double whole_seconds = 0;
  for (auto _ : state) {
    const bool cut_first = costs.size() % 2 == 1;
    const double first = cut_first ? cut.Run() : whole.Run();
    const double second = cut_first ? whole.Run() : cut.Run();
    const double ratio = cut_first ? first / second : second / first;
    whole_seconds += cut_first ? second : first;
    costs.push_back((ratio - 1) * 100);
    const bool failed = !whole.status().ok() || !cut.status().ok();
    if (failed || whole.digest() != cut.digest() || cut.digest().empty()) {
      return state.SkipWithError("A run failed, or a result or a fuel count differs.");
    }
  }
  std::sort(costs.begin(), costs.end());
  state.counters["cost_percent"] = costs[costs.size() / 2];
  state.counters["cost_low"] = costs.front();
  state.counters["cost_high"] = costs.back();
  state.counters["whole_ms"] = 1000 * whole_seconds / static_cast<double>(costs.size());
  state.counters["bursts"] = static_cast<double>(cut.bursts());
}
// 1.3 to 1.6 s on the machine it was written on, so 12 ms cut it into a hundred and more.
BENCHMARK(BM_PictureInBursts)
    ->ArgName("burst_ms")
    ->Arg(12)
    ->Iterations(5)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wb::bench
