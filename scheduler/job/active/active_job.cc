#include "scheduler/job/active/active_job.h"

#include <algorithm>
#include <utility>

#include "scheduler/job/host_calls/host_call_queue.h"

namespace wb {

void ActiveJob::LeaveTo(StateKeeperRef keeper) {
  MutexLock lock(keeper_mutex_);
  if (keeper_ == nullptr) keeper_ = std::move(keeper);
}

StateKeeperRef ActiveJob::keeper() const {
  MutexLock lock(keeper_mutex_);
  return keeper_;
}

bool ActiveJob::AllFinished() const {
  MutexLock lock(ledger_.mutex);
  return ledger_.AllFinished();
}

std::optional<uint64_t> ActiveJob::HeldUpByReader() const {
  MutexLock lock(ledger_.mutex);
  if (ledger_.seats.seated() > 0 || ledger_.backlog.size() == 0) return std::nullopt;
  bool may = false;
  for (const SeatClass seat_class : ledger_.backlog.classes()) may = may || MaySeat(seat_class);
  if (may && Room() > 0) return std::nullopt;
  return ledger_.progress.finished;
}

bool ActiveJob::MaySeat(SeatClass seat_class) const {
  if (seat_class.whole_result) return ledger_.sink->WholeRoom() > 0;
  return ledger_.backlog.outgrown() < kMostOutgrown;
}

WholeRoomRef ActiveJob::TakeWholeRoom() const {
  std::vector<WholeRoomRef> rooms = WholeRoom::Take(ledger_.sink, 1);
  return rooms.empty() ? nullptr : std::move(rooms[0]);
}

// In whole groups; a job may be one that is not whole.
uint64_t ActiveJob::Room() const {
  const uint64_t room = ledger_.sink->Room();
  return room >= plan.spec.instances ? room : room / plan.group * plan.group;
}

bool ActiveJob::HasWaiting() const {
  MutexLock lock(ledger_.mutex);
  return ledger_.backlog.size() > 0 || ledger_.calls.asking() > 0;
}

void ActiveJob::Join(const std::string& device) {
  MutexLock lock(ledger_.mutex);
  ledger_.seats.Join(device, ledger_.clock.Now());
  ledger_.progress.device = ledger_.seats.Names();
  devices_.store(static_cast<uint32_t>(ledger_.seats.devices()));
}

void ActiveJob::Leave(const std::string& device) {
  MutexLock lock(ledger_.mutex);
  ledger_.seats.Leave(device);
  if (ledger_.seats.devices() > 0) ledger_.progress.device = ledger_.seats.Names();
  devices_.store(static_cast<uint32_t>(ledger_.seats.devices()));
}

void ActiveJob::SetPace(const std::string& device, const Worker& pace) {
  MutexLock lock(ledger_.mutex);
  ledger_.seats.SetPace(device, pace, ledger_.clock.Now());
}

void ActiveJob::SetTaking(const std::string& device, bool takes) {
  MutexLock lock(ledger_.mutex);
  ledger_.seats.SetTaking(device, takes);
}

uint64_t ActiveJob::ShareOf(const std::string& device) const {
  const uint64_t waiting = ledger_.backlog.size();
  if (ledger_.seats.devices() < 2) return waiting;
  return ledger_.seats.Allowance(device, waiting, ledger_.clock.Now());
}

Backlog::Sizes ActiveJob::Waiting(const std::string& device) const {
  MutexLock lock(ledger_.mutex);
  Backlog::Sizes sizes;
  uint64_t left = ShareOf(device);
  for (const auto& [seat_class, count] : ledger_.backlog.sizes()) {
    if (!MaySeat(seat_class)) continue;
    const uint64_t share = std::min(count, left);
    left -= share;
    if (share > 0) sizes.emplace_back(seat_class, share);
  }
  return sizes;
}

// No less than a group, where it is something.
uint64_t ActiveJob::WholeGroup(uint64_t instances) const {
  return instances == 0 ? 0 : std::max<uint64_t>(instances, plan.group);
}

Claim ActiveJob::Seat(const std::string& device, SeatClass seat_class, uint64_t at_most) {
  MutexLock lock(ledger_.mutex);
  const uint64_t most = ledger_.meter.MostSeated();
  const uint64_t affordable = WholeGroup(most - std::min(most, ledger_.seats.seated()));
  const uint64_t share = WholeGroup(ShareOf(device));
  const uint64_t wanted = std::min({at_most, share, affordable, MostOfClass(seat_class)});
  uint64_t granted = wanted == 0 || !MaySeat(seat_class) ? 0 : ledger_.sink->Reserve(wanted);
  std::vector<WholeRoomRef> rooms;
  if (seat_class.whole_result && granted > 0) {
    rooms = WholeRoom::Take(ledger_.sink, granted);
    if (rooms.size() < granted) ledger_.sink->Release(granted - rooms.size());
    granted = rooms.size();
  }
  Claim claim = ledger_.backlog.Take(seat_class, granted);
  if (claim.size() < granted) ledger_.sink->Release(granted - claim.size());
  if (seat_class.whole_result) claim.GiveRooms(std::move(rooms));
  ledger_.seats.Seat(device, claim.size(), ledger_.clock.Now());
  uint64_t moved = 0;  // from now on the device says what these have used
  for (uint64_t i = 0; i < claim.returned(); ++i) moved += claim.At(i).StateFuel();
  if (moved > 0) ledger_.meter.RecordSeated(moved, 0);
  return claim;
}

// Of a job with host calls fresh instances start only as long as there is room for the states of
// those that ask, and for what the log keeps of those that have asked.
uint64_t ActiveJob::MostOfClass(SeatClass seat_class) const {
  const uint64_t waiting = ledger_.backlog.size(seat_class);
  if (plan.spec.host_calls == nullptr) return waiting;
  if (ledger_.calls.asking() > 0 && !plan.spec.host_calls->HasRoom()) return 0;
  const uint64_t under_way =
      ledger_.seats.seated() + ledger_.calls.asking() + ledger_.backlog.returned();
  const uint64_t fresh =
      ActiveCalls::kMostUnderWay - std::min(ActiveCalls::kMostUnderWay, under_way);
  return std::min(waiting, ledger_.backlog.returned(seat_class) + fresh);
}

void ActiveJob::Unseat(const std::string& device, const std::vector<InstanceRef>& instances) {
  MutexLock lock(ledger_.mutex);
  ledger_.seats.Unseat(device, instances.size());
  if (!instances.empty()) ledger_.sink->Release(instances.size());
  uint64_t moved = 0;
  for (const InstanceRef& instance : instances) {
    moved += instance.StateFuel();
    ledger_.Return(instance);
  }
  if (moved > 0 && !ledger_.HasEnded()) ledger_.meter.RecordSeated(0, moved);
}

void ActiveJob::Deliver(const std::string& device, ResultBatch results) {
  MutexLock lock(ledger_.mutex);
  ledger_.seats.Unseat(device, results.size());
  ledger_.Deliver(std::move(results));
}

ActiveJob::Seated ActiveJob::SeatedAt(const std::string& device) const {
  MutexLock lock(ledger_.mutex);
  return {ledger_.seats.seated(device), ledger_.seats.Age(device, ledger_.clock.Now())};
}

ActiveJob::Extent ActiveJob::Left() const {
  MutexLock lock(ledger_.mutex);
  Extent left{ledger_.backlog.size(), 0, false};
  // Those that ended before may have ended by a limit.
  left.is_whole =
      ledger_.AllFinished() && ledger_.progress.usage.limit.empty() && plan.spec.before == nullptr;
  if (ledger_.progress.finished > 0) {
    left.fuel_per_instance = static_cast<double>(ledger_.meter.ended_fuel()) /
                             static_cast<double>(ledger_.progress.finished);
  }
  return left;
}

// Of what their dispatch reserved the class alone is known.
void ActiveJob::KeepMoved() {
  const StateKeeperRef to = keeper();
  if (to == nullptr || !cancelled.load()) return;
  std::vector<InstanceRef> moved;
  {
    MutexLock lock(ledger_.mutex);
    moved = ledger_.backlog.TakeMoved();
  }
  for (InstanceRef& instance : moved) {
    const MovedLane& state = *instance.moved;
    const SeatClass& its = instance.seat_class;
    const StateNeeds needs{state.image.record[abi::RECORD_PAGES], its.further_pages, its.stack};
    (void)to->Keep(
        {instance.instance, instance.attempt, needs, state, plan.spec.InstancesPlanned()});
    instance.moved.reset();  // its bytes are free for others
  }
}

void ActiveJob::Finish(const Status& status) {
  const StateKeeperRef to = keeper();
  MutexLock lock(ledger_.mutex);
  if (to != nullptr && status.ok() && !ledger_.AllFinished()) to->OnLeft(ledger_.Left());
  ledger_.progress.phase = JobPhase::kEnded;
  if (plan.spec.host_calls != nullptr) plan.spec.host_calls->Close();
  ledger_.progress.waiting_for.clear();
  // A job that had all its results before the cancel came is not a cancelled one.
  ledger_.progress.usage.fuel = ledger_.meter.used_fuel();
  ledger_.progress.usage.fuel_running = 0;
  const bool is_cancelled = status.ok() && !ledger_.AllFinished();
  ledger_.sink->OnEnd(status, is_cancelled, ledger_.progress.usage);
}

}  // namespace wb
