#pragma once

// DeviceLoop: the one thread that owns a device. Runs bursts of its jobs in turn, rests between
// bursts, and starts the device again when it is lost. Where a device takes several launches at
// once the next one is begun while one runs, so that results are taken and seats filled beside it.
//
// Threads: Open() first; then all methods from any thread; Close() last.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/backoff.h"
#include "scheduler/base/clock.h"
#include "scheduler/base/helper_threads.h"
#include "scheduler/base/lru.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/control/fair_queue.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/control/thermal_governor.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active_job.h"
#include "scheduler/job/device_gate.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/job/waits.h"
#include "scheduler/pipelines/build_target.h"
#include "scheduler/pipelines/prepared_pipeline.h"
#include "scheduler/placement/decision.h"
#include "scheduler/placement/rate_book.h"
#include "scheduler/run/device_events.h"
#include "scheduler/run/device_job.h"
#include "scheduler/run/device_settings.h"
#include "scheduler/run/device_status.h"
#include "scheduler/run/migration_rule.h"

namespace wb {

class DeviceLoop : public BuildTarget {
 public:
  // What devices know together: what launches of modules showed, and how much state of instances on
  // their way from one to another the daemon holds.
  struct Common {
    RateBook& rates;
    const ImageBudget& images;
  };
  DeviceLoop(std::string id, DeviceStarter starter, const DeviceSettings& settings, Clock& clock,
             const Common& common, DeviceEvents events);
  ~DeviceLoop() override;
  DeviceLoop(const DeviceLoop&) = delete;
  DeviceLoop& operator=(const DeviceLoop&) = delete;

  Status Open() {
    BeginOpen();
    return AwaitOpen();
  }
  void BeginOpen();    // starts the thread, which starts the device
  Status AwaitOpen();  // the starter's error
  void Close();        // joins the thread; jobs still here are dropped without OnEnd

  // After job->Join() of this device.
  void Add(ActiveJobRef job, PreparedPipeline pipeline);
  void Cancelled(const ActiveJob* job);  // after job->cancelled was set
  // Ends its launch soon and gives the job back, kEvicted: who was seated takes the state along or
  // starts again, attempt unchanged. No effect on one that has ended or is not here.
  void Evict(ActiveJobRef job);
  // Ends its launch soon; it goes on with this pipeline, of the same key: who was seated goes on
  // there or starts again, attempt unchanged. No effect likewise.
  void SwapPipeline(ActiveJobRef job, PreparedPipeline pipeline);
  // Why the job stays here, for its progress; no effect likewise.
  void Explain(ActiveJobRef job, std::string placement_reason);
  void Wake();  // a sink's room has grown

  // The device if it is up by `until`, for Build() (any thread); DEVICE_LOST if not.
  Result<std::shared_ptr<Device>> AwaitDevice(TimePoint until) override;
  // Closes the device to instances or opens it. Jobs of which nobody is seated are given back,
  // kClosed; at the deadline of a drain all others too, who was seated with the attempt unchanged.
  // False: it was so already.
  bool Order(const GateOrder& order);
  bool IsOpen() const;

  // What holds up whoever waits for the device.
  std::vector<WaitReason> Waits() const;
  bool Runs(const ActiveJob& job) const;  // a launch of it is under way
  // Why a job that is here does not run now, all of it. Empty: it runs, or is not here.
  std::vector<WaitReason> WaitsOf(const ActiveJob& job) const;

  // For whoever chooses between devices.
  struct Standing {
    bool open = true;
    bool healthy = true;
    uint64_t jobs = 0;  // that are here
  };
  Standing Look() const;

  const std::string& id() const { return id_; }
  DeviceInfo info() const override;  // of the device as it last was
  DeviceStatus Snapshot() const;

 private:
  using Resident = std::unique_ptr<DeviceJob>;
  struct Arrival {
    ActiveJobRef job;
    PreparedPipeline pipeline;
  };
  // What the coordinator says of a job that is here.
  struct Command {
    ActiveJobRef job;
    std::function<void(DeviceJob&)> apply;  // on the device's thread
    bool completes = false;                 // its launches are stopped and awaited first
  };
  // A job that is here, as others see it.
  struct Present {
    ActiveJobRef job;
    std::optional<WaitReason> lack;  // of memory, or of something else of the machine
  };
  // A launch begun and not awaited: of a job's own seats, or of a batch.
  struct InFlightLaunch {
    DeviceJob* resident;  // whose turn it was
    SeatSets::Entry* seats;
    SharedBatch* batch;
    LaunchLimits limits;

