#include "scheduler/run/device_job.h"

#include <map>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"

namespace wb {

DeviceJob::~DeviceJob() {
  DropDispatches();
  LeaveBatcher();
}

void DeviceJob::SetPipeline(LoadedPipeline loaded, const DeviceInfo& info) {
  state_.pipeline = std::move(loaded.pipeline);
  state_.controller = std::move(loaded.controller);
  state_.touched = std::move(loaded.touched);
  own_.SetUp(info, std::move(loaded.tuner));
  LeaveBatcher();
  batcher_ = std::move(loaded.batcher);
  if (batcher_ != nullptr) batcher_->Join(member_);
}

void DeviceJob::LeaveBatcher() {
  if (batcher_ == nullptr) return;
  member_.Leave();
  batcher_->Leave(member_);
  batcher_.reset();
}

// A job without company has a dispatch of its own, and keeps it until no instance is left for it.
// Instances under which an engine died, or that need more than others, are launched by themselves.
bool DeviceJob::Shares() const {
  if (member_.batch() != nullptr) return true;
  return batcher_ != nullptr && batcher_->size() > 1 && own_.seats().Any({}) == nullptr;
}

bool DeviceJob::HasWork(SeatClass seat_class, uint64_t waiting) const {
  if (seat_class != SeatClass{} || !Shares()) return own_.HasWork(seat_class, waiting);
  if (member_.batch() != nullptr) return !member_.in_flight();
  return waiting > 0 && batcher_->HasPlace();
}

bool DeviceJob::CanGo(TimePoint now) const {
  if (state_.IsEnded()) return true;
  if (state_.IsExpired(now)) return HasSeated() || state_.job->HasWaiting();
  if (now < delay_.until()) return false;
  if (own_.seats().HasWaiting()) return true;
  if (member_.batch() != nullptr && !member_.in_flight()) return true;
  if (!state_.MaySeat()) return false;
  for (const auto& [seat_class, waiting] : state_.job->Waiting(state_.device)) {
    if (HasWork(seat_class, waiting)) return true;
  }
  return false;
}

// Classes take turns, so that the few instances that need more memory run beside the many.
std::optional<SeatClass> DeviceJob::NextClass() const {
  std::map<SeatClass, uint64_t> classes;
  for (const SeatSets::Entry& entry : own_.seats().entries()) classes[entry.seat_class] = 0;
  if (member_.batch() != nullptr) classes[SeatClass{}] = 0;
  if (state_.MaySeat()) {
    for (const auto& [seat_class, waiting] : state_.job->Waiting(state_.device)) {
      classes[seat_class] = waiting;
    }
  }
  std::optional<SeatClass> first;
  for (const auto& [seat_class, waiting] : classes) {
    if (!HasWork(seat_class, waiting)) continue;
    if (!last_class_ || seat_class > *last_class_) return seat_class;
    if (!first) first = seat_class;
  }
  return first;
}

bool DeviceJob::NextIsSuspect() const {
  const std::optional<SeatClass> seat_class = NextClass();
  return seat_class && seat_class->deaths > 0;
}

Result<DeviceJob::Turn> DeviceJob::Next(Device& device, TimePoint now, const LaunchTimes& times) {
  const std::optional<SeatClass> seat_class = NextClass();
  if (!seat_class) return Turn();
  if (*seat_class == SeatClass{} && Shares()) return NextShared(device, now, times);
  const auto deadline = state_.job->limits.deadline();
  if (deadline && *deadline - now <= times.ahead) return Turn();  // over before it begins
  WB_ASSIGN(SeatSets::Entry * entry, own_.Fill(device, *seat_class));
  if (entry == nullptr) return Turn();
  last_class_ = *seat_class;
  if (entry->seats.taken_seats() == 0) return Turn();  // another device was quicker
  return Turn{entry, nullptr, own_.LimitsOf(*entry, now, times)};
}

// Without a place in a batch the job goes on by itself, as a job without company.
Result<DeviceJob::Turn> DeviceJob::NextShared(Device& device, TimePoint now,
                                              const LaunchTimes& times) {
  last_class_ = SeatClass{};
  WB_ASSIGN(SharedBatch * batch, batcher_->Fill(member_, device, now));
  if (batch == nullptr) {
    LeaveBatcher();
    return Turn();
  }
  return Turn{nullptr, batch, batcher_->LimitsOf(*batch, now, times)};
}

Result<uint64_t> DeviceJob::ExportLanes(Device& device, const Migration& migration) {
  WB_ASSIGN(const uint64_t fuel, own_.states().ExportLanes(device, migration));
  WB_ASSIGN(const uint64_t shared, member_.ExportLanes(device, migration));
  return AddBounded(fuel, shared);
}

Result<uint64_t> DeviceJob::KeepStates(Device& device, StateKeeper& keeper) {
  WB_ASSIGN(const uint64_t kept, own_.states().KeepStates(device, keeper));
  WB_ASSIGN(const uint64_t shared, member_.KeepStates(device, keeper));
  return kept + shared;
}

Status DeviceJob::AdoptPipeline(Device& device) {
  for (SeatSets::Entry& entry : own_.entries()) {
    WB_TRY(device.Adopt(entry.seats.dispatch(), state_.pipeline));
  }
  return {};
}

void DeviceJob::SwapPipeline(PreparedPipeline pipeline) {
  DropDispatches();
  LeaveBatcher();
  state_.prepared = std::move(pipeline);
  state_.pipeline.reset();
}

void DeviceJob::DropDispatches() {
  own_.Drop();
  member_.Leave();
}

bool DeviceJob::DropIdleDispatches() {
  const bool dropped_batches = batcher_ != nullptr && batcher_->DropIdle();
  return own_.DropIdle() || dropped_batches;
}

void DeviceJob::Expire() {
  DropDispatches();
  state_.job->limits.EndOver();
}

void DeviceJob::LoseDevice(const Dispatch* blamed) {
  std::vector<InstanceResult> failed;
  own_.Abandon(blamed, failed);
  if (SharedBatch* batch = member_.batch()) {
    const bool is_blamed = &batch->seats.dispatch() == blamed;
    state_.StartAgain(member_.Abandon(), is_blamed, failed);
  }
  LeaveBatcher();
  state_.pipeline.reset();
  DropDispatches();
  if (!failed.empty()) {
    state_.job->Record([](JobProgress& progress) {
      progress.usage.failures = "Instances failed because the engine died " +
                                Quoted(uint64_t{kMaxAttempts}) +
                                " times while it ran them, the last time with nobody else seated.";
    });
  }
  state_.job->Deliver(state_.device, ResultBatch(failed));
}

}  // namespace wb
