#include "scheduler/devices/cuda/launch_queue.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

// When nothing was begun for so long, the transport may leave the GPU.
constexpr std::chrono::seconds kIdle{2};

}  // namespace

Result<std::unique_ptr<LaunchQueue>> LaunchQueue::Create(CudaContextRef context,
                                                         std::unique_ptr<LaunchTransport> way) {
  std::unique_ptr<LaunchQueue> queue(new LaunchQueue(std::move(context), std::move(way)));
  WB_TRY(queue->context_->Enter());
  WB_ASSIGN(queue->stop_, StopWord::Create(queue->context_));
  queue->thread_ = std::thread([waiting = queue.get()] { waiting->RunWaits(); });
  return queue;
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
}

Status LaunchQueue::Begin(CudaDispatch& dispatch, const LaunchLimits& limits) {
  WB_TRY(context_->Enter());
  uint64_t number = 0;
  {
    MutexLock lock(mutex_);
    WB_CHECK(entered_ - awaited_ < kMost);
    number = entered_++;
    SlotOf(number).stopped = false;
  }
  SlotOf(number).dispatch = &dispatch;
  SlotOf(number).max_duration = limits.max_duration;
  Status status = Enqueue(number, dispatch, limits);
  if (!status.ok()) {
    TakeBack(number);
    return status;
  }
  {
    MutexLock lock(mutex_);
    ++begun_;
  }
  changed_.NotifyAll();
  return {};
}

Status LaunchQueue::Enqueue(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) {
  WB_TRY(transport_->Place(number, dispatch, limits));
  {
    MutexLock lock(mutex_);
    ++placed_;
    ArmNext();
  }
  return transport_->Start(number, dispatch, limits);
}

// The launch that Begin() was about has not begun.
void LaunchQueue::TakeBack(uint64_t number) {
  bool was_armed = false;
  {
    MutexLock lock(mutex_);
    was_armed = armed_ == entered_;
    --entered_;
    placed_ = std::min(placed_, entered_);
    armed_ = std::min(armed_, entered_);
  }
  if (was_armed) (void)stop_->Disarm();
  transport_->Drop(number);
}

// Arms the stop word for the launch that runs, if its time is not counted yet.
void LaunchQueue::ArmNext() {
  if (armed_ != ended_ || armed_ == placed_) return;
  const uint64_t number = armed_++;
  const Slot& slot = SlotOf(number);
  stop_->Arm(transport_->control(number), transport_->placed(number),
             slot.stopped ? std::chrono::nanoseconds(0) : slot.max_duration);
}

// The time of the next launch counts from now, although it may have begun before.
Status LaunchQueue::RecordEnd(uint64_t number) {
  Status stopped = stop_->Disarm();
  MutexLock lock(mutex_);
  ++ended_;
  ArmNext();
  if (armed_ != ended_) transport_->RecordNext(number);
  return stopped;
}

Result<LaunchReport> LaunchQueue::WaitFor(uint64_t number) {
  const Status kernel = transport_->AwaitEnd(number);
  WB_TRY(RecordEnd(number));
  WB_TRY(kernel);
  CudaDispatch& dispatch = *SlotOf(number).dispatch;
  LaunchReport report;
  WB_ASSIGN(report.busy, transport_->AwaitRecords(number, dispatch));
  report.seats_left = dispatch.seats().CountLeft();
  report.lane_fuel = transport_->lane_fuel(number);
  return report;
}

LaunchQueue::Next LaunchQueue::AwaitBegun(uint64_t number) {
  MutexLock lock(mutex_);
  while (!closing_ && number == begun_) {
    const auto idle_at = std::chrono::steady_clock::now() + kIdle;
    if (!changed_.WaitUntil(mutex_, idle_at) && number == entered_) return Next::kIdle;
  }
  return number != begun_ ? Next::kBegun : Next::kNone;
}

void LaunchQueue::RunWaits() {
  (void)context_->Enter();  // if that fails every wait says so
  for (uint64_t number = 0;;) {
    const Next next = AwaitBegun(number);
    if (next == Next::kNone) return;
    if (next == Next::kIdle) {
      transport_->RecordIdle();
      continue;
    }
    Result<LaunchReport> report = WaitFor(number);
    {
      MutexLock lock(mutex_);
      SlotOf(number++).report = std::move(report);
      ++over_;
    }
    changed_.NotifyAll();
  }
}

// GiveMemory() is not called on the thread that waits. Mapping memory may wait for a kernel that
// stays to leave, and the kernel leaves once that thread has seen its launches end.
Result<LaunchReport> LaunchQueue::Await() {
  CudaDispatch* dispatch = nullptr;
  std::optional<Result<LaunchReport>> report;
  {
    MutexLock lock(mutex_);
    WB_CHECK(awaited_ < begun_);
    while (over_ == awaited_) changed_.Wait(mutex_);
    Slot& slot = SlotOf(awaited_++);
    dispatch = slot.dispatch;
    report = std::exchange(slot.report, std::nullopt);
  }
  if (!report->ok()) return *std::move(report);
  WB_ASSIGN(const uint32_t go_on, dispatch->GiveMemory());
  (*report)->seats_left += go_on;
  return *std::move(report);
}

void LaunchQueue::Stop() {
  MutexLock lock(mutex_);
  for (uint64_t number = ended_; number < entered_; ++number) SlotOf(number).stopped = true;
  if (armed_ > ended_) stop_->StopNow();
}

}  // namespace wb
