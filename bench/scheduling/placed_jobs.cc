#include "bench/scheduling/placed_jobs.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "compiler/base/mutex.h"

namespace wb::bench {
namespace {

using Steady = std::chrono::steady_clock;

class TimedSink final : public ResultSink {
 public:
  uint64_t Room() const override { return uint64_t{1} << 40; }
  uint64_t Reserve(uint64_t instances) override { return instances; }
  void Release(uint64_t) override {}
  void OnEnded(const EndedRange&) override {}
  void OnResults(ResultBatch batch) override {
    MutexLock lock(mutex_);
    if (batch.count(End::kReturned) != batch.size()) run_.error = "An instance did not return.";
    run_.arrivals.push_back({Elapsed(), batch.At(0).device, batch.size()});
  }
  void OnProgress(const JobProgress& progress) override {
    MutexLock lock(mutex_);
    run_.reason = progress.placement_reason;
  }
  void OnEnd(Status status, bool, const JobUsage&) override {
    {
      MutexLock lock(mutex_);
      run_.seconds = Elapsed();
      if (!status.ok()) run_.error = status.ToString();
      ended_ = true;
    }
    changed_.NotifyAll();
  }
  PlacedRun Await() {
    MutexLock lock(mutex_);
    while (!ended_) changed_.Wait(mutex_);
    return run_;
  }

 private:
  double Elapsed() const { return std::chrono::duration<double>(Steady::now() - begin_).count(); }

  const Steady::time_point begin_ = Steady::now();
  Mutex mutex_;
  CondVar changed_;
  PlacedRun run_ WB_GUARDED_BY(mutex_);
  bool ended_ WB_GUARDED_BY(mutex_) = false;
};

Bytes ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// run(seed, rounds), the seed being the instance's number.
JobSpec JobOf(std::shared_ptr<const Module> module, const GuestWork& guest, uint64_t instances) {
  JobSpec spec;
  spec.module = std::move(module);
  spec.instances = instances;
  Column seeds;
  seeds.kind = Column::Kind::kRange;
  seeds.start = Value::I32(1);
  seeds.step = Value::I32(1);
  spec.columns.push_back(seeds);
  Operand seed;
  seed.source = Operand::Source::kColumn;
  Operand rounds;
  rounds.source = Operand::Source::kConstant;
  rounds.value = Value::I32(static_cast<int32_t>(guest.rounds));
  CallStep call;
  call.function = "run";
  call.args = {seed, rounds};
  spec.steps.push_back(call);
  return spec;
}

}  // namespace

PlacedJobs::PlacedJobs(const std::string& cache) {
  SchedulerSettings settings;
  settings.engine_host_path = WB_BENCH_ENGINE_HOST;
  settings.cache_directory = cache;
  auto scheduler = CreateScheduler(settings);
  error_ = scheduler.ok() ? "" : scheduler.status().ToString();
  if (scheduler.ok()) scheduler_ = std::move(scheduler).value();
}

PlacedRun PlacedJobs::Run(const GuestWork& guest, uint64_t instances, Placement placement) {
  PlacedRun failed;
  failed.error = error_;
  if (!scheduler_) return failed;
  const std::string path = std::string(WB_BENCH_GUESTS) + "/" + guest.name + ".wasm";
  auto module = Module::Decode(ReadFile(path));
  if (!module.ok()) return {0, {}, {}, path + ": " + module.status().ToString()};
  JobSpec spec = JobOf(*std::move(module), guest, instances);
  spec.placement = placement;
  const auto sink = std::make_shared<TimedSink>();
  const Status submitted = scheduler_->Submit(++id_, std::move(spec), sink);
  if (!submitted.ok()) return {0, {}, {}, submitted.ToString()};
  return sink->Await();
}

}  // namespace wb::bench