    Dispatch& dispatch() const {
      return batch != nullptr ? batch->seats.dispatch() : seats->seats.dispatch();
    }
    bool IsSuspect() const { return seats != nullptr && seats->seat_class.deaths > 0; }
  };

  void Run();
  bool StartFirst();
  bool TakeInbox();
  void Notify(Command command);
  void Apply(const Command& command);
  void AwaitMore(TimePoint now);
  TimePoint NextDeadline(TimePoint now) const;
  bool StartDevice(TimePoint now);
  void RecordFailedStart(const Status& why);
  void LoseDevice(const Status& why, const Dispatch* blamed);
  void RecordLost(uint64_t generation);
  void TurnOf(DeviceJob& resident);
  bool LoadPipeline(DeviceJob& resident);
  void Delay(DeviceJob& resident, const Status& why);
  std::shared_ptr<SliceController> ControllerOf(const Digest& pipeline);
  // device_loop_share.cc
  void UsePipeline(DeviceJob& resident, PipelineRef pipeline);
  std::shared_ptr<Batcher> BatcherOf(const DeviceJob& resident, const PipelineRef& pipeline);
  void GatherBatcher(const DeviceJob& leader);
  static std::vector<DeviceJob*> Aboard(const InFlightLaunch& launch);
  Result<LaunchOutcome> CompleteShared(const InFlightLaunch& launch, const LaunchReport& report);
  // device_loop_occupancy.cc
  std::shared_ptr<OccupancyTuner> TunerOf(const DeviceJob& resident);
  OccupancyOwner OwnerOf(const DeviceJob& resident) const;
  void RecordOccupancy(DeviceJob& resident);
  DeviceJob* NextTurn(TimePoint now, bool may_launch);
  bool MayLaunch(TimePoint now) const;
  static std::chrono::nanoseconds HurryPeriod(const DeviceInfo& info);
  bool HurriedLately(TimePoint now) const WB_REQUIRES(mutex_);
  std::chrono::nanoseconds TimeLeft(TimePoint now) const;
  std::chrono::nanoseconds TimeForNewcomers(TimePoint now) const;
  std::chrono::nanoseconds TimeInTheAir() const;
  bool Launch(DeviceJob& resident, TimePoint now);
  void Begin(const InFlightLaunch& launch);
  void CompleteOldest();
  Status Complete(const InFlightLaunch& launch, const LaunchReport& report);
  Result<LaunchOutcome> CompleteSeats(const InFlightLaunch& launch, const LaunchReport& report);
  Status ExportWaiting(const InFlightLaunch& launch);
  void RecordLaunch(const DeviceJob& resident, const LaunchOutcome& burst);
  void RecordSetup(DeviceJob& resident);
  void PublishCompleted(const ActiveJobRef& job);
  bool Takes() const { return device_ != nullptr && gate_.IsOpen(); }  // instances, now
  void PublishTaking();
  bool CompleteAllFor(const DeviceJob& resident);
  void SetupLost(DeviceJob& resident, const Status& why);
  Departure Release(DeviceJob& resident);
  void End(DeviceJob& resident);
  void GiveBack(DeviceJob& resident, GivenBack why, const Status& status);
  void ExportLanes(DeviceJob& resident);
  Candidate Here(const DeviceJob& resident) const;
  std::string RateKindOf(const DeviceJob& resident) const;
  void RecordExported(uint64_t fuel);
  bool SomebodyWaitsFor(const InFlightLaunch& launch);
  void PublishInFlight();
  bool IsLaunching(const ActiveJob* job) const WB_REQUIRES(mutex_);
  void SetState(std::string state);

  // Heat (device_loop_heat.cc).
  bool HasSensors() const;
  void SayRest(const std::string& words);
  bool MayWork(TimePoint now);
  void TakeSample(TimePoint now, std::chrono::nanoseconds oldest);
  TimePoint NextSample(TimePoint now) const WB_REQUIRES(mutex_);
  void RecordWork(const LaunchReport& report);

