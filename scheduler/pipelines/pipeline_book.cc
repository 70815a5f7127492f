#include "scheduler/pipelines/pipeline_book.h"

#include <algorithm>

#include "compiler/wasm/module.h"

namespace wb {
namespace {

std::vector<Digest> ModulesOf(const Module& module) {
  std::vector<Digest> modules = {module.digest()};
  for (const LinkedInstance& instance : module.instances) modules.push_back(instance.digest);
  return modules;
}

}  // namespace

PipelineBook::Entry* PipelineBook::Find(const PreparedPipeline& prepared) {
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.key == prepared.key && entry.effort == prepared.effort();
  });
  return at == entries_.end() ? nullptr : &*at;
}

void PipelineBook::RecordLoaded(const PreparedPipeline& prepared, const PipelineFacts& facts,
                                uint32_t processors) {
  const MutexLock lock(mutex_);
  Entry entry;
  if (Entry* known = Find(prepared)) {
    entry = std::move(*known);
    entries_.erase(entries_.begin() + (known - entries_.data()));
  }
  entry.key = prepared.key;
  entry.effort = prepared.effort();
  entry.modules = ModulesOf(*prepared.module->program.module);
  entry.status.build = prepared.build;
  entry.status.is_best = prepared.is_best;
  entry.status.fast32 = prepared.fast32;
  entry.status.facts = facts;
  entry.status.processors = processors;
  entries_.push_back(std::move(entry));
  if (entries_.size() > kMost) entries_.erase(entries_.begin());
}

void PipelineBook::RecordOccupancy(const PreparedPipeline& prepared, const Occupancy& occupancy) {
  const MutexLock lock(mutex_);
  if (Entry* entry = Find(prepared)) entry->status.occupancy = occupancy;
}

std::chrono::nanoseconds PipelineBook::RecordLaunch(const PreparedPipeline& prepared,
                                                    const Launch& launch) {
  const MutexLock lock(mutex_);
  Entry* entry = Find(prepared);
  if (entry == nullptr) return launch.busy;
  PipelineStatus& status = entry->status;
  ++status.launches;
  status.fuel += launch.fuel;
  status.busy += launch.busy;
  status.lane_fuel.Add(launch.lane_fuel);
  return status.busy;
}

std::vector<PipelineStatus> PipelineBook::Of(const Digest& module) const {
  const MutexLock lock(mutex_);
  std::vector<PipelineStatus> found;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    const auto& modules = entry->modules;
    if (std::find(modules.begin(), modules.end(), module) != modules.end())
      found.push_back(entry->status);
  }
  return found;
}

}  // namespace wb
