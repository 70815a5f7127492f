#include "tests/daemon/fake_scheduler.h"

#include <algorithm>
#include <utility>

#include "tests/daemon/fake_program.h"

namespace wb {
namespace {

Value ValueOf(const Operand& operand, const JobSpec& spec, uint64_t instance) {
  if (operand.source == Operand::Source::kColumn) {
    return spec.columns[operand.column].At(instance);
  }
  return operand.value;
}

bool Spins(const JobSpec& spec) {
  const auto* call = std::get_if<CallStep>(&spec.steps[0]);
  return call != nullptr && call->function == "spin";
}

}  // namespace

InstanceResult FakeInstance(const JobSpec& spec, uint64_t instance) {
  InstanceResult result;
  result.instance = instance;
  result.fuel = 3;
  result.memory_pages = 1;
  result.device = "fake0";
  for (const Step& step : spec.steps) {
    const auto* call = std::get_if<CallStep>(&step);
    if (call != nullptr && call->function == "_start") RunFakeProgram(spec, &result);
    if (result.end != End::kReturned) return result;
    StepResult step_result;
    if (call != nullptr && call->function == "trap") {
      result.end = End::kTrapped;
      result.trap = Trap::kUnreachable;
      result.trap_function = 1;
      result.trap_offset = 42;
      return result;
    }
    if (call != nullptr) {
      for (const Operand& arg : call->args) {
        step_result.values.push_back(ValueOf(arg, spec, instance));
      }
      if (call->function == "bytes") {
        result.outputs.push_back(
            {"out", Bytes(step_result.values[0].words[0], static_cast<uint8_t>(instance))});
      }
    }
    result.steps.push_back(step_result);
  }
  return result;
}

FakeScheduler::FakeScheduler(uint64_t results_at_a_time, double per_second)
    : results_at_a_time_(results_at_a_time), per_second_(per_second), thread_([this] { Run(); }) {}

FakeScheduler::~FakeScheduler() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status FakeScheduler::Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) {
  std::lock_guard lock(mutex_);
  if (!refusal_.ok()) return std::exchange(refusal_, Status());
  auto job = std::make_unique<Job>();
  job->id = id;
  job->spec = std::move(spec);
  if (const JobBefore* before = job->spec.before.get()) {
    job->rest = before->finished.Missing(job->spec.instances);
    job->fuel = before->fuel;
  } else {
    job->rest = {{0, job->spec.instances}};
  }
  last_before_ = job->spec.before;
  job->sink = std::move(sink);
  jobs_[id] = std::move(job);
  ++wakes_;
  changed_.notify_all();
  return {};
}

void FakeScheduler::KeepRest(const Job& job, StateKeeper& keeper) {
  InstanceSet waiting;
  for (const InstanceRange& range : job.rest) waiting.Add(range.first, range.count);
  JobBefore before;
  before.attempt = 1;
  for (const InstanceRange& range : waiting.Missing(job.spec.instances)) {
    before.finished.Add(range.first, range.count);
  }
  keeper.OnLeft(before);
  for (const InstanceRange& range : waiting.ranges()) {
    for (uint64_t i = range.first; i < range.first + range.count; ++i) {
      MovedLane lane;
      lane.image.record.resize(abi::RECORD_REGISTERS);
      lane.image.record[abi::RECORD_FUEL_LO] = kFakeFuel;
      lane.image.state = {static_cast<uint32_t>(i)};
      lane.fuel = kFakeFuel;
      (void)keeper.Keep({i, 1, {1}, lane, 0});
    }
  }
}

Status FakeScheduler::Checkpoint(JobId id, StateKeeperRef keeper) {
  {
    const std::lock_guard lock(mutex_);
    const auto job = jobs_.find(id);
    if (job == jobs_.end()) return Status(Reason::kNotFound, "The job has ended.");
    KeepRest(*job->second, *keeper);
  }
  Cancel(id);
  return {};
}

std::shared_ptr<const JobBefore> FakeScheduler::last_before() const {
  const std::lock_guard lock(mutex_);
  return last_before_;
}

void FakeScheduler::Cancel(JobId id) {
  std::lock_guard lock(mutex_);
  auto at = jobs_.find(id);
  if (at != jobs_.end()) at->second->cancelled = true;
  ++wakes_;
  changed_.notify_all();
}

void FakeScheduler::RoomChanged(JobId) {
  std::lock_guard lock(mutex_);
  ++wakes_;
  changed_.notify_all();
}

// Of jobs that have not ended: behind the first.
std::vector<WaitReason> FakeScheduler::Waits(JobId id) const {
  std::lock_guard lock(mutex_);
  if (jobs_.count(id) == 0) return {};
  WaitReason reason = WaitForTurn("fake0", {{jobs_.begin()->first}, {}, 0});
  reason.left = std::chrono::seconds(5);
  return {reason};
}

std::vector<DeviceStatus> FakeScheduler::Devices() const {
  DeviceStatus status;
  status.info.id = "fake0";
  status.info.name = "a device of the tests";
  status.info.threads = 1;
  status.info.engine = Engine::kCpu;
  status.state = "idle";
  std::lock_guard lock(mutex_);
  status.host_pid = host_pid_;
  status.gate = gate_.gate();
  status.jobs = jobs_.size();
  if (gate_.deadline()) status.drain_left = *gate_.deadline() - TimePoint();
  return {status};
}

Result<GateChange> FakeScheduler::OrderGate(const std::string& device, const GateOrder& order) {
  if (device != "fake0") return Status(Reason::kNotFound, "There is no such device.");
  bool changed = false;
  {
    std::lock_guard lock(mutex_);
    changed = gate_.Apply(order, TimePoint());
  }
  return GateChange{Devices()[0], changed};
}

