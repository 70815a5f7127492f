#pragma once

// SeatTable: a dispatch and the instances in its seats: which seats are free, who is seated, reaped
// and vacated. One thread, between launches, with HelperThreads: seats come by the million.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/base/helper_threads.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/backlog.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/asking_seats.h"
#include "scheduler/run/seats/harvest.h"
#include "scheduler/run/seats/lane_moves.h"
#include "scheduler/run/seats/resident_seats.h"
#include "scheduler/run/seats/seat_contents.h"

namespace wb {

class SeatTable {
 public:
  SeatTable(std::unique_ptr<Dispatch> dispatch, const JobPlan& plan, uint64_t bytes);

  Dispatch& dispatch() { return *contents_.dispatch; }
  const DispatchShape& shape() const { return contents_.shape(); }
  uint64_t bytes() const { return bytes_; }  // of the device's memory
  uint32_t free_seats() const { return static_cast<uint32_t>(free_.size()); }
  uint32_t taken_seats() const {
    return static_cast<uint32_t>(contents_.instances.size() - free_.size());
  }

  // Seats those of the claim, at most free_seats(). A group (JobPlan::group) has as many seats from
  // a multiple of its size on, each instance that of its place in the group; those that are left
  // are not free either.
  void Seat(const JobPlan& plan, const Claim& claim, HelperThreads& helpers);
  // Instances that have brought their state go on with it (LaneMoves).
  Result<Seated> ImportLanes(Device& device, const ArrivalTerms& terms) {
    return moves_.Import(device, terms, contents_);
  }
  // Those whose given states were not taken in (RefusedLane): they have left their seats where they
  // must keep the states, and start again else.
  struct Refused {
    InstanceRef instance;
    bool was_given = false;
    Status why;
  };
  std::vector<Refused> TakeRefused(const ArrivalTerms& terms);
  // Those in these seats get their state to take along (LaneMoves), and leave before another
  // launch.
  Result<uint64_t> ExportLanes(Device& device, const MovingTerms& terms,
                               std::span<const uint32_t> of) {
    return LaneMoves::Export(device, terms, of, contents_);
  }
  // The states of those in these seats leave the scheduler (LaneMoves). No launch comes after it.
  Result<uint64_t> KeepStates(Device& device, const KeepingTerms& terms,
                              std::span<const uint32_t> of) {
    return LaneMoves::Keep(device, terms, of, contents_);
  }
  // Of the job's instances that make a host call (AskingSeats). The next Collect empties their
  // seats.
  Result<uint64_t> ExportAsking(Device& device, const AskingTerms& terms) {
    return asking_.Export(device, terms, contents_);
  }
  // Of a call of a session (ResidentSeats): before a launch, after it, and before the results of
  // these instances are delivered.
  Result<std::vector<uint32_t>> ImportResidents(Device& device, const LoweredModule& module,
                                                const ResidentInstances& residents) {
    return residents_.Import(device, module, residents, contents_);
  }
  Status ExportResidents(Device& device, const LoweredModule& module) {
    return residents_.Export(device, module, contents_);
  }
  void KeepResidents(std::span<const uint64_t> instances, ResidentInstances& residents) {
    residents_.Keep(instances, residents);
  }
  std::vector<uint32_t> Taken() const;  // seats
  std::vector<uint32_t> WaitingForMemory() { return LaneMoves::WaitingForMemory(contents_); }
  // Gives those of these seats that wait for it (WantsRoom) room for a whole result, as long as
  // `take` does; the others leave with the next Collect. Their seats.
  std::vector<uint32_t> GiveRooms(std::span<const uint32_t> of,
                                  const std::function<WholeRoomRef()>& take);
  uint64_t FuelIn(std::span<const uint32_t> seats);  // that those left midway there have used
  // Whether a seat was written since this was last asked.
  bool TakeWritten() { return std::exchange(written_, false); }
  // Empties the seats of instances that ended; `reap` gets what they came to, part after part.
  void Collect(const JobPlan& plan, const Origin& origin, const std::function<void(Harvest)>& reap,
               HelperThreads& helpers);
  std::vector<InstanceRef> Abandon();  // empties all; no launch comes after it

  // Of a job that shares the dispatch with others (batch_member.h): `its` are its seats.
  void LowestFirst();  // the lowest seats that are free are taken next
  void SeatFor(const JobPlan& plan, const BlobPlan& blob, const Claim& claim,
               std::vector<uint32_t>& its);
  Harvest CollectFrom(const JobPlan& plan, const Origin& origin, std::vector<uint32_t>& its);
  enum class Which : uint8_t { kAll, kNotStarted };
  std::vector<InstanceRef> Vacate(std::vector<uint32_t>& its, Which which);
  std::vector<InstanceRef> Abandon(std::vector<uint32_t>& its);  // no launch comes after it

 private:
  // A part of the seats as one thread reaps it.
  struct Reaped {
    Harvest harvest;
    std::vector<uint32_t> left;  // seats that are empty now
  };
  Reaped Reap(const JobPlan& plan, const Origin& origin, uint32_t first, uint32_t end);
  void SeatGroups(const JobPlan& plan, const Claim& claim);
  void Put(const JobPlan& plan, const BlobPlan& blob, InstanceRef instance, uint32_t seat);
  void FillPart(const JobPlan& plan, const Claim& claim, uint64_t first,
                std::span<const uint32_t> seats);
  InstanceRef Leave(uint32_t seat);

  SeatContents contents_;
  AskingSeats asking_;
  LaneMoves moves_;
  ResidentSeats residents_;
  uint64_t bytes_;
  std::vector<uint32_t> free_;  // seats; the next one last
  bool written_ = true;
};

}  // namespace wb
