#pragma once

// CudaSeats: the seats of a dispatch. The host writes and reads them in a region, as on every
// device. The GPU has a copy of that region: what the host wrote goes up before a launch, and
// records come back after it.
//
// Threads: one at a time, which has entered the context.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/host_memory.h"

namespace wb {

class CudaSeats {
 public:
  // NO_DEVICE_FITS when the GPU or `memory` has no room.
  static Result<std::unique_ptr<CudaSeats>> Create(CudaContextRef context,
                                                   const DispatchShape& shape, HostMemory& memory);
  ~CudaSeats();

  std::span<uint32_t> records();
  std::span<uint32_t> record(uint32_t seat);
  std::span<uint32_t> columns();
  std::span<uint8_t> blob();
  // As LaunchReport::seats_left.
  uint32_t CountLeft() const;

  // Copies, each on its own stream of the context.
  Status Upload();
  Status Download();
  void RecordChanged() { changed_ = true; }  // a record, here
  bool changed() const { return changed_; }  // since the last upload

  // On the GPU.
  uint64_t records_address() const { return inputs_.address() + layout_.records_at; }
  uint64_t columns_address() const { return inputs_.address() + layout_.columns_at; }
  uint64_t blob_address() const { return inputs_.address() + layout_.blob_at; }

 private:
  CudaSeats(CudaContextRef context, const DispatchShape& shape)
      : context_(std::move(context)),
        layout_(HostLayout::Of(shape)),
        seats_(shape.Seats()),
        record_words_(shape.RecordWords()),
        is_queued_(shape.seats != 0) {}
  uint32_t StateOf(uint32_t seat) const;

  const CudaContextRef context_;
  const HostLayout layout_;
  const uint32_t seats_;
  const uint32_t record_words_;
  const bool is_queued_;  // there may be more seats than lanes
  std::unique_ptr<HostRegion> region_;
  bool is_pinned_ = false;  // the region
  CudaBuffer inputs_;       // laid out as the region
  bool changed_ = false;
};

}  // namespace wb
