#pragma once

// MappedMemory: a range of a GPU's addresses that is memory only where it was committed, a granule
// at a time. Its contents are unknown until written. The kernel clears a lane's memory, and trusts
// nothing beyond LANE_CLEAN_PAGES.
//
// Threads: one at a time, which has entered the context.

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/devices/cuda/cuda_context.h"

namespace wb {

class MappedMemory {
 public:
  // Reserves addresses for so many bytes, rounded up to granules. The context has a granule.
  // NO_DEVICE_FITS.
  static Result<std::unique_ptr<MappedMemory>> Reserve(CudaContextRef context, uint64_t bytes);
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  ~MappedMemory();

  uint64_t address() const { return address_; }
  uint64_t committed_bytes() const { return committed_bytes_; }

  // Bytes that Commit() of the same range would add: whole granules.
  uint64_t Missing(uint64_t offset, uint64_t bytes) const;
  // Makes the granules of [offset, offset + bytes) memory. NO_DEVICE_FITS when there is not so
  // much. Then what was committed before, and until then, stays; nothing else is held.
  Status Commit(uint64_t offset, uint64_t bytes);

 private:
  struct Range {
    uint64_t offset = 0;
    uint64_t bytes = 0;
  };

  explicit MappedMemory(CudaContextRef context)
      : context_(std::move(context)), granule_(context_->granule()) {}
  Status Map(uint64_t offset, uint64_t bytes);
  Status CommitRun(uint64_t first, uint64_t granules);

  const CudaContextRef context_;
  const uint64_t granule_;
  uint64_t address_ = 0;
  uint64_t committed_bytes_ = 0;
  std::vector<bool> is_mapped_;  // by granule
  std::vector<Range> ranges_;    // as they were mapped: only whole ones can be unmapped
};

}  // namespace wb
