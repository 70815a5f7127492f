#pragma once

// LoopInbox: what other threads leave for a device's loop (jobs, commands, a wake-up), and which of
// the loop's jobs are here and under way, as other threads see it.
//
// Threads: any, but for the methods of the loop. Its lock is never held while another is taken.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/job/waits.h"
#include "scheduler/pipelines/prepared_pipeline.h"

namespace wb {

class LoopInbox {
 public:
  struct Arrival {
    ActiveJobRef job;
    PreparedPipeline pipeline;
  };
  // What the coordinator says of a job that is here.
  struct Command {
    enum class Kind : uint8_t { kEvict, kSwapPipeline, kExplain };
    Kind kind = Kind::kEvict;
    ActiveJobRef job;
    PreparedPipeline pipeline;     // kSwapPipeline: the new one
    std::string placement_reason;  // kExplain

    // The job's launches are stopped and awaited first.
    bool StopsLaunches() const { return kind != Kind::kExplain; }
  };
  struct Mail {
    std::vector<Arrival> arrivals;
    std::vector<Command> commands;
  };
  // A job as other threads see it.
  struct View {
    bool is_here = false;
    bool is_launching = false;
    std::optional<WaitReason> lack;  // of memory, or of something else of the machine
    std::optional<WaitReason> turn;  // what else has the device, if there is more than this job
  };

  LoopInbox(std::string device, Clock& clock) : device_(std::move(device)), clock_(clock) {}
  LoopInbox(const LoopInbox&) = delete;
  LoopInbox& operator=(const LoopInbox&) = delete;

  // True: the launches under way are to be stopped for it. For a newcomer that is done once in a
  // stop period; where it was done lately, the launch that runs is a short one (NewcomerStop).
  bool PostJob(Arrival arrival);
  bool PostCommand(Command command);
  void Wake();
  void Close();
  bool IsLaunching(const ActiveJob* job) const;
  bool AnyLaunching() const;
  uint64_t jobs() const;  // that are here or have arrived
  View Look(const ActiveJob& job) const;

  // Of the loop. Take: nullopt when it is closing; the jobs taken are here from now on.
  std::optional<Mail> Take();
  // Returns when something was posted, at `until`, or without cause.
  void AwaitMore(TimePoint until);
  void Left(const ActiveJobRef& job);
  void RecordLack(const ActiveJobRef& job, const WaitReason& lack);
  // The jobs with a launch under way, sorted; they lack nothing.
  void PublishLaunching(std::vector<const ActiveJob*> jobs);
  // Something came before its launch was published and found nothing to stop. `longest`: how long
  // that launch may last.
  bool WantsStop(std::chrono::nanoseconds longest, TimePoint now);
  // When launches may be stopped for a newcomer again; nullopt: now.
  std::optional<TimePoint> NextNewcomerStop(TimePoint now) const;
  void SetStopPeriod(std::chrono::nanoseconds period);

 private:
  struct Present {
    ActiveJobRef job;
    std::optional<WaitReason> lack;
  };
  bool HasStoppedLately(TimePoint now) const WB_REQUIRES(mutex_);
  bool IsLaunchingLocked(const ActiveJob* job) const WB_REQUIRES(mutex_);
  WaitReason TurnLocked(const ActiveJob& job) const WB_REQUIRES(mutex_);

  const std::string device_;
  Clock& clock_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<Arrival> arrivals_ WB_GUARDED_BY(mutex_);
  std::vector<Command> commands_ WB_GUARDED_BY(mutex_);
  bool woken_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::vector<Present> present_ WB_GUARDED_BY(mutex_);
  std::vector<const ActiveJob*> launching_ WB_GUARDED_BY(mutex_);  // sorted
  // When launches were last stopped for a newcomer.
  std::optional<TimePoint> newcomer_stop_ WB_GUARDED_BY(mutex_);
  std::chrono::nanoseconds stop_period_ WB_GUARDED_BY(mutex_){};
};

}  // namespace wb
