#include "daemon/store/durable/open_jobs.h"

namespace wb {
namespace {

ResultLimits LimitsOf(uint64_t max_bytes) {
  ResultLimits limits;
  limits.max_bytes = max_bytes;
  limits.max_job_bytes = max_bytes / 4;
  return limits;
}

}  // namespace

OpenJobs::OpenJobs(uint64_t max_bytes) : ledger_(LimitsOf(max_bytes)) {}

void OpenJobs::Add(const JobInfo& job, const JobUsage& before) {
  const MutexLock lock(mutex_);
  Job& open = jobs_[job.id];
  open.number = job.number;
  open.memory =
      std::make_unique<ResultAccount>(&ledger_, job.request->tenant, job.request->most_result_bytes,
                                      job.request->most_part_bytes, job.request->group);
  open.before = before;
}

void OpenJobs::Erase(const std::string& id) {
  const MutexLock lock(mutex_);
  jobs_.erase(id);
}

ResultAccount* OpenJobs::MemoryOf(const std::string& id) const {
  const auto at = jobs_.find(id);
  return at == jobs_.end() ? nullptr : at->second.memory.get();
}

uint64_t OpenJobs::Room(const std::string& id) const {
  const MutexLock lock(mutex_);
  const ResultAccount* memory = MemoryOf(id);
  return memory == nullptr ? 0 : memory->Room();
}

uint64_t OpenJobs::Reserve(const std::string& id, uint64_t instances) {
  const MutexLock lock(mutex_);
  ResultAccount* memory = MemoryOf(id);
  return memory == nullptr ? 0 : memory->Reserve(instances);
}

void OpenJobs::Release(const std::string& id, uint64_t instances) {
  const MutexLock lock(mutex_);
  if (ResultAccount* memory = MemoryOf(id)) memory->Release(instances);
}

uint64_t OpenJobs::WholeRoom(const std::string& id) const {
  const MutexLock lock(mutex_);
  const ResultAccount* memory = MemoryOf(id);
  return memory == nullptr ? 0 : memory->WholeRoom();
}

uint64_t OpenJobs::Widen(const std::string& id, uint64_t instances) {
  const MutexLock lock(mutex_);
  ResultAccount* memory = MemoryOf(id);
  return memory == nullptr ? 0 : memory->Widen(instances);
}

void OpenJobs::Narrow(const std::string& id, uint64_t instances) {
  const MutexLock lock(mutex_);
  if (ResultAccount* memory = MemoryOf(id)) memory->Narrow(instances);
}

JobId OpenJobs::Free(const std::string& id, const ResultBatch& results) {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return 0;
  ResultAccount& memory = *at->second.memory;
  const bool was_full = memory.Room() == 0 || memory.WholeRoom() == 0;
  const uint64_t held = results.held_bytes();
  memory.Arrive(results.size(), held, results.largest());
  memory.MakeSpare(held);
  memory.DropSpare(held);
  return was_full ? at->second.number : 0;
}

JobUsage OpenJobs::WholeUsage(const std::string& id, JobUsage usage) const {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return usage;
  // The scheduler's fuel has that of earlier daemons in it.
  const JobUsage& before = at->second.before;
  usage.bursts += before.bursts;
  usage.lost_states += before.lost_states;
  usage.device_time += before.device_time;
  usage.quick_compile_time += before.quick_compile_time;
  usage.full_compile_time += before.full_compile_time;
  usage.lane_fuel.Add(before.lane_fuel);
  if (before.joules) usage.joules = usage.joules.value_or(0) + *before.joules;
  return usage;
}

}  // namespace wb
