// DeviceLoop: small jobs of one module that share launches.

#include <algorithm>
#include <utility>

#include "scheduler/job/batch_key.h"
#include "scheduler/run/device_loop.h"

namespace wb {

void DeviceLoop::UsePipeline(DeviceJob& resident, PipelineRef pipeline) {
  std::shared_ptr<Batcher> batcher = BatcherOf(resident, pipeline);
  resident.SetPipeline({std::move(pipeline), ControllerOf(resident.state().prepared.key),
                        TunerOf(resident), std::move(batcher)},
                       device_->info());
}

// nullptr: its launches are its own.
std::shared_ptr<Batcher> DeviceLoop::BatcherOf(const DeviceJob& resident,
                                               const PipelineRef& pipeline) {
  const DeviceInfo& info = device_->info();
  const PreparedPipeline& prepared = resident.state().prepared;
  const JobPlan& plan = resident.job()->plan;
  if (!settings_.shares_launches) return nullptr;
  if (resident.job()->Left().waiting >= Batcher::Filling(settings_, info)) return nullptr;
  const auto key = ShareKeyOf(plan, {prepared.key, prepared.IsQuick(), prepared.fast32});
  if (!key) return nullptr;
  if (const std::weak_ptr<Batcher>* known = batchers_.Find(*key)) {
    if (std::shared_ptr<Batcher> batcher = known->lock()) return batcher;
  }
  auto batcher = std::make_shared<Batcher>(plan, pipeline, prepared.module->layout,
                                           ControllerOf(prepared.key), settings_, info, memory_);
  batchers_.Put(*key, batcher, 1);
  return batcher;
}

// Those who have not had a turn yet and run the same pipeline come along with who has one.
void DeviceLoop::GatherBatcher(const DeviceJob& leader) {
  if (leader.batcher() == nullptr) return;
  const PreparedPipeline& its = leader.state().prepared;
  for (const Resident& resident : jobs_) {
    const PreparedPipeline& prepared = resident->state().prepared;
    const bool is_new = !resident->state().pipeline && !resident->state().IsEnded();
    if (is_new && prepared.key == its.key && prepared.build == its.build) {
      UsePipeline(*resident, leader.state().pipeline);
    }
  }
}

std::vector<DeviceJob*> DeviceLoop::Aboard(const InFlightLaunch& launch) {
  if (launch.batch == nullptr) return {launch.resident};
  std::vector<DeviceJob*> jobs;
  for (const BatchMember* member : launch.batch->members) jobs.push_back(member->owner());
  return jobs;
}

Result<LaunchOutcome> DeviceLoop::CompleteShared(const InFlightLaunch& launch,
                                                 const LaunchReport& report) {
  const std::shared_ptr<Batcher> batcher = launch.resident->batcher();
  const BatchOutcome outcome = batcher->Complete(*launch.batch, launch.limits, report);
  if (!outcome.sound) return UnsoundRecord(id_);
  for (const BatchOutcome::CostShare& share : outcome.cost_shares)
    queue_.Charge(share.member->owner(), share.busy);
  batcher->DropIfIdle(*launch.batch, clock_.Now());
  LaunchOutcome burst;
  burst.busy = report.busy;
  burst.instances = outcome.instances;
  burst.fuel = outcome.fuel;
  burst.brought = outcome.brought;
  burst.ran = outcome.fuel_run;
  burst.useful = std::min(1.0, static_cast<double>(outcome.ran) / FullWidth(device_->info()));
  return burst;
}

}  // namespace wb
