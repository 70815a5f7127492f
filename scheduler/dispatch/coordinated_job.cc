#include "scheduler/dispatch/coordinated_job.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

bool CoordinatedJob::IsOnDevice() const {
  return std::any_of(placements.begin(), placements.end(),
                     [](const auto& placement) { return placement.second.runs; });
}

void CoordinatedJob::SetReady(DeviceLoop* device, const BuiltPipeline& built) {
  PlacementState& placement = placements[device];
  placement.pipeline = PlacementState::Pipeline::kReady;
  placement.built = built;
}

const BuiltPipeline* CoordinatedJob::TargetPipeline() {
  if (target == nullptr) return nullptr;
  const std::optional<BuiltPipeline>& built = placements[target].built;
  return built ? &*built : nullptr;
}

CoordinatedJob& CoordinatedJobs::Add(const ActiveJobRef& job) { return jobs_[job]; }

CoordinatedJob* CoordinatedJobs::Find(const ActiveJobRef& job) {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? nullptr : &found->second;
}

CoordinatedJob& CoordinatedJobs::At(const ActiveJobRef& job) {
  CoordinatedJob* record = Find(job);
  WB_CHECK(record != nullptr);
  return *record;
}

PlacementState* CoordinatedJobs::PlacementOf(const ActiveJobRef& job, DeviceLoop* device) {
  CoordinatedJob* record = Find(job);
  return record == nullptr ? nullptr : &record->placements[device];
}

std::vector<ActiveJobRef> CoordinatedJobs::All() const {
  std::vector<ActiveJobRef> all;
  for (const auto& [job, record] : jobs_) all.push_back(job);
  return all;
}

void CoordinatedJobs::AskBack(const ActiveJobRef& job, DeviceLoop* device) {
  PlacementState& placement = At(job).placements[device];
  if (placement.runs && !std::exchange(placement.is_asked_back, true)) device->Evict(job);
}

JobAction CoordinatedJobs::Advance(const ActiveJobRef& job, JobEvent event) {
  CoordinatedJob* record = Find(job);
  if (record == nullptr) return JobAction::kNothing;
  const std::optional<Transition> next = Next(record->stage, event);
  WB_CHECK(next.has_value());
  record->stage = next->next;
  return next->action;
}

bool CoordinatedJobs::IsIn(const ActiveJobRef& job, JobStage stage) {
  const CoordinatedJob* record = Find(job);
  return record != nullptr && record->stage == stage;
}

bool CoordinatedJobs::IsHeld(const ActiveJobRef& job) {
  const CoordinatedJob* record = Find(job);
  return record != nullptr && wb::IsHeld(record->stage);
}

void ExplainPlacement(ActiveJob& job, std::string reason) {
  job.Record([&](JobProgress& progress) { progress.placement_reason = std::move(reason); });
}

}  // namespace wb
