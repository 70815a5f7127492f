#include "scheduler/devices/cuda/cuda_seats.h"

namespace wb {

Result<std::unique_ptr<CudaSeats>> CudaSeats::Create(CudaContextRef context,
                                                     const DispatchShape& shape,
                                                     HostMemory& memory) {
  std::unique_ptr<CudaSeats> seats(new CudaSeats(std::move(context), shape));
  WB_ASSIGN(seats->inputs_, CudaBuffer::Allocate(seats->context_, seats->layout_.bytes));
  WB_ASSIGN(seats->region_, memory.Map(seats->layout_.bytes));
  // Copies from pinned memory are faster. Copies from other memory are right, too.
  const std::span<uint8_t> bytes = seats->region_->bytes();
  const CudaContext& gpu = *seats->context_;
  seats->is_pinned_ = gpu.WithIdleGpu([&] {
    return gpu.driver().host_register(bytes.data(), bytes.size(), 0);
  }) == 0;
  return seats;
}

CudaSeats::~CudaSeats() {
  if (!is_pinned_ || !context_->Enter().ok()) return;
  context_->WithIdleGpu(
      [this] { return context_->driver().host_unregister(region_->bytes().data()); });
}

std::span<uint32_t> CudaSeats::records() {
  return View<uint32_t>(*region_, layout_.records_at, layout_.record_words);
}
std::span<uint32_t> CudaSeats::record(uint32_t seat) {
  return records().subspan(uint64_t{seat} * record_words_, record_words_);
}
std::span<uint32_t> CudaSeats::columns() {
  return View<uint32_t>(*region_, layout_.columns_at, layout_.column_words);
}
std::span<uint8_t> CudaSeats::blob() {
  return View<uint8_t>(*region_, layout_.blob_at, layout_.blob_bytes);
}

uint32_t CudaSeats::StateOf(uint32_t seat) const {
  const uint8_t* records = region_->bytes().data() + layout_.records_at;
  return reinterpret_cast<const uint32_t*>(
      records)[uint64_t{seat} * record_words_ + abi::RECORD_SEAT];
}

// There may be millions of queued seats. Lanes take them in order, so the last ones are left the
// longest.
uint32_t CudaSeats::CountLeft() const {
  uint32_t left = 0;
  for (uint32_t seat = seats_; seat-- > 0 && (left == 0 || !is_queued_);) {
    const uint32_t state = StateOf(seat);
    if (state == abi::SEAT_START || state == abi::SEAT_RUNNING) ++left;
  }
  return left;
}

Status CudaSeats::Upload() {
  WB_CUDA_TRY(
      context_->driver(), copy_to_device,
      (inputs_.address(), region_->bytes().data(), layout_.bytes, context_->upload_stream()));
  changed_ = false;
  return {};
}

Status CudaSeats::Download() {
  WB_CUDA_TRY(context_->driver(), copy_to_host,
              (region_->bytes().data() + layout_.records_at, records_address(),
               layout_.record_words * 4, context_->download_stream()));
  return {};
}

}  // namespace wb
