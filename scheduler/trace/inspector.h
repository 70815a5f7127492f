#pragma once

// Inspector: runs instances of jobs again to look at them, one at a time, on an interpreter that
// tells what it sees. Whoever asks waits; so there is a thread, and a bounded queue before it. The
// guest runs where the InspectionStarter says: in the daemon in an engine host of its own.
//
// Threads: any.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/devices/inspection.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/trace/inspection_limits.h"

namespace wb {

// An instance that has run again, and what was seen of it.
struct InspectedInstance {
  std::shared_ptr<const JobPlan> plan;
  InstanceResult result;  // where it was stopped (Inspection::reached): a trap without meaning
  Inspection seen;
};

class Inspector {
 public:
  // The job, which may take long to make; on the inspector's thread, at most once.
  using MakePlan = std::function<Result<JobPlan>()>;
  // What is asked, where the plan is known; likewise.
  using MakeRequest = std::function<Result<InspectionRequest>(const JobPlan& plan)>;
  // Called once, on the inspector's thread. Errors: MakePlan's and MakeRequest's; LIMIT_TOO_HIGH
  // and DEADLINE_EXCEEDED name the setting; INVALID_ARGUMENT; DEVICE_LOST; CANCELLED.
  using Done = std::function<void(Result<InspectedInstance>)>;

  struct Question {
    MakePlan plan;
    uint64_t instance = 0;
    MakeRequest request;
    Done done;
    bool is_patient = false;  // of the daemon's own, which are few: it is never refused
  };

  // `start`: see InspectionStarter. It is called on the inspector's thread.
  Inspector(std::shared_ptr<LoweredModules> modules, InspectionStarter start,
            const InspectionLimits& limits = {});
  // What waits is answered with CANCELLED.
  ~Inspector();
  Inspector(const Inspector&) = delete;
  Inspector& operator=(const Inspector&) = delete;

  const InspectionLimits& limits() const { return limits_; }
  // Once what it gives is dropped, the question need not be answered any more: it ends soon. Not
  // after the inspector. QUEUE_FULL: too many wait.
  Result<std::shared_ptr<void>> Ask(Question question);

 private:
  struct Task {
    Question question;
    std::atomic<bool> is_unwanted{false};
  };
  using TaskRef = std::shared_ptr<Task>;

  void Run();
  void AwaitWork();
  bool AwaitTask(std::chrono::steady_clock::time_point until);
  void Abandon(const TaskRef& task);
  Result<InspectedInstance> Answer(const Task& task);
  Result<InspectedInstance> AnswerPlan(const Task& task, std::shared_ptr<const JobPlan> plan);
  Result<Inspection> Inspect(const JobPlan& plan, uint64_t instance,
                             const InspectionRequest& request, std::vector<uint32_t>* record);
  Status CheckPlan(const JobPlan& plan, uint64_t instance) const;
  Status NeedsMoreMemory(const JobPlan& plan) const;
  Result<DispatchShape> ShapeFor(const JobPlan& plan, const LaneLayout& layout) const;
  Status StartDevice();
  void EndDevice();

  const std::shared_ptr<LoweredModules> modules_;
  const InspectionStarter start_;
  const InspectionLimits limits_;
  StartedInspection device_;  // of the thread; no device: none is started

  Mutex mutex_;
  CondVar changed_;
  std::deque<TaskRef> waiting_ WB_GUARDED_BY(mutex_);
  TaskRef running_ WB_GUARDED_BY(mutex_);
  std::function<void()> kill_ WB_GUARDED_BY(mutex_);       // ends the device of the running task
  std::weak_ptr<Device> stoppable_ WB_GUARDED_BY(mutex_);  // where there is no process to end
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
