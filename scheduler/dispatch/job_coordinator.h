#pragma once

// JobCoordinator: sees a job from Submit to its devices: lowered, placed, built, handed over; and
// takes back what a device cannot run. A job that may run anywhere goes to the interpreter until it
// has a pipeline, for which a compiler begins when that pays (job_coordinator_builds.cc), and is
// recalled from there when that is done and it ends sooner so; where there are a CPU device and a
// GPU it is on the one, the other or both, as measured (placement/decision.h,
// job_coordinator_review.cc); of several GPUs one with few instances is on the one with the fewest
// jobs, one with many on all (job_coordinator_gpus.cc); one of which all is known may begin on GPUs
// alone (job_coordinator_begin.cc). Everything here happens on the coordinator's one thread.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduler/base/admission_queue.h"
#include "scheduler/base/lru.h"
#include "scheduler/job/active_job.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/pipelines/pipeline_builder.h"
#include "scheduler/placement/build_choice.h"
#include "scheduler/placement/decision.h"
#include "scheduler/run/device_loop.h"

namespace wb {

class JobCoordinator {
 public:
  // Told when a job has ended and its sink has heard of it.
  using Ended = std::function<void(JobId)>;
  // All but the interpreter may be nullptr. All outlive this.
  struct Devices {
    DeviceLoop* cpu = nullptr;
    std::vector<DeviceLoop*> gpus;
    DeviceLoop* interpreter = nullptr;
  };
  // Time at the coordinator: TimeHasCome() is to be called at what `wake_by` says, or soon after.
  struct Time {
    Clock& clock;
    std::function<void(TimePoint)> wake_by;
  };
  JobCoordinator(Lowering& lowering, PipelineBuilder& builder, const RateBook& rates,
                 Devices devices, bool start_on_interpreter, Ended ended, Time time);

  void Admit(ActiveJobRef job);
  void TakeBack(const Departure& departure, GivenBack why, const Status& status);
  void Leave(const Departure& departure);        // nothing is left for that device
  void Review(const ActiveJobRef& job);          // whether its place is still the best
  void EndIfCancelled(const ActiveJobRef& job);  // if it is here
  void TimeHasCome();                            // what is due by the clock, of those who are here
  void AddGpu(DeviceLoop* gpu);                  // one that came later; outlives this
  void GatesChanged();                           // a device was closed to instances, or opened
  void End(const ActiveJobRef& job, const Status& status);
  // Why it waits here. Any thread.
  std::vector<WaitReason> WaitsOf(const ActiveJobRef& job) const;

 private:
  // How a job stands with a device.
  struct Stand {
    enum class Pipeline : uint8_t { kUnknown, kLooking, kAbsent, kBuilding, kReady, kFailed };
    Pipeline pipeline = Pipeline::kUnknown;
    LoweredRef lowered;
    std::optional<BuiltPipeline> built;
    bool runs = false;   // it is there
    uint32_t joins = 0;  // so often it came there
  };
  using Course = std::map<DeviceLoop*, Stand>;
  // A pipeline that no compiler works on yet; it would not pay.
  struct PutOff {
    LoweredRef lowered;
    DeviceLoop* device = nullptr;
    std::map<ActiveJobRef, TimePoint> jobs;  // on the interpreter meanwhile, since when
    double spent = 0;                        // seconds that jobs took there which have ended
  };
  // A job that is on the interpreter until it has a pipeline that is quicker.
  struct Meanwhile {
    DeviceLoop* device = nullptr;        // the pipeline's
    std::optional<BuiltPipeline> built;  // once it is, quick or full
  };

