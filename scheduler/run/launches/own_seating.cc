#include "scheduler/run/launches/own_seating.h"

#include <algorithm>

namespace wb {
namespace {

// One launch takes at most one in so many of the instances that wait, but one for each lane.
constexpr uint64_t kShareOfWaiting = 4;
// So many instances for each thread of a device are enough to keep several dispatches busy.
constexpr uint64_t kLong = 2;
// Instances of a session have no queue of seats. As many lanes as this cost a few calls to the
// device for all of them, where fewer lanes cost as many for each part.
constexpr uint32_t kLanesOfSession = 1024;

}  // namespace

uint32_t OwnSeating::AbreastFor(const DeviceInfo& info, uint64_t waiting) const {
  const bool is_long = waiting >= uint64_t{info.threads} * kLong;
  return is_long && state_.settings.burst_instances == 0 ? info.launches_at_once : 1;
}

// Instances that asked the job's caller come back with their state, and those that began in a given
// one may do so. A state needs a lane: those that find none would start again. Those of a session
// begin with theirs, and leave it in their lane.
bool OwnSeating::MayQueue(SeatClass seat_class) const {
  const JobPlan& plan = state_.job->plan;
  return seat_class.deaths == 0 && !seat_class.has_state && plan.group == 1 &&
         plan.spec.host_imports.empty() && plan.spec.residents == nullptr;
}

// Those that need something that few do are in lanes that hold all, from where their state can go
// on elsewhere; and those that wait for the job's caller, since they would start again.
MemoryWindow OwnSeating::WindowFor(SeatClass seat_class) const {
  const JobPlan& plan = state_.job->plan;
  const bool may = state_.touched != nullptr && seat_class == SeatClass{} && plan.group == 1 &&
                   plan.spec.host_imports.empty() && plan.spec.residents == nullptr;
  return may ? state_.touched->window() : MemoryWindow();
}

bool OwnSeating::IsStale(const SeatSets::Entry& entry) const {
  const MemoryWindow& window = entry.seats.shape().window;
  return !window.is_all() && window != WindowFor(entry.seat_class);
}

SeatingWish OwnSeating::WishFor(const DeviceInfo& info, SeatClass seat_class,
                                uint64_t waiting) const {
  const uint32_t abreast = AbreastFor(info, waiting);
  uint32_t most = std::max(info.threads / abreast, 1u);
  if (state_.job->plan.spec.residents != nullptr) most = std::max(most, kLanesOfSession);
  if (state_.settings.burst_instances != 0) most = state_.settings.burst_instances;
  SeatingWish wish;
  const uint32_t group = state_.job->plan.group;
  const uint64_t wanted = std::min<uint64_t>(LanesAfterDeaths(seat_class.deaths, most), waiting);
  wish.lanes = static_cast<uint32_t>((wanted + group - 1) / group * group);
  wish.group = group;
  wish.seats = waiting;
  wish.seats_per_lane = MayQueue(seat_class) ? info.seats_per_lane : 1;
  wish.enough_lanes = info.threads * kLanesPerThread;
  wish.pages = seat_class.pages;
  wish.further_pages = seat_class.further_pages;
  wish.stack = seat_class.stack;
  if (const auto& residents = state_.job->plan.spec.residents) {
    wish.pages = std::max(wish.pages, residents->MostPages());
    wish.further_pages = std::max(wish.further_pages, residents->MostFurtherPages());
  }
  wish.window = WindowFor(seat_class);
  // What lanes grow by later is not counted for the tenant, so one with a limit gets all at once.
  wish.maps_memory = info.maps_memory && !state_.memory.HasLimit();
  return wish;
}

// Queued seats: the first launch is to begin soon, and the last ones are to end together.
uint64_t OwnSeating::MostToSeat(const SeatSets::Entry& entry) const {
  if (state_.closed || IsStale(entry)) return 0;
  const uint64_t free = entry.seats.free_seats();
  const DispatchShape& shape = entry.seats.shape();
  if (shape.seats == 0) return free;
  const uint64_t share =
      state_.has_completed_launch ? state_.Waiting(entry.seat_class) / kShareOfWaiting : 0;
  return std::min(free, std::max<uint64_t>(share, shape.lanes));
}

}  // namespace wb
