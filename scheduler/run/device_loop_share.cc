// DeviceLoop: small jobs of one module that share launches.

#include <algorithm>
#include <utility>

#include "scheduler/job/coach_plan.h"
#include "scheduler/run/device_loop.h"

namespace wb {

void DeviceLoop::UsePipeline(ResidentJob& resident, PipelineRef pipeline) {
  std::shared_ptr<Crowd> crowd = CrowdOf(resident, pipeline);
  resident.set_pipeline(std::move(pipeline), ControllerOf(resident.prepared().key),
                        TunerOf(resident), std::move(crowd));
}

// nullptr: its launches are its own.
std::shared_ptr<Crowd> DeviceLoop::CrowdOf(const ResidentJob& resident,
                                           const PipelineRef& pipeline) {
  const DeviceInfo& info = device_->info();
  const PreparedPipeline& prepared = resident.prepared();
  const JobPlan& plan = resident.job()->plan;
  if (!settings_.shares_launches) return nullptr;
  if (resident.job()->Left().waiting >= Crowd::Filling(settings_, info)) return nullptr;
  const auto key = ShareKeyOf(plan, {prepared.key, prepared.IsQuick(), prepared.fast32});
  if (!key) return nullptr;
  if (const std::weak_ptr<Crowd>* known = crowds_.Find(*key)) {
    if (std::shared_ptr<Crowd> crowd = known->lock()) return crowd;
  }
  auto crowd = std::make_shared<Crowd>(plan, pipeline, prepared.module->layout,
                                       ControllerOf(prepared.key), settings_, info, memory_);
  crowds_.Put(*key, crowd, 1);
  return crowd;
}

// Those who have not had a turn yet and run the same pipeline come along with who has one.
void DeviceLoop::GatherCrowd(const ResidentJob& leader) {
  if (leader.crowd() == nullptr) return;
  const PreparedPipeline& its = leader.prepared();
  for (const Resident& resident : residents_) {
    const PreparedPipeline& prepared = resident->prepared();
    const bool is_new = !resident->pipeline() && !resident->IsEnded();
    if (is_new && prepared.key == its.key && prepared.build == its.build) {
      UsePipeline(*resident, leader.pipeline());
    }
  }
}

std::vector<ResidentJob*> DeviceLoop::Aboard(const Flight& flight) {
  if (flight.coach != nullptr) return flight.coach->riders;
  return {flight.resident};
}

Result<ResidentJob::Burst> DeviceLoop::LandCoach(const Flight& flight, const LaunchReport& report) {
  const std::shared_ptr<Crowd> crowd = flight.resident->crowd();
  const Crowd::Arrival arrival = crowd->Land(*flight.coach, flight.limits, report);
  if (!arrival.sound) return UnsoundRecord(id_);
  for (const Crowd::Fare& fare : arrival.fares) queue_.Charge(fare.rider, fare.busy);
  crowd->DropIfIdle(*flight.coach, clock_.Now());
  ResidentJob::Burst burst;
  burst.busy = report.busy;
  burst.instances = arrival.instances;
  burst.fuel = arrival.fuel;
  burst.brought = arrival.brought;
  burst.ran = arrival.fuel_run;
  burst.useful = std::min(1.0, static_cast<double>(arrival.ran) / FullWidth(device_->info()));
  return burst;
}

}  // namespace wb
