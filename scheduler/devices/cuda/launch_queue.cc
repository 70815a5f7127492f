#include "scheduler/devices/cuda/launch_queue.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

// Numbers of the driver's interface (cuda.h).
constexpr unsigned kBlockingWait = 1;
constexpr unsigned kWithoutTiming = 2;

// Of a launch's own time at least, however much of it lay beside the one before it.
constexpr float kLeastShare = 1.0F / 16;

constexpr uint64_t kControlBytes = abi::CONTROL_WORDS * 4;

}  // namespace

Result<std::unique_ptr<LaunchQueue>> LaunchQueue::Create(CudaContextRef context,
                                                         uint32_t block_threads) {
  std::unique_ptr<LaunchQueue> queue(new LaunchQueue(std::move(context), block_threads));
  WB_TRY(queue->context_->Enter());
  WB_TRY(queue->CreateEvents());
  WB_ASSIGN(queue->stop_, StopWord::Create(queue->context_));
  queue->thread_ = std::thread([waiting = queue.get()] { waiting->RunWaits(); });
  return queue;
}

Status LaunchQueue::CreateEvents() {
  const CudaDriver& driver = context_->driver();
  static_assert(kMost <= CudaContext::kLaunchStreams);
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.stream = context_->launch_stream(i);
    WB_ASSIGN(slot.control, CudaBuffer::Allocate(context_, kControlBytes));
    WB_CUDA_TRY(driver, event_create, (&slot.uploaded, kWithoutTiming));
    WB_CUDA_TRY(driver, event_create, (&slot.begin, 0));
    WB_CUDA_TRY(driver, event_create, (&slot.end, kBlockingWait));
    WB_CUDA_TRY(driver, event_create, (&slot.downloaded, kBlockingWait | kWithoutTiming));
  }
  return {};
}

LaunchQueue::~LaunchQueue() {
  Stop();
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.NotifyAll();
  if (thread_.joinable()) thread_.join();
  stop_.reset();
  if (!context_->Enter().ok()) return;
  for (const Slot& slot : slots_) {
    for (void* event : {slot.uploaded, slot.begin, slot.end, slot.downloaded}) {
      if (event != nullptr) context_->driver().event_destroy(event);
    }
  }
}

Status LaunchQueue::Begin(CudaDispatch& dispatch, const LaunchLimits& limits) {
  WB_TRY(context_->Enter());
  Slot* slot = nullptr;
  {
    MutexLock lock(mutex_);
    WB_CHECK(entered_ - awaited_ < kMost);
    slot = &SlotOf(entered_++);
    slot->stopped = false;
    slot->beside_ms = 0;
  }
  slot->dispatch = &dispatch;
  slot->max_duration = limits.max_duration;
  Status status = Enqueue(*slot, limits);
  if (!status.ok()) {
    TakeBack();
    return status;
  }
  {
    MutexLock lock(mutex_);
    ++begun_;
  }
  changed_.NotifyAll();
  return {};
}

// Three streams, joined by events, so that copies go beside launches.
Status LaunchQueue::Enqueue(Slot& slot, const LaunchLimits& limits) {
  const CudaDriver& driver = context_->driver();
  void* const stream = slot.stream;
  if (limits.seats_written || !slot.dispatch->launched()) {
    WB_TRY(slot.dispatch->Upload());
    WB_CUDA_TRY(driver, event_record, (slot.uploaded, context_->upload_stream()));
    WB_CUDA_TRY(driver, stream_wait_event, (stream, slot.uploaded, 0));
  }
  WB_CUDA_TRY(driver, memory_set, (slot.control.address(), 0, kControlBytes, stream));
  WB_CUDA_TRY(driver, event_record, (slot.begin, stream));
  {
    MutexLock lock(mutex_);
    ++placed_;
    ArmNext();
  }
  WB_TRY(slot.dispatch->Launch(limits, slot.control.address(), block_threads_, stream));
  WB_CUDA_TRY(driver, event_record, (slot.end, stream));
  WB_CUDA_TRY(driver, stream_wait_event, (context_->download_stream(), slot.end, 0));
  WB_TRY(slot.dispatch->Download());
  WB_CUDA_TRY(driver, event_record, (slot.downloaded, context_->download_stream()));
  return {};
}

// The launch that Begin() was at has not begun.
void LaunchQueue::TakeBack() {
  bool was_armed = false;
  {
    MutexLock lock(mutex_);
    was_armed = armed_ == entered_;
    --entered_;
    placed_ = std::min(placed_, entered_);
    armed_ = std::min(armed_, entered_);
  }
  if (was_armed) (void)stop_->Disarm();
}

// The launch that runs, if its time is not counted yet.
void LaunchQueue::ArmNext() {
  if (armed_ != ended_ || armed_ == placed_) return;
  Slot& slot = SlotOf(armed_++);
  stop_->Arm(slot.control.address(), slot.begin,
             slot.stopped ? std::chrono::nanoseconds(0) : slot.max_duration);
}

// The time of the next one counts from now, which it may have begun before.
Status LaunchQueue::NoteEnd(const Slot& ended) {
  Status stopped = stop_->Disarm();
  MutexLock lock(mutex_);
  ++ended_;
  ArmNext();
  if (armed_ == ended_) return stopped;
  Slot& next = SlotOf(ended_);
  float milliseconds = 0;  // fails where the next one has not begun
  const int known = context_->driver().event_elapsed(&milliseconds, next.begin, ended.end);
  if (known == 0) next.beside_ms = std::max(milliseconds, 0.0F);
  return stopped;
}

Result<LaunchReport> LaunchQueue::WaitFor(Slot& slot) {
  const CudaDriver& driver = context_->driver();
  const int kernel = driver.event_synchronize(slot.end);
  WB_TRY(NoteEnd(slot));
  if (kernel != 0) return driver.Error("event_synchronize", kernel);
  WB_CUDA_TRY(driver, event_synchronize, (slot.downloaded));
  float milliseconds = 0;
  WB_CUDA_TRY(driver, event_elapsed, (&milliseconds, slot.begin, slot.end));
  milliseconds = std::max(milliseconds - slot.beside_ms, milliseconds * kLeastShare);
  LaunchReport report;
  report.seats_left = slot.dispatch->CountLeft();
  report.busy = std::chrono::nanoseconds(static_cast<int64_t>(double{milliseconds} * 1e6));
  return report;
}

void LaunchQueue::RunWaits() {
  (void)context_->Enter();  // if that fails every wait says so
  for (;;) {
    Slot* slot = nullptr;
    {
      MutexLock lock(mutex_);
      while (!closing_ && over_ == begun_) changed_.Wait(mutex_);
      if (over_ == begun_) return;
      slot = &SlotOf(over_);
    }
    Result<LaunchReport> report = WaitFor(*slot);
    {
      MutexLock lock(mutex_);
      slot->report = std::move(report);
      ++over_;
    }
    changed_.NotifyAll();
  }
}

Result<LaunchReport> LaunchQueue::Await() {
  MutexLock lock(mutex_);
  WB_CHECK(awaited_ < begun_);
  while (over_ == awaited_) changed_.Wait(mutex_);
  Slot& slot = SlotOf(awaited_++);
  return *std::exchange(slot.report, std::nullopt);
}

void LaunchQueue::Stop() {
  MutexLock lock(mutex_);
  for (uint64_t number = ended_; number < entered_; ++number) SlotOf(number).stopped = true;
  if (armed_ > ended_) stop_->StopNow();
}

}  // namespace wb
