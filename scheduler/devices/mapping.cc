#include "scheduler/devices/mapping.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

#include "compiler/base/check.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace wb {
namespace {

size_t PageBytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Mapping::Mapping(Mapping&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(size_, other.size_);
  return *this;
}

Mapping::~Mapping() {
  if (base_ != nullptr) munmap(base_, size_);
}

Result<Mapping> Mapping::Reserve(size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* base = bytes == 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (base == MAP_FAILED) {
    return Status(Reason::kNoDeviceFits, "The system has no room to reserve [" +
                                             std::to_string(bytes) + "] bytes for a dispatch.");
  }
  return Mapping(static_cast<uint8_t*>(base), bytes);
}

void Mapping::ExpectUse() {
#ifdef MADV_HUGEPAGE
  (void)madvise(base_, size_, MADV_HUGEPAGE);  // without it pages come one by one
#endif
}

void Mapping::Clear(size_t at, size_t bytes) {
  WB_CHECK(at <= size_ && bytes <= size_ - at);
  uint8_t* from = base_ + at;
  uint8_t* to = from + bytes;
  const uintptr_t mask = PageBytes() - 1;
  uint8_t* first = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(from) + mask) & ~mask);
  uint8_t* last = reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(to) & ~mask);
#ifdef __linux__
  if (bytes > kMemsetBytes &&
      madvise(first, static_cast<size_t>(last - first), MADV_DONTNEED) == 0) {
    std::memset(from, 0, static_cast<size_t>(first - from));
    std::memset(last, 0, static_cast<size_t>(to - last));
    return;
  }
#else
  // Elsewhere MADV_DONTNEED keeps the bytes; fresh pages are mapped over the old ones.
  if (bytes > kMemsetBytes && mmap(first, static_cast<size_t>(last - first), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
    std::memset(from, 0, static_cast<size_t>(first - from));
    std::memset(last, 0, static_cast<size_t>(to - last));
    return;
  }
#endif
  std::memset(from, 0, bytes);
}

}  // namespace wb
