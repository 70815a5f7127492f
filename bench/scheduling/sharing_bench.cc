// 200 jobs of one instance each, of one module: sharing launches, and each with launches of its
// own. An iteration is both, in turns first. Both must give the same fuel.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/mandelbrot.h"
#include "bench/temporary_folder.h"
#include "compiler/base/mutex.h"
#include "scheduler/scheduler.h"

namespace wb::bench {
namespace {

constexpr uint32_t kJobs = 200;

// Of all the jobs of a round together.
class Round {
 public:
  void NoteEnd(const Status& status, const JobUsage& usage) {
    MutexLock lock(mutex_);
    ++ended_;
    fuel_ += usage.fuel;
    if (!status.ok()) failed_ = true;
    changed_.NotifyAll();
  }
  // Fuel of all; 0: one has failed.
  uint64_t Await() {
    MutexLock lock(mutex_);
    while (ended_ < kJobs) changed_.Wait(mutex_);
    return failed_ ? 0 : fuel_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  uint32_t ended_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t fuel_ WB_GUARDED_BY(mutex_) = 0;
  bool failed_ WB_GUARDED_BY(mutex_) = false;
};

class JobSink final : public ResultSink {
 public:
  explicit JobSink(std::shared_ptr<Round> round) : round_(std::move(round)) {}
  uint64_t Room() const override { return 1; }
  uint64_t Reserve(uint64_t instances) override { return instances; }
  void Release(uint64_t) override {}
  void OnEnded(const EndedRange&) override {}
  void OnResults(ResultBatch) override {}
  void OnProgress(const JobProgress&) override {}
  void OnEnd(Status status, bool, const JobUsage& usage) override {
    round_->NoteEnd(status, usage);
  }

 private:
  const std::shared_ptr<Round> round_;
};

class Runner {
 public:
  Runner(bool shares, uint32_t row, const std::string& cache) : row_(row) {
    SchedulerSettings settings;
    settings.cpu.shares_launches = shares;
    settings.engine_host_path = WB_BENCH_ENGINE_HOST;
    settings.cache_directory = cache;
    auto scheduler = CreateScheduler(settings);
    if (scheduler.ok()) scheduler_ = std::move(scheduler).value();
  }

  // Seconds for all jobs; 0: it failed.
  double Run() {
    if (!scheduler_) return 0;
    const auto round = std::make_shared<Round>();
    const uint64_t before = Launches();
    const auto start = std::chrono::steady_clock::now();
    for (uint32_t job = 0; job < kJobs; ++job) {
      JobSpec spec = MandelbrotJob(row_, kRows);
      spec.placement = Placement::kCpu;
      if (!scheduler_->Submit(++id_, std::move(spec), std::make_shared<JobSink>(round)).ok())
        return 0;
    }
    fuel_ = round->Await();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    launches_ = Launches() - before;
    return took.count();
  }
  uint64_t fuel() const { return fuel_; }
  uint64_t launches() const { return launches_; }

 private:
  uint64_t Launches() const {
    for (const DeviceStatus& device : scheduler_->Devices()) {
      if (device.info.engine == Engine::kCpu) return device.bursts;
    }
    return 0;
  }

  const uint32_t row_;
  std::unique_ptr<Scheduler> scheduler_;
  JobId id_ = 0;
  uint64_t fuel_ = 0;
  uint64_t launches_ = 0;
};

void BM_OneInstanceJobsShare(benchmark::State& state) {
  const TemporaryFolder cache;
  const auto row = static_cast<uint32_t>(state.range(0));
  Runner shared(true, row, cache.path());
  Runner apart(false, row, cache.path());
  shared.Run();  // also fills the pipeline cache
  apart.Run();
  std::vector<double> ratios;
  double shared_seconds = 0;
  double apart_seconds = 0;
  for (auto _ : state) {
    const bool apart_first = ratios.size() % 2 == 1;
    const double first = apart_first ? apart.Run() : shared.Run();
    const double second = apart_first ? shared.Run() : apart.Run();
    if (shared.fuel() == 0 || shared.fuel() != apart.fuel()) {
      return state.SkipWithError("A job failed, or a fuel count differs.");
    }
    shared_seconds += apart_first ? second : first;
    apart_seconds += apart_first ? first : second;
    ratios.push_back(apart_first ? first / second : second / first);
  }
  std::sort(ratios.begin(), ratios.end());
  const double jobs = kJobs * static_cast<double>(ratios.size());
  state.counters["times"] = ratios[ratios.size() / 2];
  state.counters["shared_jobs_s"] = jobs / shared_seconds;
  state.counters["apart_jobs_s"] = jobs / apart_seconds;
  state.counters["shared_launches"] = static_cast<double>(shared.launches());
  state.counters["apart_launches"] = static_cast<double>(apart.launches());
}
// A row at the picture's edge is short, one in the middle long.
BENCHMARK(BM_OneInstanceJobsShare)
    ->ArgName("row")
    ->Arg(0)
    ->Arg(512)
    ->Iterations(9)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wb::bench
