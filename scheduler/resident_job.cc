#include "scheduler/resident_job.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/quoted.h"
#include "scheduler/seating.h"

namespace wb {
namespace {

constexpr uint64_t kExpiredAtOnce = 4096;
// Lanes per thread below which a device is likely to idle at the end of a launch.
constexpr uint32_t kLanesPerThread = 16;
// Where lanes take one seat after the other, a launch ends once one in so many found none left and
// others wait for seats.
constexpr uint32_t kIdleShare = 8;

InstanceResult EndedBy(End end, const Ticket& ticket) {
  InstanceResult result;
  result.instance = ticket.instance;
  result.attempt = ticket.attempt;
  result.end = end;
  return result;
}

}  // namespace

ResidentJob::~ResidentJob() { DropDispatches(); }

uint64_t ResidentJob::Seated() const {
  uint64_t count = 0;
  for (const auto& [seat_class, seats] : dispatches_) count += seats.taken_seats();
  return count;
}

uint64_t ResidentJob::Room() const {
  const uint64_t room = job_->sink->Room();
  const uint64_t seated = Seated();
  return room > seated ? room - seated : 0;
}

bool ResidentJob::HasWork(SeatClass seat_class, uint64_t room) const {
  const auto found = dispatches_.find(seat_class);
  if (found != dispatches_.end() && found->second.taken_seats() > 0) return true;
  const bool blocked =
      found == dispatches_.end() && waits_for_memory_ && *waits_for_memory_ == memory_.version();
  return !blocked && room > 0 && job_->backlog.size(seat_class) > 0;
}

bool ResidentJob::CanGo(TimePoint now) const {
  if (IsEnded()) return true;
  if (IsExpired(now)) return job_->sink->Room() > 0;
  if (Seated() > 0) return true;
  const uint64_t room = Room();
  if (room == 0) return false;
  for (SeatClass seat_class : job_->backlog.classes()) {
    if (HasWork(seat_class, room)) return true;
  }
  return false;
}

// Classes take turns, so that the few instances that need more memory run beside the many.
std::optional<SeatClass> ResidentJob::NextClass() {
  std::vector<SeatClass> classes = job_->backlog.classes();
  for (const auto& [seat_class, seats] : dispatches_) classes.push_back(seat_class);
  const uint64_t room = Room();
  std::optional<SeatClass> first;
  std::optional<SeatClass> next;
  for (SeatClass seat_class : classes) {
    if (!HasWork(seat_class, room)) continue;
    if (!first || seat_class < *first) first = seat_class;
    if (last_class_ && seat_class <= *last_class_) continue;
    if (!next || seat_class < *next) next = seat_class;
  }
  return next ? next : first;
}

Result<SeatedDispatch*> ResidentJob::Allocate(Device& device, SeatClass seat_class) {
  const uint32_t threads = device.info().threads;
  const uint32_t most = settings_.burst_instances != 0 ? settings_.burst_instances : threads;
  const uint64_t waiting = std::max<uint64_t>(job_->backlog.size(seat_class), 1);
  SeatingWish wish;
  wish.lanes =
      static_cast<uint32_t>(std::min<uint64_t>(LanesAfterDeaths(seat_class.deaths, most), waiting));
  wish.seats = waiting;
  wish.seats_per_lane = seat_class.deaths > 0 ? 1 : device.info().seats_per_lane;
  wish.enough_lanes = threads * kLanesPerThread;
  wish.pages = seat_class.pages;
  wish.stack = seat_class.stack;
  const LaneLayout& layout = job_->pipeline.module->layout;
  uint64_t budget = memory_.Share();
  if (!ChooseSeating(job_->plan, layout, {1, 1, seat_class.pages, seat_class.stack}, budget))
    budget = memory_.left();
  while (const std::optional<Seating> seating = ChooseSeating(job_->plan, layout, wish, budget)) {
    auto dispatch = device.Allocate(pipeline_, ShapeOf(job_->plan, *seating));
    if (dispatch.ok()) {
      memory_.Hold(seating->bytes);
      SeatedDispatch seats(std::move(dispatch).value(), job_->plan, seating->bytes);
      return &dispatches_.insert_or_assign(seat_class, std::move(seats)).first->second;
    }
    if (dispatch.status().reason() != Reason::kNoDeviceFits) return dispatch.status();
    budget = std::min(budget / 2, seating->bytes / 2);
  }
  return nullptr;
}

Result<SeatedDispatch*> ResidentJob::DispatchFor(Device& device, SeatClass seat_class) {
  const auto found = dispatches_.find(seat_class);
  if (found != dispatches_.end()) return &found->second;
  WB_ASSIGN(SeatedDispatch * seats, Allocate(device, seat_class));
  if (seats == nullptr && memory_.empty()) {
    return Status(Reason::kNoDeviceFits, "The device " + Quoted(device.info().id) +
                                             " has no memory for a single instance of this job.");
  }
  if (seats == nullptr) waits_for_memory_ = memory_.version();
  return seats;
}

void ResidentJob::Fill(SeatedDispatch& seats, SeatClass seat_class) {
  uint64_t count = std::min<uint64_t>(seats.free_seats(), Room());
  count = std::min(count, job_->backlog.size(seat_class));
  for (; count > 0; --count) seats.Seat(job_->plan, job_->backlog.Take(seat_class));
}

// Ended instances become results, those without memory or stack go back; false records end the
// device.
Status ResidentJob::Take(SeatedDispatch& seats, const DeviceInfo& info, Burst& burst) {
  const uint32_t pages = seats.dispatch().shape().capacity_pages;
  const uint32_t stack = seats.dispatch().shape().capacity_stack;
  Harvest harvest = seats.Collect(job_->plan);
  for (Ticket& ticket : harvest.need_memory) {
    ticket.seat_class.pages = GrownPages(pages, job_->plan.max_pages);
    job_->backlog.Return(ticket);
  }
  for (Ticket& ticket : harvest.need_stack) {
    ticket.seat_class.stack = GrownStack(stack, job_->plan.spec.limits.max_stack);
    job_->backlog.Return(ticket);
  }
  for (InstanceResult& result : harvest.results) {
    result.device = info.id;
    result.fast32 = job_->pipeline.fast32;
    burst.fuel += result.fuel;
    quantum_.Note(result.fuel);
  }
  burst.instances += harvest.results.size();
  job_->Deliver(std::move(harvest.results));
  if (harvest.sound) return {};
  return Status(Reason::kDeviceLost,
                "The device " + Quoted(info.id) + " wrote a record that no sound engine writes.");
}

Result<ResidentJob::Burst> ResidentJob::Go(Device& device, TimePoint now,
                                           const std::function<void(bool)>& launching) {
  Burst burst;
  const std::optional<SeatClass> seat_class = NextClass();
  if (!seat_class) return burst;
  WB_ASSIGN(SeatedDispatch * seats, DispatchFor(device, *seat_class));
  if (seats == nullptr) return burst;
  Fill(*seats, *seat_class);
  last_class_ = launched_class_ = *seat_class;
  LaunchLimits limits;
  limits.max_duration = pace_.next();
  limits.slice_fuel = settings_.slice_fuel;
  if (job_->deadline) limits.max_duration = std::min(limits.max_duration, *job_->deadline - now);
  job_->progress.running = Seated();
  const DispatchShape& shape = seats->dispatch().shape();
  const bool queued = shape.seats != 0;
  if (queued) limits.quantum = quantum_.next();
  // Only where others can be seated then: not where the sink's room kept seats empty.
  if (queued && seats->free_seats() == 0 && job_->backlog.size(*seat_class) > 0) {
    limits.most_idle = shape.lanes / kIdleShare;
  }
  launching(true);
  const Result<LaunchReport> report = device.Launch(seats->dispatch(), limits);
  launching(false);
  if (!report.ok()) return report.status();
  if (!queued) pace_.Note(report->seats_left, device.info().threads, job_->backlog.size());
  burst.launched = true;
  burst.busy = report->busy;
  job_->progress.usage.bursts += 1;
  job_->progress.usage.device_time += report->busy;
  WB_TRY(Take(*seats, device.info(), burst));
  launched_class_.reset();
  job_->progress.running = Seated();
  if (seats->taken_seats() == 0 && job_->backlog.size(*seat_class) == 0) {
    Drop(dispatches_.find(*seat_class));
  }
  return burst;
}

void ResidentJob::Renew(PreparedPipeline pipeline) {
  DropDispatches();
  job_->pipeline = std::move(pipeline);
  pipeline_.reset();
}

void ResidentJob::Drop(Dispatches::iterator dispatch) {
  const uint64_t bytes = dispatch->second.bytes();
  dispatches_.erase(dispatch);
  memory_.Free(bytes);
}

bool ResidentJob::DropIdleDispatches() {
  bool dropped = false;
  for (auto it = dispatches_.begin(); it != dispatches_.end();) {
    const auto dispatch = it++;
    if (dispatch->second.taken_seats() > 0) continue;
    Drop(dispatch);
    dropped = true;
  }
  return dropped;
}

void ResidentJob::DropDispatches() {
  while (!dispatches_.empty()) {
    for (const Ticket& ticket : dispatches_.begin()->second.Abandon()) {
      job_->backlog.Return(ticket);
    }
    Drop(dispatches_.begin());
  }
  job_->progress.running = 0;
}

void ResidentJob::Expire() {
  DropDispatches();
  uint64_t count = std::min({job_->sink->Room(), job_->backlog.size(), kExpiredAtOnce});
  std::vector<InstanceResult> results;
  for (; count > 0; --count) {
    results.push_back(EndedBy(End::kDeadline, job_->backlog.TakeAny()));
  }
  job_->Deliver(std::move(results));
}

std::optional<InstanceResult> ResidentJob::ResultOfLoss(Ticket& ticket, bool launched) const {
  if (launched && ++ticket.seat_class.deaths >= kMaxAttempts) {
    return EndedBy(End::kFailed, ticket);
  }
  ++ticket.attempt;
  return std::nullopt;
}

void ResidentJob::LoseDevice() {
  std::vector<InstanceResult> failed;
  for (auto& [seat_class, seats] : dispatches_) {
    for (Ticket& ticket : seats.Abandon()) {
      std::optional<InstanceResult> result = ResultOfLoss(ticket, launched_class_ == seat_class);
      if (result) {
        failed.push_back(std::move(*result));
      } else {
        job_->backlog.Return(ticket);
      }
    }
  }
  launched_class_.reset();
  pipeline_.reset();
  DropDispatches();
  if (!failed.empty()) {
    job_->progress.usage.failures =
        "Instances failed because the engine died " + Quoted(uint64_t{kMaxAttempts}) +
        " times while it ran them, the last time with nobody else seated.";
  }
  job_->Deliver(std::move(failed));
}

}  // namespace wb
