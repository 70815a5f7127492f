// Memory of the fake GPU: this process's own, with every copy checked.

#include <cstdlib>
#include <cstring>

#include "compiler/base/check.h"
#include "tests/fakes/fake_gpu_calls.h"
#include "tests/standin/never_written.h"

namespace wb::test {

void FakeGpuCalls::CheckRange(uint64_t address, uint64_t bytes) {
  if (current->mapping_.Reserves(address)) {
    WB_CHECK(current->mapping_.IsUsable(address, bytes));
    return;
  }
  MutexLock lock(current->mutex_);
  auto next = current->sizes_.upper_bound(address);
  WB_CHECK(next != current->sizes_.begin());
  --next;
  WB_CHECK(address + bytes <= next->first + next->second);
}

int FakeGpuCalls::Allocate(uint64_t* address, size_t bytes) {
  if (const int asked = Asked("memory_alloc")) return asked;
  MutexLock lock(current->mutex_);
  if (current->used_ + bytes > current->memory_bytes_) return kOutOfMemory;
  constexpr size_t kAlignment = 256;  // as the driver promises
  *address =
      Address(std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment));
  FillNeverWritten(Pointer(*address), bytes, 0xcd);
  current->sizes_[*address] = bytes;
  current->used_ += bytes;
  return 0;
}

int FakeGpuCalls::Free(uint64_t address) {
  MutexLock lock(current->mutex_);
  const auto at = current->sizes_.find(address);
  WB_CHECK(at != current->sizes_.end());
  current->used_ -= at->second;
  current->sizes_.erase(at);
  std::free(Pointer(address));
  return 0;
}

int FakeGpuCalls::Info(size_t* free, size_t* total) {
  MutexLock lock(current->mutex_);
  *total = current->memory_bytes_;
  *free = *total - current->used_;
  return 0;
}

int FakeGpuCalls::Set(uint64_t address, unsigned char value, size_t bytes, void*) {
  CheckRange(address, bytes);
  std::memset(Pointer(address), value, bytes);
  return 0;
}

// Single words are read by a kernel that runs meanwhile.
int FakeGpuCalls::ToDevice(uint64_t to, const void* from, size_t bytes, void*) {
  if (const int asked = Asked("copy_to_device")) return asked;
  CheckRange(to, bytes);
  if (bytes == sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, from, sizeof word);
    __atomic_store_n(static_cast<uint32_t*>(Pointer(to)), word, __ATOMIC_RELEASE);
    {
      MutexLock lock(current->mutex_);
      ++current->words_;
    }
    current->words_changed_.NotifyAll();
    return 0;
  }
  ++current->uploads_;
  std::memcpy(Pointer(to), from, bytes);
  return 0;
}

int FakeGpuCalls::ToHost(void* to, uint64_t from, size_t bytes, void*) {
  if (const int asked = Asked("copy_to_host")) return asked;
  CheckRange(from, bytes);
  std::memcpy(to, Pointer(from), bytes);
  return 0;
}

int FakeGpuCalls::Granularity(size_t* bytes, const CudaAllocation*, unsigned which) {
  *bytes = FakeMapping::kGranule;
  return which == 0 ? 0 : kInvalidValue;
}

int FakeGpuCalls::ReserveAddresses(uint64_t* address, size_t bytes, size_t alignment,
                                   uint64_t wanted, unsigned long long flags) {
  if (const int asked = Asked("address_reserve")) return asked;
  if (wanted != 0 || flags != 0) return kInvalidValue;
  return current->mapping_.Reserve(address, bytes, alignment);
}

int FakeGpuCalls::FreeAddresses(uint64_t address, size_t bytes) {
  return current->mapping_.Free(address, bytes);
}

int FakeGpuCalls::CreateMemory(uint64_t* memory, size_t bytes, const CudaAllocation* of,
                               unsigned long long flags) {
  if (const int asked = Asked("physical_create")) return asked;
  if (flags != 0) return kInvalidValue;
  MutexLock lock(current->mutex_);
  if (current->used_ + bytes > current->memory_bytes_) return kOutOfMemory;
  current->used_ += bytes;
  *memory = current->mapping_.Create(bytes, *of);
  return 0;
}

int FakeGpuCalls::ReleaseMemory(uint64_t memory) {
  const uint64_t freed = current->mapping_.Release(memory);
  MutexLock lock(current->mutex_);
  current->used_ -= freed;
  return 0;
}

int FakeGpuCalls::MapMemory(uint64_t address, size_t bytes, size_t offset, uint64_t memory,
                            unsigned long long) {
  if (const int asked = Asked("memory_map")) return asked;
  current->mapping_.Map(address, bytes, offset, memory);
  return 0;
}

int FakeGpuCalls::UnmapMemory(uint64_t address, size_t bytes) {
  const uint64_t freed = current->mapping_.Unmap(address, bytes);
  MutexLock lock(current->mutex_);
  current->used_ -= freed;
  return 0;
}

int FakeGpuCalls::AllowAccess(uint64_t address, size_t bytes, const CudaAccess* access,
                              size_t count) {
  if (const int asked = Asked("memory_access")) return asked;
  if (count != 1) return kInvalidValue;
  current->mapping_.Allow(address, bytes, *access);
  return 0;
}

}  // namespace wb::test
