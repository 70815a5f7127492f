#include "scheduler/devices/cuda/resident_kernel.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <thread>

namespace wb {
namespace {

using std::chrono::microseconds;

// Numbers of the driver's interface (cuda.h).
constexpr int kNotReady = 600;

// The time between two looks at a launch is a 64th of the time that it has taken, within these
// bounds.
constexpr microseconds kShortestLook{30};
constexpr microseconds kLongestLook{2000};

static_assert(LaunchTransport::kSlots == WB_BOARD_SLOTS);
static_assert(sizeof(WbBoardSlot::control) == abi::CONTROL_WORDS * 4);

// Launches on the board are numbered from 1.
uint32_t BoardNumber(uint64_t number) { return static_cast<uint32_t>(number + 1); }
size_t BoardSlot(uint64_t number) { return BoardNumber(number) % LaunchTransport::kSlots; }
uint64_t SlotAt(uint64_t number) {
  return offsetof(WbBoard, slots) + BoardSlot(number) * sizeof(WbBoardSlot);
}

}  // namespace

Result<std::unique_ptr<LaunchTransport>> ResidentKernel::Create(CudaContextRef context) {
  std::unique_ptr<ResidentKernel> kernel(new ResidentKernel(std::move(context)));
  WB_TRY(kernel->Fill());
  return std::unique_ptr<LaunchTransport>(std::move(kernel));
}

Status ResidentKernel::Fill() {
  WB_TRY(context_->Enter());
  const CudaDriver& driver = context_->driver();
  stream_ = context_->launch_stream(0);
  for (void*& event : placed_events_) {
    WB_CUDA_TRY(driver, event_create, (&event, kBlockingWait | kWithoutTiming));
  }
  WB_CUDA_TRY(driver, event_create, (&downloaded_, kBlockingWait | kWithoutTiming));
  void* memory = nullptr;
  WB_CUDA_TRY(driver, host_alloc, (&memory, sizeof(Shared)));
  shared_ = new (memory) Shared();
  shared_->leaves = 1;
  WB_ASSIGN(board_, CudaBuffer::Allocate(context_, sizeof(WbBoard)));
  const WbBoard empty{};
  WB_TRY(Copy(&empty, 0, sizeof empty));
  WB_CUDA_TRY(driver, stream_synchronize, (context_->upload_stream()));
  context_->set_with_idle_gpu(
      [this](const std::function<int()>& call) { return WithIdleGpu(call); });
  return {};
}

ResidentKernel::~ResidentKernel() {
  if (!context_->Enter().ok()) return;
  WithIdleGpu([] { return 0; });
  context_->set_with_idle_gpu({});
  const CudaDriver& driver = context_->driver();
  for (void* event : placed_events_) {
    if (event != nullptr) driver.event_destroy(event);
  }
  if (downloaded_ != nullptr) driver.event_destroy(downloaded_);
  if (shared_ != nullptr) driver.host_free(shared_);
}

// Copies to the board, behind all copies that came before.
Status ResidentKernel::Copy(const void* from, uint64_t board_at, size_t bytes) const {
  WB_CUDA_TRY(context_->driver(), copy_to_device,
              (board_.address() + board_at, from, bytes, context_->upload_stream()));
  return {};
}

uint64_t ResidentKernel::control(uint64_t number) const {
  return board_.address() + SlotAt(number) + offsetof(WbBoardSlot, control);
}

LaneFuel ResidentKernel::lane_fuel(uint64_t number) const {
  return LaneFuel::OfCounts(shared_->ends[BoardSlot(number)].counts);
}

Status ResidentKernel::Place(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) {
  const CudaDispatch::Call call = dispatch.CallOf(limits);
  {
    MutexLock lock(life_);
    WB_TRY(Enter(call, BoardNumber(number)));
    MutexLock air(mutex_);
    in_flight_[number % kSlots] = true;
  }
  if (dispatch.NeedsUpload(limits)) WB_TRY(dispatch.seats().Upload());
  WbBoardSlot& slot = shared_->slots[BoardSlot(number)];
  slot = {};
  slot.post = {call.state, call.records,    call.program, call.columns, call.blob,
               call.image, control(number), call.kept,    call.blocks,  0,
               call.params};
  slot.left = uint64_t{BoardNumber(number)} << 32 | call.blocks;
  slot.posted = BoardNumber(number);
  WB_TRY(Copy(&slot, SlotAt(number), offsetof(WbBoardSlot, posted)));
  WB_CUDA_TRY(context_->driver(), event_record, (placed(number), context_->upload_stream()));
  return {};
}

Status ResidentKernel::Start(uint64_t number, CudaDispatch& dispatch, const LaunchLimits&) {
  WB_TRY(Copy(&shared_->slots[BoardSlot(number)].posted,
              SlotAt(number) + offsetof(WbBoardSlot, posted), sizeof(uint32_t)));
  dispatch.RecordLaunched();
  return {};
}

void ResidentKernel::Drop(uint64_t number) { Complete(number); }

void ResidentKernel::Complete(uint64_t number) {
  {
    MutexLock lock(mutex_);
    in_flight_[number % kSlots] = false;
  }
  ended_.NotifyAll();
}

Status ResidentKernel::Enter(const CudaDispatch::Call& call, uint32_t number) {
  void* const function = call.function;
  const uint32_t block_threads = call.block_threads;
  if (function_ == function && its_block_threads_ == block_threads) return {};
  WB_TRY(Leave());
  const CudaDriver& driver = context_->driver();
  int blocks = 0;
  WB_CUDA_TRY(driver, blocks_per_processor,
              (&blocks, function, static_cast<int>(block_threads), call.shared_bytes));
  WB_TRY(Copy(&shared_->stays, offsetof(WbBoard, leaves), sizeof(uint32_t)));
  WB_CUDA_TRY(driver, stream_synchronize, (context_->upload_stream()));
  uint64_t board = board_.address();
  const WbLaunchEnd* ends = shared_->ends.data();  // at the same address on the GPU
  void* arguments[] = {&board, &ends, &number};
  const uint32_t grid = static_cast<uint32_t>(std::max(blocks, 1)) * context_->processors();
  WB_CUDA_TRY(
      driver, launch,
      (function, grid, 1, 1, block_threads, 1, 1, call.shared_bytes, stream_, arguments, nullptr));
  function_ = function;
  its_block_threads_ = block_threads;
  return {};
}

// Waits for all launches to end, then for the kernel.
Status ResidentKernel::Leave() {
  if (function_ == nullptr) return {};
  {
    MutexLock lock(mutex_);
    while (in_flight_ != std::array<bool, kSlots>{}) ended_.Wait(mutex_);
  }
  function_ = nullptr;
  WB_TRY(Copy(&shared_->leaves, offsetof(WbBoard, leaves), sizeof(uint32_t)));
  WB_CUDA_TRY(context_->driver(), stream_synchronize, (stream_));
  return {};
}

// If the kernel cannot be made to leave, the context is dead, and the call says so. A call may make
// others.
int ResidentKernel::WithIdleGpu(const std::function<int()>& call) {
  if (quiet_thread_ == std::this_thread::get_id()) return call();
  MutexLock lock(life_);
  (void)Leave();
  quiet_thread_ = std::this_thread::get_id();
  const int result = call();
  quiet_thread_ = std::thread::id();
  return result;
}

bool ResidentKernel::HasLaunches() {
  MutexLock lock(mutex_);
  return in_flight_ != std::array<bool, kSlots>{};
}

// Called on the thread that waits, which must not block here. A launch can have been placed since,
// and another thread may hold the lock while it waits for that launch's end, which this thread is
// to see.
void ResidentKernel::RecordIdle() {
  if (!life_.TryLock()) return;
  if (!HasLaunches()) (void)Leave();
  life_.Unlock();
}

// An error if the kernel has ended although it has a launch.
Status ResidentKernel::LookAfter() const {
  const int state = context_->driver().stream_query(stream_);
  if (state == kNotReady) return {};
  if (state != 0) return context_->driver().Error("stream_query", state);
  return {Reason::kDeviceLost, "The kernel that stays on the GPU ended while it had a launch."};
}

Status ResidentKernel::AwaitEnd(uint64_t number) {
  const uint32_t& word = shared_->ends[BoardSlot(number)].number;
  const auto begin = std::chrono::steady_clock::now();
  Status status;
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != BoardNumber(number) && status.ok()) {
    const auto passed =
        std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
    std::this_thread::sleep_for(std::clamp(passed / 64, kShortestLook, kLongestLook));
    // It may have ended between the two.
    if (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != BoardNumber(number)) status = LookAfter();
  }
  Complete(number);
  return status;
}

Result<std::chrono::nanoseconds> ResidentKernel::AwaitRecords(uint64_t number,
                                                              CudaDispatch& dispatch) {
  const CudaDriver& driver = context_->driver();
  WB_TRY(dispatch.seats().Download());
  WB_CUDA_TRY(driver, event_record, (downloaded_, context_->download_stream()));
  WB_CUDA_TRY(driver, event_synchronize, (downloaded_));
  const WbLaunchEnd end = shared_->ends[BoardSlot(number)];
  const double whole = static_cast<double>(end.ended - end.began);
  const double own =
      static_cast<double>(end.ended - std::clamp<uint64_t>(last_end_, end.began, end.ended));
  last_end_ = std::max<uint64_t>(last_end_, end.ended);
  return std::chrono::nanoseconds(static_cast<int64_t>(std::max(own, whole * kLeastOwnShare)));
}

}  // namespace wb
