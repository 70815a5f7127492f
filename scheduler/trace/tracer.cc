#include "scheduler/trace/tracer.h"

#include <utility>

namespace wb {
namespace {

// What a replay is compared with.
InstanceResult TrapOf(const InstanceResult& result) {
  InstanceResult trap;
  trap.instance = result.instance;
  trap.end = result.end;
  trap.trap = result.trap;
  trap.exit_code = result.exit_code;
  trap.trap_function = result.trap_function;
  trap.trap_offset = result.trap_offset;
  trap.trap_module = result.trap_module;
  trap.step = result.step;
  trap.fuel = result.fuel;
  trap.memory_pages = result.memory_pages;
  return trap;
}

}  // namespace

Tracer::Tracer(std::shared_ptr<LoweredModules> modules, DeviceStarter start,
               const ReplayLimits& limits)
    : modules_(std::move(modules)),
      limits_(limits),
      replay_(*modules_, std::move(start), limits),
      thread_([this] { Run(); }) {}

Tracer::~Tracer() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  replay_.Stop();
  changed_.NotifyAll();
  thread_.join();
}

bool Tracer::Trace(JobPlanRef plan, const InstanceResult& result, Done done) {
  if (!MayReplay(*plan, result, limits_)) return false;
  {
    MutexLock lock(mutex_);
    if (closing_ || waiting_.size() >= MostWaiting()) return false;
    waiting_.push_back({std::move(plan), TrapOf(result), std::move(done)});
  }
  changed_.NotifyAll();
  return true;
}

bool Tracer::AwaitIdle(std::chrono::steady_clock::time_point until) {
  MutexLock lock(mutex_);
  bool in_time = true;
  while ((busy_ || !waiting_.empty()) && in_time) in_time = changed_.WaitUntil(mutex_, until);
  return !busy_ && waiting_.empty();
}

void Tracer::Drain() {
  if (AwaitIdle(std::chrono::steady_clock::now() + limits_.time)) return;
  replay_.Stop();
  AwaitIdle(std::chrono::steady_clock::time_point::max());
}

bool Tracer::AwaitTask(std::chrono::steady_clock::time_point until) {
  MutexLock lock(mutex_);
  bool in_time = true;
  while (waiting_.empty() && !closing_ && in_time) in_time = changed_.WaitUntil(mutex_, until);
  return !waiting_.empty() || closing_;
}

// What the last replay loaded goes at once, and its process after a while.
void Tracer::AwaitWork() {
  if (AwaitTask(std::chrono::steady_clock::now())) return;
  replay_.ForgetModule();
  if (AwaitTask(std::chrono::steady_clock::now() + limits_.idle)) return;
  replay_.EndDevice();
  AwaitTask(std::chrono::steady_clock::time_point::max());
}

void Tracer::Run() {
  while (true) {
    AwaitWork();
    Task task;
    {
      MutexLock lock(mutex_);
      if (waiting_.empty()) break;
      task = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
    }
    task.done(replay_.Trace(*task.plan, task.result));
    task = {};
    {
      MutexLock lock(mutex_);
      busy_ = false;
    }
    changed_.NotifyAll();
  }
  replay_.EndDevice();
}

}  // namespace wb
