#pragma once

// SeatTable: a dispatch and the instances in its seats. One thread, between launches, with
// HelperThreads: seats come by the million.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/base/clock.h"
#include "scheduler/base/helper_threads.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active_job.h"
#include "scheduler/job/backlog.h"
#include "scheduler/job/host_calls/host_call_log.h"
#include "scheduler/job/job.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/job/result_batch.h"
#include "scheduler/run/seats/drained_outputs.h"
#include "scheduler/run/seats/migration_rule.h"

namespace wb {

// Numbers of an engine, which is not trusted.
inline uint64_t AddBounded(uint64_t a, uint64_t b) { return b > ~a ? ~uint64_t{0} : a + b; }

// The instances in some seats after a launch.
struct Seated {
  uint64_t running = 0;  // left midway, in as many lanes
  uint64_t queued = 0;   // no lane has taken them
  uint64_t fuel = 0;     // that the running ones have used

  Seated& operator+=(const Seated& other) {
    running += other.running;
    queued += other.queued;
    fuel = AddBounded(fuel, other.fuel);
    return *this;
  }
};

// What a part of the seats came to.
struct Harvest {
  ResultBatch results;
  // To go on with the exported state, or to start again, with more than the dispatch reserves: as
  // their class says.
  std::vector<InstanceRef> need_memory;
  std::vector<InstanceRef> need_stack;  // to start again likewise; their class is as it was
  std::vector<AskingInstance> asking;   // that wait for an answer of the job's caller
  uint64_t left_fuel = 0;               // that those three have used
  uint64_t drained = 0;                 // seats whose output was taken, and which go on
  Seated seated;                        // instances that go on
  uint64_t brought = 0;                 // of the results' fuel: run by other devices
  bool sound = true;                    // false: a record that no sound engine writes was found
};

Status UnsoundRecord(const std::string& device);  // DEVICE_LOST

// Under what terms lanes leave with their state.
struct MovingTerms {
  const LaneLayout& layout;
  bool fast32 = false;
  double fuel_per_s = 0;  // where they go to, all lanes together
  MigrationRule& rule;
  const ImageBudget& budget;
  Clock& clock;
};

// What it takes to read the calls of instances that ask the job's caller.
struct AskingTerms {
  const MovingTerms& moving;
  const LoweredModule& module;
  const ActiveJob& job;
};

// Where results come from.
struct Origin {
  std::string device;
  bool fast32 = false;
  KernelBuild build = KernelBuild::kFull;
};

class SeatTable {
 public:
  SeatTable(std::unique_ptr<Dispatch> dispatch, const JobPlan& plan, uint64_t bytes);

  Dispatch& dispatch() { return *dispatch_; }
  const DispatchShape& shape() const { return dispatch_->shape(); }
  uint64_t bytes() const { return bytes_; }  // of the device's memory
  uint32_t free_seats() const { return static_cast<uint32_t>(free_.size()); }
  uint32_t taken_seats() const { return static_cast<uint32_t>(seats_.size() - free_.size()); }

  // Seats those of the claim, at most free_seats().
  void Seat(const JobPlan& plan, const Claim& claim, HelperThreads& helpers);
  // Instances that have brought their state go on with it where it fits. These instances, as of
  // now. DEVICE_LOST: the device is dead.
  Result<Seated> ImportLanes(Device& device, bool fast32);
  // Gives those left midway in these seats their state to take along, where that pays and there is
  // room for it; they leave before another launch. The fuel that this dispatch has run of them.
  // DEVICE_LOST likewise.
  Result<uint64_t> ExportLanes(Device& device, const MovingTerms& terms,
                               std::span<const uint32_t> of);
  // Of the job's instances that make a host call: takes the call out, and the state along where
  // there is room for it. The next Collect empties their seats. Fuel and errors likewise.
  Result<uint64_t> ExportAsking(Device& device, const AskingTerms& terms);
  std::vector<uint32_t> Taken() const;               // seats
  std::vector<uint32_t> WaitingForMemory();          // those left midway before a memory.grow
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
  // seat_table_moves.cc
  Result<uint64_t> ExportSome(Device& device, const MovingTerms& terms,
                              std::span<const uint32_t> seats);
  // seat_table_calls.cc
  Result<uint64_t> AskSome(Device& device, const AskingTerms& terms,
                           std::span<const uint32_t> seats);
  std::vector<uint32_t> AskingSeats();
  bool TakeAsking(const Origin& origin, uint32_t seat, Harvest& harvest);
  Status ImportSome(Device& device, std::span<const LanePlace> places, Seated& seated);

  bool ReapSeat(const JobPlan& plan, const Origin& origin, uint32_t seat, Harvest& harvest);
  void Put(const JobPlan& plan, const BlobPlan& blob, const InstanceRef& instance, uint32_t seat);
  InstanceRef Leave(uint32_t seat);

  std::unique_ptr<Dispatch> dispatch_;
  uint64_t bytes_;
  std::vector<std::optional<InstanceRef>> seats_;
  DrainedOutputs drained_;
  std::vector<uint32_t> free_;                 // the next one last
  std::map<uint32_t, AskingInstance> asking_;  // by seat, from ExportAsking to Collect
  std::vector<uint32_t> arrived_;              // seats of instances that have brought their state
  bool written_ = true;
};

}  // namespace wb
