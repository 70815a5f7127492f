#include "scheduler/dispatch/wait_board.h"

#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

std::string CompilerOf(const DeviceLoop* device) {
  return "the compiler of the device " + Quoted(device->id());
}

}  // namespace

bool WaitBoard::Enter(const ActiveJobRef& job) {
  const JobSpec& spec = job->plan.spec;
  {
    MutexLock lock(mutex_);
    if (starts_.Enter(job, spec.tenant, spec.priority, job->tenant.max_running_jobs)) return true;
  }
  const std::vector<WaitReason> waits = WaitsOf(job);
  job->Publish([&waits](JobProgress& progress) { progress.waiting_for = waits.front().words; });
  return false;
}

std::vector<ActiveJobRef> WaitBoard::Leave(const ActiveJobRef& job) {
  std::vector<ActiveJobRef> may_start;
  MutexLock lock(mutex_);
  starts_.Leave(job, [&may_start](const ActiveJobRef& next) { may_start.push_back(next); });
  return may_start;
}

void WaitBoard::WaitForCompiler(const ActiveJobRef& job) {
  StartWait(job, "the compiler", nullptr);
}

void WaitBoard::WaitForCompilerOf(const ActiveJobRef& job, const DeviceLoop* device) {
  StartWait(job, CompilerOf(device), device);
}

void WaitBoard::WaitForRetry(const ActiveJobRef& job, const DeviceLoop* device, uint32_t tries,
                             const Status& why) {
  StartWait(job,
            CompilerOf(device) + ", which is tried again after " + Quoted(uint64_t{tries}) +
                " faults of the machine: " + why.message(),
            device);
}

void WaitBoard::StartWait(const ActiveJobRef& job, std::string words, const DeviceLoop* device) {
  Record(job, words, device);
  job->Publish([&](JobProgress& progress) {
    progress.phase = JobPhase::kCompiling;
    progress.waiting_for = std::move(words);
  });
}

void WaitBoard::WaitForDevice(const ActiveJobRef& job, const DeviceLoop* device) {
  Record(job, "", device);
}

// The time counts from when it began to wait for this.
void WaitBoard::Record(const ActiveJobRef& job, std::string compiler, const DeviceLoop* device) {
  MutexLock lock(mutex_);
  Wait& wait = waits_[job];
  if (wait.compiler != compiler || wait.compiler.empty()) wait.since = clock_.Now();
  wait.compiler = std::move(compiler);
  wait.device = device;
}

void WaitBoard::EndWait(const ActiveJobRef& job) {
  MutexLock lock(mutex_);
  waits_.erase(job);
}

std::vector<WaitReason> WaitBoard::WaitsOf(const ActiveJobRef& job) const {
  std::vector<WaitReason> waits;
  const DeviceLoop* device = nullptr;
  {
    MutexLock lock(mutex_);
    const auto standing = starts_.Of(job);
    if (standing.waits) {
      waits.push_back(WaitForTenant(job->plan.spec.tenant, standing.under_way, standing.before));
    }
    if (const auto wait = waits_.find(job); wait != waits_.end()) {
      device = wait->second.device;
      if (!wait->second.compiler.empty()) {
        const auto waited = clock_.Now() - wait->second.since;
        waits.push_back(wb::WaitForCompiler(wait->second.compiler, waited));
      }
    }
  }
  if (device == nullptr) return waits;
  for (WaitReason& reason : device->Waits()) waits.push_back(std::move(reason));
  return waits;
}

}  // namespace wb
