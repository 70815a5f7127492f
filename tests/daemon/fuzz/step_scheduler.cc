#include "tests/daemon/fuzz/step_scheduler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scheduler/job/host_calls/host_call_queue.h"

namespace wb {
namespace {

constexpr uint64_t kAtOnce = 7;  // instances of a job

bool Spins(const JobSpec& spec) {
  const auto* call = std::get_if<CallStep>(&spec.steps[0]);
  return call != nullptr && call->function == "spin";
}

StepResult ResultOf(const Module& module, const CallStep& call, uint64_t instance) {
  StepResult result;
  for (const Export& exported : module.exports) {
    if (exported.kind != ExternKind::kFunction || exported.name != call.function) continue;
    for (const ValueType type : module.types[module.functions[exported.index].type].results) {
      result.values.push_back({type, {static_cast<uint32_t>(instance), 1, 2, 3}});
    }
    break;
  }
  return result;
}

void AddOutputs(const JobSpec& spec, InstanceResult* result) {
  for (const std::string& stream : spec.streams) {
    result->outputs.push_back({stream, Bytes(result->instance % 50, 'x')});
  }
  for (const Step& step : spec.steps) {
    const auto* read = std::get_if<ReadStep>(&step);
    if (read != nullptr) result->outputs.push_back({read->output, Bytes(9, 0xff)});
  }
}

InstanceResult RunOne(const JobSpec& spec, uint64_t instance) {
  InstanceResult result;
  result.instance = instance;
  result.fuel = 3 + instance % 2;
  result.device = "fuzz0";
  if (instance % 5 == 3) {
    result.end = End::kTrapped;
    result.trap = Trap::kUnreachable;
    result.trap_function = static_cast<uint32_t>(instance % 3);
    result.trap_offset = 42;
    result.backtrace = {{result.trap_function, 42, ""}, {7, 1'000'000, "lib"}};
    return result;
  }
  for (const Step& step : spec.steps) {
    const auto* call = std::get_if<CallStep>(&step);
    result.steps.push_back(call == nullptr ? StepResult()
                                           : ResultOf(*spec.module, *call, instance));
  }
  AddOutputs(spec, &result);
  return result;
}

// One call of the first instance.
void Ask(const JobSpec& spec) {
  HostCall call;
  for (const ValueType type : spec.host_imports[0].type.params) call.args.push_back({type, {1}});
  for (size_t i = 0; i < spec.host_imports[0].bytes.size(); ++i) call.bytes.push_back(Bytes(5, 0));
  spec.host_calls->Ask({call});
}

}  // namespace

Status StepScheduler::Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) {
  Job job;
  job.spec = std::move(spec);
  job.sink = std::move(sink);
  if (job.spec.before != nullptr) job.next = job.spec.before->finished.count();
  if (job.spec.host_calls != nullptr) job.spec.host_calls->Open([](std::vector<HostAnswer>) {});
  jobs_[id] = std::move(job);
  return {};
}

Status StepScheduler::Checkpoint(JobId id, StateKeeperRef keeper) {
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return Status(Reason::kNotFound, "The job has ended.");
  JobBefore before;
  before.finished.Add(0, at->second.next);
  before.attempt = 1;
  keeper->OnLeft(before);
  Cancel(id);
  return {};
}

void StepScheduler::Cancel(JobId id) {
  const auto at = jobs_.find(id);
  if (at != jobs_.end()) at->second.cancelled = true;
}

std::vector<WaitReason> StepScheduler::Waits(JobId id) const {
  if (jobs_.count(id) == 0) return {};
  return {WaitForTurn("fuzz0", {{jobs_.begin()->first}, {}, 0})};
}

std::vector<DeviceStatus> StepScheduler::Devices() const {
  DeviceStatus status;
  status.info.id = "fuzz0";
  status.state = "idle";
  status.gate = gate_.gate();
  status.jobs = jobs_.size();
  return {status};
}

Result<GateChange> StepScheduler::OrderGate(const std::string& device, const GateOrder& order) {
  if (device != "fuzz0") return Status(Reason::kNotFound, "There is no such device.");
  const bool changed = gate_.Apply(order, TimePoint());
  return GateChange{Devices()[0], changed};
}

Result<std::vector<PipelineStatus>> StepScheduler::Pipelines(const std::string& device,
                                                             const Digest&) const {
  if (device != "fuzz0") return Status(Reason::kNotFound, "There is no such device.");
  return std::vector<PipelineStatus>(1);
}

void StepScheduler::Drain(std::chrono::nanoseconds, const KeeperOf&) {
  for (auto& [id, job] : jobs_) job.cancelled = true;
  Step();
}

bool StepScheduler::Advance(Job* job) {
  const JobSpec& spec = job->spec;
  const bool spins = Spins(spec);
  if (spec.host_calls != nullptr && !std::exchange(job->has_asked, true)) Ask(spec);
  uint64_t wanted = std::min(kAtOnce, spec.instances - job->next);
  if (spins || job->cancelled) wanted = 0;
  std::vector<InstanceResult> results;
  for (uint64_t left = job->sink->Reserve(wanted); left > 0; --left) {
    results.push_back(RunOne(spec, job->next++));
    job->fuel += results.back().fuel;
  }
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.device = "fuzz0";
  progress.placement_reason = "It is the only device.";
  job->sink->OnProgress(progress);
  if (!results.empty()) job->sink->OnResults(results);
  if (!job->cancelled && (spins || job->next < spec.instances)) return false;
  if (spec.host_calls != nullptr) spec.host_calls->Close();
  JobUsage usage;
  usage.fuel = job->fuel;
  usage.bursts = 1;
  job->sink->OnEnd({}, job->cancelled, usage);
  return true;
}

void StepScheduler::Step() {
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    at = Advance(&at->second) ? jobs_.erase(at) : std::next(at);
  }
}

}  // namespace wb
