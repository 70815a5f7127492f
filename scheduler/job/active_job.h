#pragma once

// ActiveJob: an accepted job on its way from Submit to OnEnd. It is at the coordinator, or on a
// device, or on several at once, each of which seats instances of the one backlog and delivers to
// the one sink: all that they share is here, behind one lock, so a sink's calls come one at a time
// and no instance is seated twice.
//
// Threads: any, unless it says otherwise. A sink is called with the lock held; it must not block
// and must not call back (scheduler.h).

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/compiler.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/backlog.h"
#include "scheduler/job/host_calls/host_call_log.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "scheduler/job/job_meter.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/job/result_batch.h"
#include "scheduler/job/seat_ledger.h"
#include "scheduler/job/tenants.h"

namespace wb {

class ActiveJob {
 public:
  ActiveJob(JobId job_id, JobPlan job_plan, std::shared_ptr<ResultSink> job_sink, Clock& clock,
            const TenantSettings& its_tenant = {})
      : id(job_id),
        plan(std::move(job_plan)),
        tenant(its_tenant),
        sink_(std::move(job_sink)),
        clock_(clock),
        backlog_(plan.spec.instances),
        calls_(plan.spec.host_imports, plan.spec.host_call_timeout),
        meter_(plan.spec.limits, clock.Now()) {}

  const JobId id;
  const JobPlan plan;
  const TenantSettings tenant;
  std::atomic<bool> cancelled{false};  // once true, stays; orders nothing else
  // Its place is not settled: the coordinator wants to look at it after launches.
  std::atomic<bool> unsettled{false};
  std::atomic<bool> review_posted{false};
  // So long may a launch of an unsettled job last: first it shows what the module does there; then
  // the coordinator looks at it when it should have ended.
  static constexpr std::chrono::nanoseconds kFirstLook = std::chrono::milliseconds(20);
  std::atomic<std::chrono::nanoseconds> next_look{kFirstLook};

  // Changes the progress; Publish also hands it to the sink.
  template <typename Change>
  void Record(Change&& change) {
    MutexLock lock(mutex_);
    change(progress_);
  }
  template <typename Change>
  void Publish(Change&& change) {
    MutexLock lock(mutex_);
    change(progress_);
    PublishLocked();
  }
  void Publish() {
    MutexLock lock(mutex_);
    PublishLocked();
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

  Backlog::Sizes Waiting(const std::string& device) const;  // its share, by class, ascending
  // Seats at most so many, as there are for the device and as the room allows.
  Claim Seat(const std::string& device, SeatClass seat_class, uint64_t at_most);
  // They are seated no more and start again.
  void Unseat(const std::string& device, const std::vector<InstanceRef>& instances);
  // They are seated no more and have ended.
  void Deliver(const std::string& device, ResultBatch results);

  // Instances of a job with host calls that have had a seat and have not ended.
  static constexpr uint64_t kMostWithCalls = 16384;
  // While so many wait with outputs that outgrew their records, no other instance starts: it might
  // come to wait likewise, and states that find no room are lost.
  static constexpr uint64_t kMostOutgrown = 256;
  // Called with the time at which ExpireCalls is due, before the job is handed to a device.
  void OnCallExpiry(std::function<void(TimePoint)> due) { call_expiry_due_ = std::move(due); }
  // Host calls. The instances are seated no more; calls that are new are left at the queue.
  void Ask(const std::string& device, std::vector<AskingInstance> asking);
  void Answer(std::vector<HostAnswer> answers);  // those who have theirs may be seated again
  // Ends the calls that have waited for too long; true: there was one.
  bool ExpireCalls(TimePoint now);
  std::optional<TimePoint> NextCallExpiry() const;
  uint64_t Asking() const;
  WholeRoomRef TakeWholeRoom() const;  // for an instance that is seated; null: there is none
  bool HasAnswer(uint64_t instance, uint64_t number) const;  // to this call, from before

  // The limits of the whole job (job_meter.h). Over: EndOver ends every instance that is not
  // seated.
  bool IsOver(TimePoint now);
  void EndOver();
  std::optional<TimePoint> deadline() const;
  void StartClock(TimePoint now);
  void RecordSeatedFuel(uint64_t before, uint64_t now);
  // Instances that had used so much are seated no more, and have no result. Where the job has ended
  // it stays used.
  void RecordLeftFuel(uint64_t fuel);
  uint64_t FuelPerLane(uint64_t lanes) const;

  struct Seated {
    uint64_t count = 0;
    double age = 0;  // seconds, on average
  };
  Seated SeatedAt(const std::string& device) const;
  struct Extent {
    uint64_t waiting = 0;
    double fuel_per_instance = 0;  // of ended instances; 0: none has ended
    bool is_whole = false;         // all have ended, none by a limit of the job
  };
  Extent Left() const;

  // The last call of the sink.
  void Finish(const Status& status);

  // Of the coordinator alone.
  std::string avoids;  // why its compiled engine must not get it (again); empty: it may
  uint32_t preparations = 0;

 private:
  void PublishLocked() WB_REQUIRES(mutex_);
  // No instance starts any more.
  bool HasEndedLocked() const WB_REQUIRES(mutex_) { return cancelled.load() || meter_.reached(); }
  uint64_t ShareLocked(const std::string& device) const WB_REQUIRES(mutex_);
  void DeliverLocked(ResultBatch results) WB_REQUIRES(mutex_);
  // What outputs that outgrew their records leave room for, beside Room().
  bool MaySeatLocked(SeatClass seat_class) const WB_REQUIRES(mutex_);
  void ReturnLocked(InstanceRef instance) WB_REQUIRES(mutex_);
  void EndWaitingLocked(End end) WB_REQUIRES(mutex_);
  void SettleLocked(HostCallOutcome outcome) WB_REQUIRES(mutex_);
  uint64_t MostOfClassLocked(SeatClass seat_class) const WB_REQUIRES(mutex_);
  void EndRangeLocked(const EndedRange& range) WB_REQUIRES(mutex_);

  const std::shared_ptr<ResultSink> sink_;
  std::function<void(TimePoint)> call_expiry_due_;
  Clock& clock_;
  std::atomic<uint32_t> devices_{0};
  mutable Mutex mutex_;
  Backlog backlog_ WB_GUARDED_BY(mutex_);
  HostCallLog calls_ WB_GUARDED_BY(mutex_);
  SeatLedger seats_ WB_GUARDED_BY(mutex_);
  JobProgress progress_ WB_GUARDED_BY(mutex_);
  JobMeter meter_ WB_GUARDED_BY(mutex_);
};
using ActiveJobRef = std::shared_ptr<ActiveJob>;

}  // namespace wb
