// ResidentJob: who leaves before his end: given out, put off, out of time, or lost with the engine.

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/run/resident_job.h"

namespace wb {
namespace {

InstanceResult EndedBy(End end, const Ticket& ticket) {
  InstanceResult result;
  result.instance = ticket.instance;
  result.attempt = ticket.attempt;
  result.end = end;
  return result;
}

}  // namespace

ResidentJob::~ResidentJob() {
  DropDispatches();
  LeaveCrowd();
}

MovingTerms ResidentJob::TermsOf(const Moving& moving) const {
  return {prepared_.module->layout,
          prepared_.fast32,
          moving.fuel_per_s,
          moving.rule,
          moving.budget,
          moving.clock};
}

Result<uint64_t> ResidentJob::GiveOutWaiting(Device& device, JobSeats::Entry& entry,
                                             const Moving& moving) {
  const DispatchShape& shape = entry.seats.shape();
  const auto& memories = prepared_.module->program.memories;
  const bool grows = std::any_of(memories.begin(), memories.end(),
                                 [](const ir::Memory& memory) { return memory.grows; });
  // Most launches need not look at their records for this.
  if (!grows || shape.FirstPages() >= shape.max_pages) return uint64_t{0};
  if (entry.seat_class.deaths > 0) return uint64_t{0};  // as below
  return entry.seats.GiveOut(device, TermsOf(moving), entry.seats.WaitingForMemory());
}

Result<uint64_t> ResidentJob::GiveOut(Device& device, const Moving& moving) {
  const MovingTerms terms = TermsOf(moving);
  uint64_t fuel = 0;
  for (JobSeats::Entry& entry : seats_.entries()) {
    // Those under whom an engine died have no part in this: what they take along may be why.
    if (entry.in_flight || entry.seat_class.deaths > 0) continue;
    WB_ASSIGN(const uint64_t more, entry.seats.GiveOut(device, terms, entry.seats.Taken()));
    fuel = AddBounded(fuel, more);
  }
  if (coach_ != nullptr && !coach_->in_flight) {
    WB_ASSIGN(const uint64_t more, coach_->seats.GiveOut(device, terms, coach_seats_));
    fuel = AddBounded(fuel, more);
  }
  return fuel;
}

void ResidentJob::Renew(PreparedPipeline pipeline) {
  DropDispatches();
  LeaveCrowd();
  prepared_ = std::move(pipeline);
  pipeline_.reset();
}

void ResidentJob::DropDispatches() {
  for (JobSeats::Entry& entry : seats_.entries()) {
    job_->NoteLeftFuel(std::exchange(entry.seated, {}).fuel);
    job_->Unseat(device_, entry.seats.Abandon());
    entry.in_flight = false;
  }
  seats_.DropIdle();
  Alight();
}

bool ResidentJob::DropIdleDispatches() {
  const bool its_crowds = crowd_ != nullptr && crowd_->DropIdle();
  return seats_.DropIdle() || its_crowds;
}

void ResidentJob::Expire() {
  DropDispatches();
  job_->EndOver();
}

std::optional<InstanceResult> ResidentJob::ResultOfLoss(Ticket& ticket, bool blamed) const {
  ticket.moved.reset();
  ticket.brought = 0;
  if (blamed && ++ticket.seat_class.deaths >= kMaxAttempts) {
    return EndedBy(End::kFailed, ticket);
  }
  ++ticket.attempt;
  return std::nullopt;
}

void ResidentJob::StartAgain(std::vector<Ticket> tickets, bool blamed,
                             std::vector<InstanceResult>& failed) {
  std::vector<Ticket> again;
  for (Ticket& ticket : tickets) {
    std::optional<InstanceResult> result = ResultOfLoss(ticket, blamed);
    if (result) {
      failed.push_back(std::move(*result));
    } else {
      again.push_back(ticket);
    }
  }
  job_->Unseat(device_, again);
}

void ResidentJob::LoseDevice(const Dispatch* blamed) {
  std::vector<InstanceResult> failed;
  for (JobSeats::Entry& entry : seats_.entries()) {
    StartAgain(entry.seats.Abandon(), &entry.seats.dispatch() == blamed, failed);
  }
  if (coach_ != nullptr) {
    const bool is_blamed = &coach_->seats.dispatch() == blamed;
    StartAgain(AbandonCoach(), is_blamed, failed);
  }
  LeaveCrowd();
  pipeline_.reset();
  DropDispatches();
  if (!failed.empty()) {
    job_->Note([](JobProgress& progress) {
      progress.usage.failures = "Instances failed because the engine died " +
                                Quoted(uint64_t{kMaxAttempts}) +
                                " times while it ran them, the last time with nobody else seated.";
    });
  }
  job_->Deliver(device_, std::move(failed));
}

}  // namespace wb