// Of every module it has the same, whether a job of it ran or not.
Result<std::vector<PipelineStatus>> FakeScheduler::Pipelines(const std::string& device,
                                                             const Digest&) const {
  if (device != "fake0") return Status(Reason::kNotFound, "There is no such device.");
  PipelineStatus quick;
  quick.build = KernelBuild::kQuick;
  PipelineStatus full;
  full.build = KernelBuild::kFull;
  full.facts = {.code_bytes = 5000,
                .registers = 96,
                .local_bytes = 24,
                .shared_bytes = 0,
                .block_threads = 128,
                .lanes_per_processor = 640};
  full.processors = 4;
  full.occupancy = Occupancy{.lanes = 1024, .block_threads = 64, .few_registers = false};
  full.launches = 3;
  full.fuel = 9000;
  full.busy = std::chrono::milliseconds(2);
  full.lane_fuel = {.useful = 750, .resident = 1000};
  PipelineStatus best;
  best.build = KernelBuild::kFull;
  best.is_best = true;
  return std::vector<PipelineStatus>{full, quick, best};
}

std::vector<CacheEntry> FakeScheduler::CacheList() const {
  CacheEntry entry;
  entry.key = std::string(64, 'a');
  entry.module = std::string(64, 'b');
  entry.target = "fake";
  entry.bytes = 1000;
  return {entry};
}

CacheStats FakeScheduler::CacheStatus() const {
  CacheStats stats;
  stats.bytes = 1000;
  return stats;
}

Result<uint64_t> FakeScheduler::CachePrune(bool all) { return uint64_t{all ? 1000u : 0u}; }

void FakeScheduler::Drain(std::chrono::nanoseconds deadline, const KeeperOf& keeper_of) {
  std::unique_lock lock(mutex_);
  draining_ = true;
  auto empty = [this] { return jobs_.empty(); };
  if (changed_.wait_for(lock, deadline, empty)) return;
  for (auto& [id, job] : jobs_) {
    const StateKeeperRef keeper = keeper_of ? keeper_of(id) : nullptr;
    if (keeper != nullptr) KeepRest(*job, *keeper);
    job->cancelled = true;
  }
  ++wakes_;
  changed_.notify_all();
  changed_.wait(lock, empty);
}

void FakeScheduler::Hold() {
  std::lock_guard lock(mutex_);
  held_ = true;
}

void FakeScheduler::Release() {
  std::lock_guard lock(mutex_);
  held_ = false;
  ++wakes_;
  changed_.notify_all();
}

void FakeScheduler::HasHost(int64_t process) {
  std::lock_guard lock(mutex_);
  host_pid_ = process;
}

void FakeScheduler::RefuseNext(Status status) {
  std::lock_guard lock(mutex_);
  refusal_ = std::move(status);
}

std::vector<InstanceResult> FakeScheduler::RunSome(Job* job, uint64_t count) {
  std::vector<InstanceResult> results;
  for (uint64_t i = 0; i < count; ++i) {
    InstanceRange& range = job->rest.front();
    results.push_back(FakeInstance(job->spec, range.first));
    if (job->spec.before != nullptr) results.back().attempt = job->spec.before->attempt;
    job->fuel += results.back().fuel;
    range = {range.first + 1, range.count - 1};
    if (range.count == 0) job->rest.erase(job->rest.begin());
  }
  return results;
}

// A wait that was too long is made up for, unless the device had nothing to do.
void FakeScheduler::TakeTime(uint64_t count) {
  if (per_second_ <= 0) return;
  constexpr std::chrono::milliseconds kIdle{100};
  const std::chrono::duration<double> time(static_cast<double>(count) / per_second_);
  const auto now = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  due_ = (due_ < now - kIdle ? now : due_) +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
  changed_.wait_until(lock, due_, [this] { return stopping_; });
}

// One round of a job, without the lock while the sink is called.
void FakeScheduler::Step(Job* job, std::unique_lock<std::mutex>* lock) {
  bool cancelled = job->cancelled;
  lock->unlock();
  bool spins = Spins(job->spec);
  uint64_t left = 0;
  for (const InstanceRange& range : job->rest) left += range.count;
  const uint64_t wanted = spins || cancelled ? 0 : std::min(left, results_at_a_time_);
  uint64_t count = job->sink->Reserve(wanted);
  JobUsage usage;
  bool ended = cancelled || (!spins && left == 0);
  if (!ended) {
    JobProgress progress;
    progress.phase = JobPhase::kRunning;
    progress.device = "fake0";
    progress.placement_reason = "It is the only device.";
    progress.running = spins ? left : 0;
    job->sink->OnProgress(progress);
    if (!spins && count > 0) {
      TakeTime(count);
      job->sink->OnResults(RunSome(job, count));
    }
  }
  usage.fuel = job->fuel;
  usage.bursts = 1;
  if (ended) job->sink->OnEnd({}, cancelled, usage);
  lock->lock();
  if (ended) {
    jobs_.erase(job->id);
    changed_.notify_all();
  } else if (!spins && count > 0) {
    ++wakes_;
  }
}

void FakeScheduler::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    uint64_t seen = wakes_;
    if (!held_) {
      std::vector<Job*> jobs;
      for (auto& [id, job] : jobs_) jobs.push_back(job.get());
      for (Job* job : jobs) Step(job, &lock);
    }
    changed_.wait(lock, [&] { return stopping_ || wakes_ != seen; });
  }
}

}  // namespace wb