  void StartNext();
  void Prepare(const ActiveJobRef& job);
  void OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result);
  void OnBuilt(const ActiveJobRef& job, DeviceLoop* device, const Result<BuiltPipeline>& result);
  void HandOver(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built);
  // Who begins without the CPU device (job_coordinator_begin.cc).
  void RecordLength(const ActiveJob& job);
  double LengthOf(const ActiveJob& job);  // instructions of an instance; 0: nobody knows
  DeviceLoop* BeginsOn(const ActiveJobRef& job);
  bool BeginsElsewhere(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built);
  void GoOnBeginning(const ActiveJobRef& job);
  void OnBetter(const ActiveJobRef& job, DeviceLoop* device, const Result<BuiltPipeline>& better);
  void Elsewhere(const ActiveJobRef& job, DeviceLoop* device, const Status& status);
  void WatchTime(const ActiveJobRef& job);
  void EndOverdue();  // whose limits of time are over
  // On the interpreter meanwhile (job_coordinator_builds.cc).
  bool MayStartMeanwhile(const ActiveJobRef& job) const;
  bool StartMeanwhile(const ActiveJobRef& job, DeviceLoop* device, const LoweredRef& lowered);
  void OnBuiltMeanwhile(const ActiveJobRef& job, DeviceLoop* device,
                        const Result<BuiltPipeline>& result);
  // Goes to the interpreter although the device has this pipeline.
  void StartBeside(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built,
                   std::string reason);
  BuildPicture PictureOfBuild(const ActiveJobRef& job, const PutOff& its, KernelBuild build);
  // Quick builds (job_coordinator_quick.cc).
  std::optional<std::string> PrefersInterpreter(const ActiveJobRef& job, DeviceLoop* device,
                                                const BuiltPipeline& built);
  Change ChangeOf(const ActiveJobRef& job, const Meanwhile& its);
  bool LeavesQuick(const ActiveJobRef& job);
  bool IsUnsettled(const ActiveJobRef& job, const BuiltPipeline& built) const;
  QuickChoice QuickChoiceOf(const ActiveJobRef& job, DeviceLoop* device);
  void RecordBuilt(const ActiveJobRef& job, const Result<BuiltPipeline>& built);
  void TakeBetter(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& better);
  void PutOffFor(const ActiveJobRef& job, DeviceLoop* device, const LoweredRef& lowered,
                 const Digest& key);
  void ConsiderBuild(const ActiveJobRef& job);
  void BeginCompiler(const ActiveJobRef& job, const std::string& why);
  void NoLongerPatient(const ActiveJobRef& job);
  void LeavePutOff(const ActiveJobRef& job);
  void BuildNext();
  void ReviewPutOff();
  // Closed devices (job_coordinator_gates.cc).
  bool IsOpen(Engine engine) const;  // one of its devices is
  DeviceLoop* OpenDevice(const ActiveJobRef& job, Engine engine);
  void AwaitGate(const ActiveJobRef& job, Engine engine);
  bool HasOpenGpu(const ActiveJobRef& job) const;
  bool IsMeantFor(const ActiveJobRef& job, const DeviceLoop* device) const;
  bool StandsIn(const ActiveJobRef& job, const DeviceLoop* device) const;
  void StandIn(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built);
  void PrepareAgain(const ActiveJobRef& job);
  // Several GPUs (job_coordinator_gpus.cc).
  std::vector<DeviceLoop*> DevicesOf(Engine engine) const;
  DeviceLoop* Pick(const ActiveJobRef& job, Engine engine);
  bool HasFailedOn(const ActiveJobRef& job, DeviceLoop* device) const;
  std::vector<DeviceLoop*> Twins(const ActiveJobRef& job, DeviceLoop* device);
  static std::vector<DeviceLoop*> WorthBoarding(const ActiveJobRef& job,
                                                std::vector<DeviceLoop*> gpus, uint64_t on);
  std::vector<DeviceLoop*> BoardedWith(const ActiveJobRef& job, DeviceLoop* device);
  void Spread(const ActiveJobRef& job);
  bool MayGoToAnother(const ActiveJobRef& job, DeviceLoop* device);
  // `device`: whose compiler, or which it waits for.
  void SayWaiting(const ActiveJobRef& job, std::string waiting_for,
                  const DeviceLoop* device = nullptr);
  void RecordWait(const ActiveJobRef& job, std::string compiler, const DeviceLoop* device);
  void LetGo(const ActiveJobRef& job);  // it is here no more
  static void Explain(const ActiveJobRef& job, std::string reason);
  void AwaitCompiler(const ActiveJobRef& job, const DeviceLoop* device);
  Engine CompiledEngineFor(const ActiveJobRef& job) const;
  void Board(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices,
             const BuiltPipeline& built);
  bool LeaveFor(const Departure& departure);  // whether it is on other devices
  void TakeBackMeanwhile(const ActiveJobRef& job, GivenBack why);
  void TakeBackShared(const Departure& departure, GivenBack why, const Status& status);
  static std::string CannotRun(const DeviceLoop* device, const Status& status);
  static bool IsTextFor(const ActiveJob& job, const LoweredKernel& lowered,
                        const DeviceLoop& device);
  static FairShare ShareOf(const ActiveJob& job);
  static CompileOptions OptionsFor(const JobSpec& spec, CompileOptions options);

