#include "scheduler/job/resident/resident_arena.h"

#include <sys/mman.h>

#include <iterator>
#include <utility>

#include "scheduler/base/shared_memory.h"

namespace wb {
namespace {

constexpr uint64_t kUnit = 64;  // bytes; what lies apart shares no line of a cache

uint64_t Rounded(uint64_t bytes) { return (bytes + kUnit - 1) / kUnit * kUnit; }

}  // namespace

PlacedWords::~PlacedWords() { arena_->GiveBack(at_, Rounded(words_.size_bytes())); }

int PlacedWords::shared() const { return arena_->fd_.get(); }

std::shared_ptr<ResidentArena> ResidentArena::Make(uint64_t bytes) {
  bytes = Rounded(bytes);
  Result<UniqueFd> fd = MakeSharedMemory(bytes, LaterSeals::kContents);
  if (!fd.ok()) return nullptr;
  void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (base == MAP_FAILED) return nullptr;
  SealContents(fd->get());  // for those who map it later
  return std::shared_ptr<ResidentArena>(
      new ResidentArena(std::move(fd).value(), static_cast<uint8_t*>(base), bytes));
}

ResidentArena::ResidentArena(UniqueFd fd, uint8_t* base, uint64_t bytes)
    : fd_(std::move(fd)), base_(base), bytes_(bytes) {
  MutexLock lock(mutex_);
  AddFree(0, bytes);
}

ResidentArena::~ResidentArena() { ::munmap(base_, bytes_); }

void ResidentArena::AddFree(uint64_t at, uint64_t bytes) {
  free_.emplace(at, bytes);
  free_by_size_.emplace(bytes, at);
}

void ResidentArena::RemoveFree(std::map<uint64_t, uint64_t>::iterator at) {
  auto [first, last] = free_by_size_.equal_range(at->second);
  while (first != last && first->second != at->first) ++first;
  free_by_size_.erase(first);
  free_.erase(at);
}

// The smallest part in which it fits.
std::shared_ptr<const PlacedWords> ResidentArena::Place(uint64_t words) {
  const uint64_t bytes = Rounded(words * sizeof(uint32_t));
  MutexLock lock(mutex_);
  const auto fits = free_by_size_.lower_bound(bytes);
  if (fits == free_by_size_.end()) return nullptr;
  const auto [has, at] = *fits;
  RemoveFree(free_.find(at));
  if (has > bytes) AddFree(at + bytes, has - bytes);
  const std::span<uint32_t> its(reinterpret_cast<uint32_t*>(base_ + at), words);
  return std::make_shared<const PlacedWords>(shared_from_this(), at, its);
}

void ResidentArena::GiveBack(uint64_t at, uint64_t bytes) {
  MutexLock lock(mutex_);
  auto next = free_.lower_bound(at);
  if (next != free_.end() && next->first == at + bytes) {
    bytes += next->second;
    RemoveFree(next);
    next = free_.lower_bound(at);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      at = before->first;
      bytes += before->second;
      RemoveFree(before);
    }
  }
  AddFree(at, bytes);
}

}  // namespace wb
