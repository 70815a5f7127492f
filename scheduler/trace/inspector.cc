#include "scheduler/trace/inspector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"
#include "scheduler/trace/seats_again.h"

namespace wb {
namespace {

Status Unwanted() { return Status(Reason::kCancelled, "Nobody waits for it any more."); }

// With the setting that says so.
Status AboveLimit(const std::string& what, uint64_t has, uint64_t most,
                  const std::string& setting) {
  return Status(Reason::kLimitTooHigh,
                what + " " + Quoted(has) + ", and " + setting + " allows " + Quoted(most) + ".",
                {{"setting", setting}, {"maximum", std::to_string(most)}});
}

bool NamesSetting(const Status& status) {
  return std::any_of(status.details().begin(), status.details().end(),
                     [](const Detail& detail) { return detail.key == "setting"; });
}

Status WithSetting(const Status& status) {
  if (status.reason() == Reason::kLimitTooHigh && !NamesSetting(status)) {
    return Status(Reason::kLimitTooHigh,
                  status.message() + " The setting inspection.max_dump_bytes allows no more.",
                  {{"setting", "inspection.max_dump_bytes"}});
  }
  if (status.reason() != Reason::kDeviceLost) return status;
  return Status(
      Reason::kDeviceLost,
      status.message() + " It is bounded by inspection.max_memory_bytes and inspection.max_time.");
}

}  // namespace

Inspector::Inspector(std::shared_ptr<LoweredModules> modules, InspectionStarter start,
                     const InspectionLimits& limits)
    : modules_(std::move(modules)),
      start_(std::move(start)),
      limits_(limits),
      thread_([this] { Run(); }) {}

Inspector::~Inspector() {
  std::deque<TaskRef> left;
  TaskRef running;
  {
    MutexLock lock(mutex_);
    closing_ = true;
    left = waiting_;
    running = running_;
  }
  for (const TaskRef& task : left) task->is_unwanted = true;
  if (running) Abandon(running);
  changed_.NotifyAll();
  thread_.join();
}

Result<std::shared_ptr<void>> Inspector::Ask(Question question) {
  auto task = std::make_shared<Task>();
  task->question = std::move(question);
  {
    MutexLock lock(mutex_);
    if (closing_) return Unwanted();
    const bool is_full = waiting_.size() + (running_ ? 1 : 0) > limits_.waiting;
    if (is_full && !task->question.is_patient) {
      return Status(Reason::kQueueFull,
                    "So many dumps and replays wait already: " +
                        Quoted(static_cast<uint64_t>(waiting_.size())) +
                        ". There is one at a time; inspection.max_waiting bounds those that wait.");
    }
    waiting_.push_back(task);
  }
  changed_.NotifyAll();
  return std::shared_ptr<void>(task.get(), [this, task](void*) { Abandon(task); });
}

// A device that is stopped or killed is started again for the next question.
void Inspector::Abandon(const TaskRef& task) {
  task->is_unwanted = true;
  std::function<void()> kill;
  std::shared_ptr<Device> device;
  {
    MutexLock lock(mutex_);
    if (running_ != task) return;
    kill = kill_;
    device = stoppable_.lock();
  }
  if (kill) return kill();
  if (device) device->Stop();
}

bool Inspector::AwaitTask(std::chrono::steady_clock::time_point until) {
  MutexLock lock(mutex_);
  bool in_time = true;
  while (waiting_.empty() && !closing_ && in_time) in_time = changed_.WaitUntil(mutex_, until);
  return !waiting_.empty() || closing_;
}

void Inspector::AwaitWork() {
  if (AwaitTask(std::chrono::steady_clock::now() + limits_.idle)) return;
  EndDevice();
  AwaitTask(std::chrono::steady_clock::time_point::max());
}

void Inspector::Run() {
  while (true) {
    AwaitWork();
    TaskRef task;
    {
      MutexLock lock(mutex_);
      if (waiting_.empty()) break;
      task = running_ = std::move(waiting_.front());
      waiting_.pop_front();
    }
    Result<InspectedInstance> answer = task->is_unwanted ? Unwanted() : Answer(*task);
    if (task->is_unwanted) answer = Unwanted();
    {
      MutexLock lock(mutex_);
      running_ = nullptr;
    }
    task->question.done(std::move(answer));
    task->question = {};
  }
  EndDevice();
}

Result<InspectedInstance> Inspector::Answer(const Task& task) {
  WB_ASSIGN(JobPlan plan, task.question.plan());
  WB_TRY(CheckPlan(plan, task.question.instance));
  Result<InspectedInstance> answer =
      AnswerPlan(task, std::make_shared<const JobPlan>(std::move(plan)));
  if (answer.ok() && !task.is_unwanted) return answer;
  // It is dead, or was stopped.
  const bool is_lost = !answer.ok() && answer.status().reason() == Reason::kDeviceLost;
  if (is_lost || task.is_unwanted) EndDevice();
  return answer.ok() ? Unwanted() : WithSetting(answer.status());
}

Status Inspector::CheckPlan(const JobPlan& plan, uint64_t instance) const {
  if (instance >= plan.spec.instances) {
    return Status(Reason::kInvalidArgument,
                  "The job has the instances 0 to " + Quoted(plan.spec.instances - 1) +
                      ", and not " + Quoted(instance) + ".",
                  {{"field", "instance"}});
  }
  if (plan.spec.host_calls != nullptr) {
    return Status(Reason::kInvalidArgument,
                  "Instances of this job ask their caller (a binding to the host), and what it "
                  "answered is not kept: none can run again.",
                  {{"field", "job"}});
  }
  const uint64_t bytes = uint64_t{plan.min_pages} * abi::PAGE_BYTES;
  const uint64_t most = InstanceBytes(plan, limits_.instance_bytes());
  if (bytes <= most) return {};
  const std::string share = plan.group > 1 ? "its group" : "it";
  return AboveLimit("The bytes of memory that an instance begins with are", bytes, most,
                    "inspection.max_memory_bytes, of which " + share + " has a quarter,");
}

Result<InspectedInstance> Inspector::AnswerPlan(const Task& task,
                                                std::shared_ptr<const JobPlan> plan) {
  InspectedInstance answer;
  WB_ASSIGN(const InspectionRequest request, task.question.request(*plan));
  std::vector<uint32_t> record;
  WB_ASSIGN(answer.seen, Inspect(*plan, task.question.instance, request, &record));
  std::optional<InstanceResult> result = DecodeRecord(*plan, record);
  if (!result) return UnsoundRecord("inspection");
  const bool is_cut = plan->group == 1 && plan->spec.limits.max_fuel > limits_.fuel;
  if (result->end == End::kOutOfFuel && is_cut) {
    return AboveLimit("The instance has used", result->fuel, limits_.fuel, "inspection.max_fuel");
  }
  answer.result = std::move(*result);
  answer.result.instance = task.question.instance;
  answer.plan = std::move(plan);
  return answer;
}

Status Inspector::NeedsMoreMemory(const JobPlan& plan) const {
  const std::string what = plan.group > 1 ? "The instance's group needs" : "The instance needs";
  return Status(Reason::kLimitTooHigh,
                what + " more memory than " + Quoted(limits_.instance_bytes()) +
                    " bytes, a quarter of inspection.max_memory_bytes.",
                {{"setting", "inspection.max_memory_bytes"}});
}

// An instance that runs out of the inspection's fuel, and not of its own, tells nothing. Those of a
// group have their own: which of them take part follows from it.
Result<DispatchShape> Inspector::ShapeFor(const JobPlan& plan, const LaneLayout& layout) const {
  const std::optional<Seating> seating =
      SeatsToRunAgain(plan, layout, plan.min_pages, limits_.instance_bytes());
  if (!seating) return NeedsMoreMemory(plan);
  DispatchShape shape = ShapeOf(plan, *seating);
  if (plan.group == 1) shape.max_fuel = std::min(shape.max_fuel, limits_.fuel);
  shape.output_buffer = ~0u;  // room for all outputs, so that one launch is enough
  return shape;
}

Status Inspector::StartDevice() {
  if (device_.device) return {};
  WB_ASSIGN(device_, start_([] {}));
  MutexLock lock(mutex_);
  kill_ = device_.kill;
  stoppable_ = device_.device;
  return {};
}

// Not under the lock: a device may take long to end.
void Inspector::EndDevice() {
  {
    MutexLock lock(mutex_);
    kill_ = nullptr;
    stoppable_.reset();
  }
  device_ = {};
}

Result<Inspection> Inspector::Inspect(const JobPlan& plan, uint64_t instance,
                                      const InspectionRequest& request,
                                      std::vector<uint32_t>* record) {
  WB_TRY(StartDevice());
  WB_ASSIGN(const LoweredModuleRef module, modules_->Get(plan.spec.module));
  WB_ASSIGN(const PipelineRef pipeline,
            device_.device->Load(module, module->program.module->binary()));
  WB_ASSIGN(DispatchShape shape, ShapeFor(plan, module->layout));
  if (plan.kept) {
    WB_ASSIGN(shape.kept, device_.device->Keep(plan.kept->input));
  }
  WB_ASSIGN(const std::unique_ptr<Dispatch> dispatch, device_.device->Allocate(pipeline, shape));
  LaunchLimits launch;
  launch.watched_lane = SeatToRunAgain(plan, instance, *dispatch);
  launch.max_duration = limits_.time;
  WB_ASSIGN(Inspection seen, device_.inspecting->Inspect(*dispatch, launch, request));
  const std::span<uint32_t> words = RecordAt(*dispatch, launch.watched_lane);
  if (seen.seats_left != 0 && !NeedsMore(*dispatch)) {
    return Status(Reason::kDeadlineExceeded,
                  "The instance took longer than " +
                      Quoted(static_cast<uint64_t>(limits_.time.count())) +
                      " ms (inspection.max_time).");
  }
  record->assign(words.begin(), words.end());
  if ((*record)[abi::RECORD_SEAT] == abi::SEAT_DONE) return seen;
  return NeedsMoreMemory(plan);
}

}  // namespace wb
