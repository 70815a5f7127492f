// DeviceJob: who leaves before his end: given out, put off, out of time, or lost with the engine.

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/run/device_job.h"

namespace wb {
namespace {

InstanceResult EndedBy(End end, const InstanceRef& instance) {
  InstanceResult result;
  result.instance = instance.instance;
  result.attempt = instance.attempt;
  result.end = end;
  return result;
}

}  // namespace

DeviceJob::~DeviceJob() {
  DropDispatches();
  LeaveBatcher();
}

MovingTerms DeviceJob::TermsOf(const Moving& moving) const {
  return {prepared_.module->layout,
          prepared_.fast32,
          moving.fuel_per_s,
          moving.rule,
          moving.budget,
          moving.clock};
}

Result<uint64_t> DeviceJob::ExportWaiting(Device& device, SeatSets::Entry& entry,
                                          const Moving& moving) {
  const DispatchShape& shape = entry.seats.shape();
  const auto& memories = prepared_.module->program.memories;
  const bool grows = std::any_of(memories.begin(), memories.end(),
                                 [](const ir::Memory& memory) { return memory.grows; });
  // Most launches need not look at their records for this.
  if (!grows || shape.FirstPages() >= shape.max_pages) return uint64_t{0};
  if (entry.seat_class.deaths > 0) return uint64_t{0};  // as below
  return entry.seats.ExportLanes(device, TermsOf(moving), entry.seats.WaitingForMemory());
}

Result<uint64_t> DeviceJob::ExportLanes(Device& device, const Moving& moving) {
  const MovingTerms terms = TermsOf(moving);
  uint64_t fuel = 0;
  for (SeatSets::Entry& entry : seats_.entries()) {
    // Those under whom an engine died have no part in this: what they take along may be why.
    if (entry.in_flight || entry.seat_class.deaths > 0) continue;
    WB_ASSIGN(const uint64_t more, entry.seats.ExportLanes(device, terms, entry.seats.Taken()));
    fuel = AddBounded(fuel, more);
  }
  if (batch_ != nullptr && !batch_->in_flight) {
    WB_ASSIGN(const uint64_t more, batch_->seats.ExportLanes(device, terms, shared_seats_));
    fuel = AddBounded(fuel, more);
  }
  return fuel;
}

void DeviceJob::SwapPipeline(PreparedPipeline pipeline) {
  DropDispatches();
  LeaveBatcher();
  prepared_ = std::move(pipeline);
  pipeline_.reset();
}

void DeviceJob::DropDispatches() {
  for (SeatSets::Entry& entry : seats_.entries()) {
    job_->RecordLeftFuel(std::exchange(entry.seated, {}).fuel);
    job_->Unseat(device_, entry.seats.Abandon());
    entry.in_flight = false;
  }
  seats_.DropIdle();
  Alight();
}

bool DeviceJob::DropIdleDispatches() {
  const bool its_batchers = batcher_ != nullptr && batcher_->DropIdle();
  return seats_.DropIdle() || its_batchers;
}

void DeviceJob::Expire() {
  DropDispatches();
  job_->EndOver();
}

std::optional<InstanceResult> DeviceJob::ResultOfLoss(InstanceRef& instance, bool blamed) const {
  instance.moved.reset();
  instance.brought = 0;
  if (blamed && ++instance.seat_class.deaths >= kMaxAttempts) {
    return EndedBy(End::kFailed, instance);
  }
  ++instance.attempt;
  return std::nullopt;
}

void DeviceJob::StartAgain(std::vector<InstanceRef> instances, bool blamed,
                           std::vector<InstanceResult>& failed) {
  std::vector<InstanceRef> again;
  for (InstanceRef& instance : instances) {
    std::optional<InstanceResult> result = ResultOfLoss(instance, blamed);
    if (result) {
      failed.push_back(std::move(*result));
    } else {
      again.push_back(instance);
    }
  }
  job_->Unseat(device_, again);
}

void DeviceJob::LoseDevice(const Dispatch* blamed) {
  std::vector<InstanceResult> failed;
  for (SeatSets::Entry& entry : seats_.entries()) {
    StartAgain(entry.seats.Abandon(), &entry.seats.dispatch() == blamed, failed);
  }
  if (batch_ != nullptr) {
    const bool is_blamed = &batch_->seats.dispatch() == blamed;
    StartAgain(AbandonSharedBatch(), is_blamed, failed);
  }
  LeaveBatcher();
  pipeline_.reset();
  DropDispatches();
  if (!failed.empty()) {
    job_->Record([](JobProgress& progress) {
      progress.usage.failures = "Instances failed because the engine died " +
                                Quoted(uint64_t{kMaxAttempts}) +
                                " times while it ran them, the last time with nobody else seated.";
    });
  }
  job_->Deliver(device_, std::move(failed));
}

}  // namespace wb
