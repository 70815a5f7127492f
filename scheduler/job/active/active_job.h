#pragma once

// ActiveJob: an accepted job on its way from Submit to OnEnd. It is at the coordinator, or on a
// device, or on several at once, each of which seats instances of the one backlog and delivers to
// the one sink: all that they share is in its ledger, behind one lock, so a sink's calls come one
// at a time and no instance is seated twice.
//
// Threads: any, unless it says otherwise. A sink is called with the lock held; it must not block
// and must not call back (scheduler.h).

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/bursts/scheduler_observer.h"
#include "scheduler/job/active/active_calls.h"
#include "scheduler/job/active/active_limits.h"
#include "scheduler/job/active/job_ledger.h"
#include "scheduler/job/tenants.h"

namespace wb {

class ActiveJob {
 public:
  ActiveJob(JobId job_id, JobPlan job_plan, std::shared_ptr<ResultSink> sink, Clock& clock,
            const TenantSettings& its_tenant = {},
            std::shared_ptr<SchedulerObserver> its_observer = nullptr)
      : id(job_id),
        plan(std::move(job_plan)),
        tenant(its_tenant),
        observer(std::move(its_observer)),
        ledger_(plan, cancelled, std::move(sink), clock) {}

  const JobId id;
  const JobPlan plan;
  const TenantSettings tenant;
  const std::shared_ptr<SchedulerObserver> observer;  // may be null
  std::atomic<bool> cancelled{false};                 // once true, stays; orders nothing else
  // Takes the states of instances that are left midway when the job is cancelled; null: nobody
  // does. The first one stays.
  void LeaveTo(StateKeeperRef keeper);
  StateKeeperRef keeper() const;
  // Its place is not settled: the coordinator wants to look at it after launches.
  std::atomic<bool> unsettled{false};
  std::atomic<bool> review_posted{false};
  // So long may a launch of an unsettled job last: first it shows what the module does there; then
  // the coordinator looks at it when it should have ended.
  static constexpr std::chrono::nanoseconds kFirstLook = std::chrono::milliseconds(20);
  std::atomic<std::chrono::nanoseconds> next_look{kFirstLook};

 private:
  JobLedger ledger_;  // before the parts that share it

 public:
  ActiveCalls calls{ledger_};
  ActiveLimits limits{ledger_};

  // Changes the progress; Publish also hands it to the sink.
  template <typename Change>
  void Record(Change&& change) {
    MutexLock lock(ledger_.mutex);
    change(ledger_.progress);
  }
  template <typename Change>
  void Publish(Change&& change) {
    MutexLock lock(ledger_.mutex);
    change(ledger_.progress);
    ledger_.Publish();
  }
  void Publish() {
    MutexLock lock(ledger_.mutex);
    ledger_.Publish();
  }

  bool AllFinished() const;
  // How many have ended, where the sink's room alone keeps the others from starting.
  std::optional<uint64_t> HeldUpByReader() const;
  // Instances that may be seated now, beside those that are, wherever they are; others may be
  // quicker.
  uint64_t Room() const;
  bool HasWaiting() const;  // instances that are not seated and have not ended, asking ones too

  // A device has it from Join to Leave, and is given its share of the waiting instances.
  void Join(const std::string& device);
  void Leave(const std::string& device);  // no instance is seated there
  void SetPace(const std::string& device, const Worker& pace);
  void SetTaking(const std::string& device, bool takes);  // whether it seats instances now
  uint32_t devices() const { return devices_.load(); }

  // While so many wait with outputs that outgrew their records, no other instance starts: it might
  // come to wait likewise, and states that find no room are lost.
  static constexpr uint64_t kMostOutgrown = 256;
  Backlog::Sizes Waiting(const std::string& device) const;  // its share, by class, ascending
  // Seats at most so many, as there are for the device and as the room allows; whole groups.
  Claim Seat(const std::string& device, SeatClass seat_class, uint64_t at_most);
  WholeRoomRef TakeWholeRoom() const;  // for an instance that is seated; null: there is none
  // They are seated no more and start again.
  void Unseat(const std::string& device, const std::vector<InstanceRef>& instances);
  // They are seated no more and have ended.
  void Deliver(const std::string& device, ResultBatch results);

  struct Seated {
    uint64_t count = 0;
    double age = 0;  // seconds, on average
  };
  Seated SeatedAt(const std::string& device) const;
  struct Extent {
    uint64_t waiting = 0;
    double fuel_per_instance = 0;  // of ended instances; 0: none has ended
    bool is_whole = false;         // all have ended here, none by a limit of the job
  };
  Extent Left() const;
  // Of a cancelled job that leaves to a keeper: hands over the states that waiting instances took
  // along from a device. Blocks as long as the keeper does.
  void KeepMoved();

  // The last call of the sink.
  void Finish(const Status& status);

  // Of the coordinator alone.
  std::string avoids;  // why its compiled engine must not get it (again); empty: it may
  uint32_t preparations = 0;

 private:
  uint64_t ShareOf(const std::string& device) const WB_REQUIRES(ledger_.mutex);
  uint64_t WholeGroup(uint64_t instances) const;
  // What outputs that outgrew their records leave room for, beside Room().
  bool MaySeat(SeatClass seat_class) const WB_REQUIRES(ledger_.mutex);
  uint64_t MostOfClass(SeatClass seat_class) const WB_REQUIRES(ledger_.mutex);

  std::atomic<uint32_t> devices_{0};
  mutable Mutex keeper_mutex_;  // no other lock is taken with it
  StateKeeperRef keeper_ WB_GUARDED_BY(keeper_mutex_);
};
using ActiveJobRef = std::shared_ptr<ActiveJob>;

}  // namespace wb
