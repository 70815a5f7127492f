#include "scheduler/devices/cuda/stream_transport.h"

#include <algorithm>
#include <new>
#include <utility>

namespace wb {
namespace {

constexpr uint64_t kControlBytes = abi::CONTROL_WORDS * 4;
constexpr uint64_t kCountsAt = abi::CONTROL_USEFUL_LO * 4;

}  // namespace

Result<std::unique_ptr<LaunchTransport>> StreamTransport::Create(CudaContextRef context) {
  std::unique_ptr<StreamTransport> way(new StreamTransport(std::move(context)));
  WB_TRY(way->Fill());
  return std::unique_ptr<LaunchTransport>(std::move(way));
}

Status StreamTransport::Fill() {
  WB_TRY(context_->Enter());
  const CudaDriver& driver = context_->driver();
  static_assert(kSlots <= CudaContext::kLaunchStreams);
  void* memory = nullptr;
  WB_CUDA_TRY(driver, host_alloc, (&memory, sizeof(Counts) * kSlots));
  counts_ = new (memory) Counts[kSlots]();
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

StreamTransport::~StreamTransport() {
  if (!context_->Enter().ok()) return;
  for (const Slot& slot : slots_) {
    for (void* event : {slot.uploaded, slot.begin, slot.end, slot.downloaded}) {
      if (event != nullptr) context_->driver().event_destroy(event);
    }
  }
  if (counts_ != nullptr) context_->driver().host_free(counts_);
}

Status StreamTransport::Place(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) {
  const CudaDriver& driver = context_->driver();
  Slot& slot = SlotOf(number);
  slot.beside_ms = 0;
  if (dispatch.NeedsUpload(limits)) {
    WB_TRY(dispatch.seats().Upload());
    WB_CUDA_TRY(driver, event_record, (slot.uploaded, context_->upload_stream()));
    WB_CUDA_TRY(driver, stream_wait_event, (slot.stream, slot.uploaded, 0));
  }
  WB_CUDA_TRY(driver, memory_set, (slot.control.address(), 0, kControlBytes, slot.stream));
  WB_CUDA_TRY(driver, event_record, (slot.begin, slot.stream));
  return {};
}

Status StreamTransport::Start(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) {
  const CudaDriver& driver = context_->driver();
  Slot& slot = SlotOf(number);
  WB_ASSIGN(const bool arranged, dispatch.Arrange(limits.occupancy, slot.stream));
  // That is done once for many launches. It says nothing of how fast this one is.
  if (arranged) WB_CUDA_TRY(driver, event_record, (slot.begin, slot.stream));
  CudaDispatch::Call call = dispatch.CallOf(limits);
  uint64_t control = slot.control.address();
  // In the order of wb_entry's parameters (compiler/prelude/cuda/epilogue.cu).
  void* arguments[] = {&call.state, &call.records, &call.program, &call.columns, &call.blob,
                       &call.image, &control,      &call.params,  &call.kept};
  WB_CUDA_TRY(driver, launch,
              (call.function, call.blocks, 1, 1, call.block_threads, 1, 1, call.shared_bytes,
               slot.stream, arguments, nullptr));
  dispatch.RecordLaunched();
  WB_CUDA_TRY(driver, event_record, (slot.end, slot.stream));
  WB_CUDA_TRY(driver, stream_wait_event, (context_->download_stream(), slot.end, 0));
  WB_TRY(dispatch.seats().Download());
  WB_CUDA_TRY(driver, copy_to_host,
              (&counts_[number % kSlots], control + kCountsAt, sizeof(Counts),
               context_->download_stream()));
  WB_CUDA_TRY(driver, event_record, (slot.downloaded, context_->download_stream()));
  return {};
}

Status StreamTransport::AwaitEnd(uint64_t number) {
  WB_CUDA_TRY(context_->driver(), event_synchronize, (SlotOf(number).end));
  return {};
}

// The driver's call fails where the next launch has not begun.
void StreamTransport::RecordNext(uint64_t ended) {
  Slot& next = SlotOf(ended + 1);
  float milliseconds = 0;
  const int known = context_->driver().event_elapsed(&milliseconds, next.begin, SlotOf(ended).end);
  if (known == 0) next.beside_ms = std::max(milliseconds, 0.0F);
}

Result<std::chrono::nanoseconds> StreamTransport::AwaitRecords(uint64_t number, CudaDispatch&) {
  const CudaDriver& driver = context_->driver();
  Slot& slot = SlotOf(number);
  WB_CUDA_TRY(driver, event_synchronize, (slot.downloaded));
  float milliseconds = 0;
  WB_CUDA_TRY(driver, event_elapsed, (&milliseconds, slot.begin, slot.end));
  const double own = std::max(double{milliseconds} - slot.beside_ms, milliseconds * kLeastOwnShare);
  return std::chrono::nanoseconds(static_cast<int64_t>(own * 1e6));
}

}  // namespace wb