  // Cordons and drains (device_loop_gate.cc).
  void TakeGate();
  void ApplyGate(TimePoint now);
  bool IsPresent(const ActiveJob* job) const WB_REQUIRES(mutex_);
  void RecordLack(const DeviceJob& resident, const WaitReason& lack);
  std::vector<WaitReason> WaitsLocked() const WB_REQUIRES(mutex_);
  WaitReason TurnLocked(const ActiveJob& job) const WB_REQUIRES(mutex_);
  void ShowGate(DeviceStatus* status) const WB_REQUIRES(mutex_);
  void ShowTrouble(DeviceStatus* status) const WB_REQUIRES(mutex_);
  bool IsSilent() const WB_REQUIRES(mutex_) { return silence_ && silence_->ms > 0; }

  void Adopt(StartedDevice started);
  void KillDevice();

  const std::string id_;
  const DeviceStarter starter_;
  const DeviceSettings settings_;
  Clock& clock_;
  RateBook& rates_;
  const ImageBudget& images_;
  const DeviceEvents events_;

  mutable Mutex mutex_;
  mutable CondVar changed_;
  std::vector<Arrival> inbox_ WB_GUARDED_BY(mutex_);
  std::vector<Command> commands_ WB_GUARDED_BY(mutex_);
  std::optional<Status> first_start_ WB_GUARDED_BY(mutex_);  // how it went, once it did
  bool woken_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  // When launches were last ended for a newcomer.
  std::optional<TimePoint> hurried_ WB_GUARDED_BY(mutex_);
  bool lost_ WB_GUARDED_BY(mutex_) = false;  // the device under use told that it ended
  uint64_t generation_ WB_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<Device> shared_device_ WB_GUARDED_BY(mutex_);
  std::function<void()> kill_ WB_GUARDED_BY(mutex_);
  std::shared_ptr<const ShownSilence> silence_ WB_GUARDED_BY(mutex_);  // of its process
  std::vector<const ActiveJob*> launching_ WB_GUARDED_BY(mutex_);      // in flight, sorted
  DeviceStatus status_ WB_GUARDED_BY(mutex_);
  DeviceGate ordered_gate_ WB_GUARDED_BY(mutex_);
  std::vector<Present> present_ WB_GUARDED_BY(mutex_);
  TimePoint rest_end_ WB_GUARDED_BY(mutex_){};
  std::string trouble_ WB_GUARDED_BY(mutex_);  // while the device is lost
  TimePoint next_start_ WB_GUARDED_BY(mutex_){};
  mutable TimePoint watched_until_ WB_GUARDED_BY(mutex_){};  // somebody looks at the status

  // Of the thread alone.
  std::shared_ptr<Device> device_;
  MemoryBudget memory_;
  HelperThreads helpers_;                                      // for seats and results
  Lru<std::pair<Digest, bool>, PipelineRef> pipelines_;        // by key and whether quick
  Lru<Digest, std::shared_ptr<SliceController>> controllers_;  // by the pipeline's key
  // By the pipeline's key and the functions called.
  Lru<std::pair<Digest, Digest>, std::shared_ptr<OccupancyTuner>> tuners_;
  Lru<Digest, std::weak_ptr<Batcher>> batchers_;  // by ShareKeyOf
  MigrationRule moving_;
  FairQueue<DeviceJob*> queue_;
  std::vector<Resident> jobs_;
  std::deque<InFlightLaunch> in_flight_;     // in the order in which they run
  std::map<Digest, uint32_t> setup_losses_;  // pipelines whose setting up ended the engine
  Backoff backoff_;
  uint32_t start_failures_ = 0;
  TimePoint start_after_{};  // the next attempt to start
  DeviceGate gate_;          // as ordered, looked at once a round
  ThermalGovernor governor_;
  Rest rest_;                    // as the governor said last
  bool worked_ = false;          // since its sensors were read
  TimePoint sampled_{};          // when its sensors were read last
  uint32_t silent_samples_ = 0;  // in a row, that gave nothing

  std::thread thread_;
};

}  // namespace wb
