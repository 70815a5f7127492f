#include "scheduler/trace/tracer.h"

#include <sys/resource.h>

#include <utility>

namespace wb {
namespace {

// Of this thread alone where the system can; else it stays as it is.
void LowerPriority() {
#ifdef __linux__
  constexpr int kLowest = 19;
  (void)setpriority(PRIO_PROCESS, 0, kLowest);
#endif
}

// What a replay is compared with.
InstanceResult TrapOf(const InstanceResult& result) {
  InstanceResult trap;
  trap.instance = result.instance;
  trap.end = result.end;
  trap.trap = result.trap;
  trap.trap_function = result.trap_function;
  trap.trap_offset = result.trap_offset;
  trap.trap_module = result.trap_module;
  trap.step = result.step;
  trap.fuel = result.fuel;
  trap.memory_pages = result.memory_pages;
  return trap;
}

}  // namespace

Tracer::Tracer(std::shared_ptr<LoweredModules> modules, const ReplayLimits& limits)
    : modules_(std::move(modules)),
      limits_(limits),
      replay_(*modules_, limits),
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
    if (closing_ || waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back({std::move(plan), TrapOf(result), std::move(done)});
  }
  changed_.NotifyAll();
  return true;
}

void Tracer::AwaitIdle() {
  MutexLock lock(mutex_);
  while (busy_ || !waiting_.empty()) changed_.Wait(mutex_);
}

void Tracer::Run() {
  LowerPriority();
  while (true) {
    Task task;
    bool closing = false;
    {
      MutexLock lock(mutex_);
      busy_ = false;
      if (waiting_.empty()) replay_.ForgetModule();
      changed_.NotifyAll();
      while (waiting_.empty() && !closing_) changed_.Wait(mutex_);
      if (waiting_.empty()) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
      closing = closing_;
    }
    task.done(closing ? std::vector<TraceFrame>() : replay_.Trace(*task.plan, task.result));
  }
}

}  // namespace wb