  // job_coordinator_review.cc
  std::vector<DeviceLoop*> SharersOf(const ActiveJob& job) const;
  bool MayShare(const ActiveJob& job) const { return SharersOf(job).size() > 1; }
  std::vector<DeviceLoop*> CandidatesOf(const ActiveJobRef& job);
  static void SetNextLook(ActiveJob& job, const JobPicture& picture);
  void SetPaces(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices);
  Stand* StandOf(const ActiveJobRef& job, DeviceLoop* device);
  KernelBuild BuildAt(const ActiveJobRef& job, const DeviceLoop& device, const Stand& stand) const;
  Candidate CandidateOf(const ActiveJobRef& job, const DeviceLoop& device,
                        const Stand& stand) const;
  JobPicture PictureOf(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices);
  void ReviewMeanwhile(const ActiveJobRef& job);
  void Come(const ActiveJobRef& job, DeviceLoop* device, const std::string& reason);
  void Look(const ActiveJobRef& job, DeviceLoop* device);
  void Find(const ActiveJobRef& job, DeviceLoop* device);
  void Build(const ActiveJobRef& job, DeviceLoop* device);
  void RecordReady(const ActiveJobRef& job, DeviceLoop* device, const Result<BuiltPipeline>& built);
  std::vector<DeviceLoop*> AllDevices() const;
  void WakeAll() const;

  DeviceLoop* DeviceNamed(const std::string& id) const;
  bool Holds(const ActiveJobRef& job) const { return held_.count(job) > 0; }

  Lowering& lowering_;
  PipelineBuilder& builder_;
  const RateBook& rates_;
  Devices devices_;
  const bool start_on_interpreter_;
  const Ended ended_;
  std::map<ActiveJobRef, Course> courses_;
  const Time time_;
  std::set<ActiveJobRef> held_;  // on no device
  std::deque<ActiveJobRef> may_start_;
  bool starting_ = false;
  std::map<ActiveJobRef, Meanwhile> meanwhile_;
  std::map<Digest, PutOff> put_off_;                        // by the pipeline's key
  std::map<ActiveJobRef, Digest> patient_;                  // of `jobs` there
  std::deque<Digest> later_;                                // of `put_off_`, those without jobs
  std::set<ActiveJobRef> gated_;                            // held, until a device opens
  std::map<ActiveJobRef, DeviceLoop*> begins_;              // held, until a GPU's pipeline is found
  Lru<Digest, double> lengths_{RateBook::kMostRemembered};  // by JobPlan::task
  // For others to see.
  struct Wait {
    std::string compiler;  // that it waits for; empty: none
    TimePoint since;
    const DeviceLoop* device = nullptr;  // what holds that up holds it up too
  };
  mutable Mutex mutex_;
  AdmissionQueue<ActiveJobRef> starts_ WB_GUARDED_BY(mutex_);  // by tenant
  std::map<ActiveJobRef, Wait> waits_ WB_GUARDED_BY(mutex_);
  std::set<ActiveJobRef> displaced_;  // on the interpreter since their device is closed
};

}  // namespace wb
