#include "scheduler/run/seats/touched_memory.h"

#include <algorithm>

namespace wb {
namespace {

constexpr uint64_t kGranule = MemoryWindow::kGranule;
// Behind what the program names, where a heap begins.
constexpr uint64_t kHeapBytes = uint64_t{16} << 10;
// One instance in so many that misses is an exception.
constexpr uint64_t kExceptions = 16;
// A window is no more than this part of what memory begins with: else lanes hold all.
constexpr uint64_t kWorthwhile = 2;
// Addresses of 32 bits.
constexpr uint64_t kMostBytes = (uint64_t{1} << 32) - kGranule;

uint64_t Down(uint64_t at) { return at / kGranule * kGranule; }
uint64_t Up(uint64_t at) { return Down(at + kGranule - 1); }

}  // namespace

void Misses::Add(uint32_t block) {
  ++instances;
  if (block == 0) return;
  from = std::min(from, (uint64_t{block} - 1) << abi::MISSED_SHIFT);
  end = std::max(end, uint64_t{block} << abi::MISSED_SHIFT);
}

void Misses::Add(const Misses& more) {
  instances += more.instances;
  from = std::min(from, more.from);
  end = std::max(end, more.end);
}

TouchedMemory::TouchedMemory(const ir::Program& program, WindowForm form)
    : bytes_(uint64_t{program.image.min_pages} * abi::PAGE_BYTES), from_(bytes_), end_(0) {
  const NamedMemory named = NamedMemoryOf(program);
  Hold(form == WindowForm::kAnywhere ? named.from : 0, named.end + kHeapBytes);
}

// Behind the first bytes of a window, to which no access comes.
void TouchedMemory::Hold(uint64_t from, uint64_t end) {
  if (Up(end) > kMostBytes) from = 0;  // and so all
  from = std::min(from, bytes_ - std::min(bytes_, kGranule));
  from_ = std::min(from_, Down(from - std::min<uint64_t>(from, abi::WINDOW_MARGIN)));
  end_ = std::min(std::max(end_, Up(end)), kMostBytes);
}

MemoryWindow TouchedMemory::window() const {
  const uint64_t bytes = end_ - from_;
  if (from_ >= end_ || bytes > bytes_ / kWorthwhile) return {};
  return {static_cast<uint32_t>(from_), static_cast<uint32_t>(bytes)};
}

// Twice as much on the side of the misses: few launches find what there is to find.
bool TouchedMemory::Record(const MemoryWindow& window, uint64_t ended, const Misses& misses) {
  const MemoryWindow now = this->window();
  if (window.is_all() || window != now) return false;
  ended_ += ended;
  missed_ += misses.instances;
  if (misses.instances == 0 || misses.from >= misses.end) return misses.instances > 0;
  if (missed_ * kExceptions < ended_) return true;
  const uint64_t more = window.bytes;
  uint64_t from = misses.from, end = misses.end;
  if (from < from_) from = std::min(from, from_ - std::min(from_, more));
  if (end > end_) end = std::max(end, end_ + more / 2);
  Hold(from, end);
  ended_ = missed_ = 0;
  // A fill or copy that begins in front of the window names only its end, and an engine may name
  // anything: the same window again would be missed again, without end.
  return this->window() == now;
}

}  // namespace wb
