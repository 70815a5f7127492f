#pragma once

// Where the memory of a dispatch that the host sees (records, columns, blob) comes from. A device
// in process takes anonymous memory. The engine host passes a HostMemory that maps a shared memfd,
// so that the daemon reads and writes the same bytes.
//
// Each dispatch has one region, laid out by HostLayout::Of: records, columns, blob, each at a
// multiple of 64 bytes. Both sides compute it from the shape.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "compiler/base/check.h"
#include "compiler/base/status.h"
#include "scheduler/devices/device.h"

namespace wb {

struct HostLayout {
  uint64_t records_at = 0;  // byte offsets in the region
  uint64_t columns_at = 0;
  uint64_t blob_at = 0;
  uint64_t record_words = 0;  // of all seats
  uint64_t column_words = 0;
  uint64_t blob_bytes = 0;
  uint64_t bytes = 0;  // of the region, at least 64

  static HostLayout Of(const DispatchShape& shape);
};

// Zeroed memory, unmapped when the region is destroyed.
class HostRegion {
 public:
  virtual ~HostRegion() = default;
  virtual std::span<uint8_t> bytes() = 0;
};

// `count` values at a byte offset of the region; they must lie inside.
template <typename T>
std::span<T> View(HostRegion& region, uint64_t at, uint64_t count) {
  WB_CHECK(at + count * sizeof(T) <= region.bytes().size());
  return {reinterpret_cast<T*>(region.bytes().data() + at), static_cast<size_t>(count)};
}

class HostMemory {
 public:
  virtual ~HostMemory() = default;
  // Maps `bytes` of zeroed memory, aligned to 64 bytes. It is called on the device's owner thread,
  // before the dispatch exists, exactly once per Device::Allocate that gets that far. The dispatch
  // owns the region. NO_DEVICE_FITS when there is not so much memory.
  virtual Result<std::unique_ptr<HostRegion>> Map(size_t bytes) = 0;
};

// Private anonymous memory: the default.
std::shared_ptr<HostMemory> AnonymousHostMemory();

}  // namespace wb
