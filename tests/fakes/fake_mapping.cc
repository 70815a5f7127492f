#include "tests/fakes/fake_mapping.h"

#include <sys/mman.h>

#include "compiler/base/check.h"
#include "tests/standin/never_written.h"

namespace wb::test {
namespace {

constexpr int kOutOfMemory = 2;
constexpr int kReadAndWrite = 3;

void* Pointer(uint64_t address) { return reinterpret_cast<void*>(address); }
bool IsWhole(uint64_t bytes) { return bytes % FakeMapping::kGranule == 0; }

// Addresses without memory again.
void Forget(uint64_t address, uint64_t bytes) {
  void* at = ::mmap(Pointer(address), bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  WB_CHECK(at == Pointer(address));
}

}  // namespace

int FakeMapping::Reserve(uint64_t* address, uint64_t bytes, uint64_t alignment) {
  WB_CHECK(bytes != 0 && IsWhole(bytes) && IsWhole(alignment));
  void* at = ::mmap(nullptr, bytes + alignment, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return kOutOfMemory;
  const uint64_t first = reinterpret_cast<uint64_t>(at);
  *address = (first + alignment - 1) / alignment * alignment;
  if (*address > first) ::munmap(at, *address - first);
  const uint64_t end = *address + bytes;
  if (end < first + bytes + alignment) ::munmap(Pointer(end), first + bytes + alignment - end);
  MutexLock lock(mutex_);
  reserved_[*address] = bytes;
  return 0;
}

int FakeMapping::Free(uint64_t address, uint64_t bytes) {
  MutexLock lock(mutex_);
  WB_CHECK(reserved_.count(address) == 1 && reserved_[address] == bytes);
  const auto next = mapped_.lower_bound(address);
  WB_CHECK(next == mapped_.end() || next->first >= address + bytes);  // all was unmapped
  reserved_.erase(address);
  return ::munmap(Pointer(address), bytes);
}

uint64_t FakeMapping::Create(uint64_t bytes, const CudaAllocation& of) {
  const CudaAllocation usual;
  WB_CHECK(bytes != 0 && IsWhole(bytes));
  WB_CHECK(of.kind == usual.kind && of.place.kind == usual.place.kind && of.handle_kinds == 0);
  MutexLock lock(mutex_);
  memory_[next_memory_] = {bytes, true, false};
  return next_memory_++;
}

uint64_t FakeMapping::DropUnused(uint64_t memory) {
  const Memory& its = memory_.at(memory);
  if (its.held || its.mapped) return 0;
  const uint64_t bytes = its.bytes;
  memory_.erase(memory);
  return bytes;
}

uint64_t FakeMapping::Release(uint64_t memory) {
  MutexLock lock(mutex_);
  WB_CHECK(memory_.count(memory) == 1 && memory_[memory].held);
  memory_[memory].held = false;
  return DropUnused(memory);
}

bool FakeMapping::IsReserved(uint64_t address, uint64_t bytes) const {
  auto at = reserved_.upper_bound(address);
  if (at == reserved_.begin()) return false;
  --at;
  return address + bytes <= at->first + at->second;
}

void FakeMapping::Map(uint64_t address, uint64_t bytes, uint64_t offset, uint64_t memory) {
  MutexLock lock(mutex_);
  WB_CHECK(IsWhole(address) && IsWhole(bytes) && offset == 0);
  WB_CHECK(memory_.count(memory) == 1 && memory_[memory].held && !memory_[memory].mapped);
  WB_CHECK(memory_[memory].bytes == bytes && IsReserved(address, bytes));
  const auto next = mapped_.lower_bound(address);
  WB_CHECK(next == mapped_.end() || next->first >= address + bytes);
  if (next != mapped_.begin()) {
    const auto before = std::prev(next);
    WB_CHECK(before->first + before->second.bytes <= address);
  }
  memory_[memory].mapped = true;
  mapped_[address] = {bytes, memory, false};
}

uint64_t FakeMapping::Unmap(uint64_t address, uint64_t bytes) {
  MutexLock lock(mutex_);
  WB_CHECK(mapped_.count(address) == 1 && mapped_[address].bytes == bytes);
  const uint64_t memory = mapped_[address].memory;
  Forget(address, bytes);
  mapped_.erase(address);
  memory_[memory].mapped = false;
  return DropUnused(memory);
}

void FakeMapping::Allow(uint64_t address, uint64_t bytes, const CudaAccess& access) {
  MutexLock lock(mutex_);
  WB_CHECK(access.flags == kReadAndWrite && access.place.kind == CudaPlace().kind);
  WB_CHECK(mapped_.count(address) == 1 && mapped_[address].bytes == bytes);
  WB_CHECK(::mprotect(Pointer(address), bytes, PROT_READ | PROT_WRITE) == 0);
  if (!mapped_[address].usable) FillNeverWritten(Pointer(address), bytes, 0xcd);
  mapped_[address].usable = true;
}

bool FakeMapping::Reserves(uint64_t address) const {
  MutexLock lock(mutex_);
  return IsReserved(address, 1);
}

bool FakeMapping::IsUsable(uint64_t address, uint64_t bytes) const {
  MutexLock lock(mutex_);
  const uint64_t end = address + bytes;
  while (address < end) {
    auto at = mapped_.upper_bound(address);
    if (at == mapped_.begin()) return false;
    --at;
    const uint64_t its_end = at->first + at->second.bytes;
    if (!at->second.usable || address >= its_end) return false;
    address = its_end;
  }
  return true;
}

uint64_t FakeMapping::pieces() const {
  MutexLock lock(mutex_);
  return reserved_.size() + memory_.size();
}

}  // namespace wb::test
