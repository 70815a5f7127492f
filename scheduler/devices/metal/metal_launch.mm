#include "scheduler/devices/metal/metal_launch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

// The kernel counts the seats that were looked at in 32 bits, at least one for each lane and slice.
constexpr uint64_t kMostLooks = uint64_t{1} << 30;

LaunchWatch::Clock::time_point After(LaunchWatch::Clock::time_point now, nanoseconds time) {
  const auto forever = LaunchWatch::Clock::time_point::max();
  return time >= forever - now ? forever : now + time;
}

SliceEnd EndOf(id<MTLCommandBuffer> commands) {
  SliceEnd end;
  const CFTimeInterval seconds = commands.GPUEndTime - commands.GPUStartTime;
  end.busy = nanoseconds(static_cast<int64_t>(std::max(seconds, 0.0) * 1e9));
  if (commands.status != MTLCommandBufferStatusCompleted) end.error = ErrorOf(commands.error);
  return end;
}

uint32_t* Words(id<MTLBuffer> buffer) { return static_cast<uint32_t*>([buffer contents]); }

}  // namespace

void LaunchWatch::RecordEnd(SliceEnd end) {
  MutexLock lock(mutex_);
  ended_.push_back(std::move(end));
  changed_.NotifyAll();
}

void LaunchWatch::RequestStop() {
  MutexLock lock(mutex_);
  stopped_ = true;
  changed_.NotifyAll();
}

bool LaunchWatch::stopped() const {
  MutexLock lock(mutex_);
  return stopped_;
}

std::optional<SliceEnd> LaunchWatch::Await(Clock::time_point until) {
  MutexLock lock(mutex_);
  while (ended_.empty()) {
    if (stopped_ && !std::exchange(stop_told_, true)) return std::nullopt;
    if (Clock::now() >= until) return std::nullopt;
    if (until == Clock::time_point::max()) {
      changed_.Wait(mutex_);
    } else {
      changed_.WaitUntil(mutex_, until);
    }
  }
  SliceEnd end = std::move(ended_.front());
  ended_.pop_front();
  return end;
}

void LaunchWatch::Rest(nanoseconds rest) {
  const Clock::time_point until = Clock::now() + rest;
  MutexLock lock(mutex_);
  while (!stopped_ && Clock::now() < until) changed_.WaitUntil(mutex_, until);
}

MetalLaunch::MetalLaunch(const MetalGpu& gpu, id<MTLBuffer> control, MetalDispatch& dispatch,
                         const LaunchLimits& limits, const SlicePolicy& policy,
                         nanoseconds patience, std::shared_ptr<LaunchWatch> watch)
    : gpu_(gpu),
      control_(control),
      dispatch_(dispatch),
      limits_(limits),
      policy_(policy),
      patience_(patience),
      wanted_(std::min(policy.slice, limits.max_duration)),
      watch_(std::move(watch)),
      deadline_(After(Clock::now(), limits.max_duration)),
      fuel_left_(std::max<uint64_t>(limits.slice_fuel, 1)) {}

void MetalLaunch::Begin() {
  std::memset(Words(control_), 0, abi::CONTROL_WORDS * sizeof(uint32_t));
  dispatch_.Begin();
  seats_left_ = dispatch_.CountLeft();
  // Those that waited may have what they waited for. The first slice is alone: how long it takes is
  // not known yet, and there may be nothing more to do.
  if (seats_left_.all > 0) Submit();
}

bool MetalLaunch::MaySubmit() const {
  if (seats_left_.runs == 0 || fuel_left_ == 0 || !fault_.ok() || watch_->stopped()) return false;
  if (slices_ >= kMostLooks / std::max(dispatch_.shape().lanes, 1u)) return false;
  const auto ahead = static_cast<int64_t>(in_flight_.size());
  return Clock::now() + ahead * wanted_ < deadline_;
}

void MetalLaunch::Submit() {
  @autoreleasepool {
    const uint64_t fuel = std::min(dispatch_.aim().next(), fuel_left_);
    fuel_left_ -= fuel;
    LaunchLimits slice = limits_;
    slice.slice_fuel = fuel;
    if (fuel_left_ > 0) slice.slice_step = 0;  // what lanes get beyond the others comes last
    const auto how =
        Ref<MTLCommandBufferDescriptor*>::Owned([[MTLCommandBufferDescriptor alloc] init]);
    how.get().errorOptions = MTLCommandBufferErrorOptionEncoderExecutionStatus;
    id<MTLCommandBuffer> commands = [gpu_.queue() commandBufferWithDescriptor:how.get()];
    commands.label = @"slice";
    dispatch_.Encode(commands, slice, control_);
    const std::shared_ptr<LaunchWatch> watch = watch_;
    [commands addCompletedHandler:^(id<MTLCommandBuffer> done) {
      watch->RecordEnd(EndOf(done));
    }];
    [commands commit];
    in_flight_.push_back(fuel);
    ++slices_;
  }
}

void MetalLaunch::Fill() {
  while (in_flight_.size() < policy_.in_flight && MaySubmit()) {
    if (policy_.rest.count() > 0) watch_->Rest(policy_.rest);
    Submit();
  }
}

Result<LaunchReport> MetalLaunch::Run() {
  Begin();
  while (!in_flight_.empty() && AwaitSlice()) Fill();
  if (hung_) {
    return Status(
        Reason::kDeviceLost,
        "The GPU did not end a slice within [" +
            std::to_string(
                std::chrono::duration_cast<std::chrono::milliseconds>(patience_).count()) +
            "] ms beyond its time.");
  }
  WB_TRY(fault_);
  dispatch_.End();
  report_.seats_left = seats_left_.all;
  report_.lane_fuel = LaneFuel::OfCounts(&Words(control_)[abi::CONTROL_USEFUL_LO]);
  return report_;
}

// False: the oldest slice is so late that the GPU is given up.
bool MetalLaunch::AwaitSlice() {
  const Clock::time_point given_up = After(Clock::now(), patience_ + 2 * wanted_);
  for (;;) {
    const auto now = Clock::now();
    const bool over = now >= deadline_ || watch_->stopped();
    // A running kernel may see it or not; it does no harm.
    if (over) SetStopWord();
    const std::optional<SliceEnd> end =
        watch_->Await(over ? given_up : std::min(deadline_, given_up));
    if (end) {
      Take(*end);
      return true;
    }
    if (Clock::now() >= given_up) {
      hung_ = true;
      return false;
    }
  }
}

void MetalLaunch::Take(const SliceEnd& end) {
  const uint64_t fuel = in_flight_.front();
  in_flight_.pop_front();
  report_.busy += end.busy;
  if (end.error) {
    if (fault_.ok()) fault_ = StatusOfFault(*end.error);
    return;
  }
  seats_left_ = dispatch_.CountLeft();
  if (seats_left_.runs > 0) dispatch_.aim().Record(fuel, end.busy, wanted_);
}

void MetalLaunch::SetStopWord() {
  __atomic_store_n(&Words(control_)[abi::CONTROL_STOP], 1u, __ATOMIC_RELAXED);
}

}  // namespace wb
