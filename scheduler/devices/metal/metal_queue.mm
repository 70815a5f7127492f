#include "scheduler/devices/metal/metal_queue.h"

#include <utility>

#include "compiler/base/check.h"

namespace wb {

MetalQueue::MetalQueue(MetalGpuRef gpu, const MetalSettings& settings)
    : gpu_(std::move(gpu)),
      slice_(settings.options.slice),
      patience_(settings.patience),
      capture_(gpu_->queue(), settings.options.capture) {}

Result<std::unique_ptr<MetalQueue>> MetalQueue::Create(MetalGpuRef gpu,
                                                       const MetalSettings& settings) {
  std::unique_ptr<MetalQueue> queue(new MetalQueue(std::move(gpu), settings));
  const std::vector<uint32_t> words(abi::CONTROL_WORDS);
  WB_ASSIGN(queue->control_, queue->gpu_->Holding(words));
  queue->thread_ = std::thread([launches = queue.get()] { launches->RunLaunches(); });
  return queue;
}

MetalQueue::~MetalQueue() {
  if (!thread_.joinable()) return;
  Stop();
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void MetalQueue::Begin(MetalDispatch& dispatch, const LaunchLimits& limits) {
  auto begun = std::make_shared<Begun>();
  begun->dispatch = &dispatch;
  begun->limits = limits;
  MutexLock lock(mutex_);
  WB_CHECK(begun_.size() < kMost);
  begun_.push_back(std::move(begun));
  changed_.NotifyAll();
}

Result<LaunchReport> MetalQueue::Await() {
  MutexLock lock(mutex_);
  WB_CHECK(!begun_.empty());
  const BegunRef oldest = begun_.front();
  while (!oldest->report) changed_.Wait(mutex_);
  begun_.pop_front();
  return *std::move(oldest->report);
}

void MetalQueue::Stop() {
  MutexLock lock(mutex_);
  for (const BegunRef& begun : begun_) begun->watch->RequestStop();
}

// The oldest launch that has not run. nullptr: the device is closing.
MetalQueue::BegunRef MetalQueue::Next() {
  MutexLock lock(mutex_);
  for (;;) {
    for (const BegunRef& begun : begun_) {
      if (!begun->report) return begun;
    }
    if (closing_) return nullptr;
    changed_.Wait(mutex_);
  }
}

void MetalQueue::RunLaunches() {
  while (const BegunRef begun = Next()) {
    Result<LaunchReport> report = lost_.ok() ? Run(*begun) : lost_;
    lost_ = report.status();
    MutexLock lock(mutex_);
    begun->report = std::move(report);
    changed_.NotifyAll();
  }
}

Result<LaunchReport> MetalQueue::Run(const Begun& begun) {
  @autoreleasepool {
    const SlicePolicy policy = ChooseSlicePolicy(gpu_->Conditions(), slice_);
    const MetalCapture::Scope scope(capture_);
    MetalLaunch launch(*gpu_, control_.get(), *begun.dispatch, begun.limits, policy, patience_,
                       begun.watch);
    return launch.Run();
  }
}

}  // namespace wb
