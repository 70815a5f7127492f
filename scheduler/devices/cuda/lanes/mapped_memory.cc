#include "scheduler/devices/cuda/lanes/mapped_memory.h"

#include <string>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

Result<std::unique_ptr<MappedMemory>> MappedMemory::Reserve(CudaContextRef context,
                                                            uint64_t bytes) {
  std::unique_ptr<MappedMemory> memory(new MappedMemory(std::move(context)));
  WB_CHECK(memory->granule_ != 0);
  const uint64_t granules = (bytes + memory->granule_ - 1) / memory->granule_;
  const CudaDriver& driver = memory->context_->driver();
  uint64_t address = 0;
  const int result = memory->context_->WithIdleGpu([&] {
    return driver.address_reserve(&address, granules * memory->granule_, memory->granule_, 0, 0);
  });
  if (result != 0) return driver.Error("address_reserve", result);
  memory->address_ = address;
  memory->is_mapped_.resize(granules);
  return memory;
}

MappedMemory::~MappedMemory() {
  if (address_ == 0) return;
  context_->WithIdleGpu([this] {
    const CudaDriver& driver = context_->driver();
    for (const Range& range : ranges_) driver.memory_unmap(address_ + range.offset, range.bytes);
    return driver.address_free(address_, is_mapped_.size() * granule_);
  });
}

uint64_t MappedMemory::Missing(uint64_t offset, uint64_t bytes) const {
  const uint64_t end = (offset + bytes + granule_ - 1) / granule_;
  WB_CHECK(end <= is_mapped_.size());
  uint64_t missing = 0;
  for (uint64_t at = offset / granule_; at < end; ++at) missing += is_mapped_[at] ? 0 : granule_;
  return missing;
}

Status MappedMemory::Commit(uint64_t offset, uint64_t bytes) {
  const uint64_t end = (offset + bytes + granule_ - 1) / granule_;
  WB_CHECK(end <= is_mapped_.size());
  for (uint64_t at = offset / granule_; at < end;) {
    uint64_t run = at;
    while (run < end && !is_mapped_[run]) ++run;
    if (run > at) WB_TRY(CommitRun(at, run - at));
    at = run + 1;
  }
  return {};
}

// Commits missing granules that are side by side as one piece of memory.
Status MappedMemory::CommitRun(uint64_t first, uint64_t granules) {
  const uint64_t bytes = granules * granule_;
  Status status;
  context_->WithIdleGpu([&] {
    status = Map(first * granule_, bytes);
    return 0;
  });
  if (status.reason() == Reason::kNoDeviceFits) {
    return {Reason::kNoDeviceFits, "The GPU has no [" + std::to_string(bytes) +
                                       "] bytes more for lanes of a dispatch that has [" +
                                       std::to_string(committed_bytes_) + "]."};
  }
  WB_TRY(status);
  for (uint64_t i = 0; i < granules; ++i) is_mapped_[first + i] = true;
  ranges_.push_back({first * granule_, bytes});
  committed_bytes_ += bytes;
  return {};
}

Status MappedMemory::Map(uint64_t offset, uint64_t bytes) {
  const CudaDriver& driver = context_->driver();
  CudaAllocation of;
  of.place.device = context_->device();
  uint64_t memory = 0;
  WB_CUDA_TRY(driver, physical_create, (&memory, bytes, &of, 0));
  const int mapped = driver.memory_map(address_ + offset, bytes, 0, memory, 0);
  // Memory that is mapped lives as long as its mapping. Memory that is not mapped is freed by this.
  const int released = driver.physical_release(memory);
  if (mapped != 0) return driver.Error("memory_map", mapped);
  CudaAccess access;
  access.place.device = context_->device();
  int usable = released;
  if (usable == 0) usable = driver.memory_access(address_ + offset, bytes, &access, 1);
  if (usable == 0) return {};
  driver.memory_unmap(address_ + offset, bytes);
  return driver.Error(released != 0 ? "physical_release" : "memory_access", usable);
}

}  // namespace wb
