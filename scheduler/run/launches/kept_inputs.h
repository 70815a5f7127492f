#pragma once

// KeptInputs: the inputs that a device keeps, by digest. An input is uploaded once, whatever number
// of dispatches and jobs read it. It stays when none does, and makes room when memory is short,
// that first which was used longest ago. Only on the device's own thread.

#include <cstdint>
#include <list>
#include <memory>

#include "compiler/base/digest.h"
#include "scheduler/base/memory_budget.h"
#include "scheduler/devices/device.h"

namespace wb {

class KeptInputs {
 public:
  // They hold at most so many percent of the budget, which outlives this.
  KeptInputs(uint32_t percent, MemoryBudget& memory) : percent_(percent), memory_(memory) {}
  KeptInputs(const KeptInputs&) = delete;
  KeptInputs& operator=(const KeptInputs&) = delete;

  // The input on the device, uploaded now if it is not there. nullptr: dispatches hold the memory
  // that it needs. NO_DEVICE_FITS: it is longer than all that inputs may hold, or than a buffer of
  // the device; other errors are those of Device::Keep.
  Result<KeptInputRef> Take(Device& device, const InputBytes& input);
  // Drops those that no dispatch reads, but `wanted`. True if memory was freed.
  bool DropIdle(const Digest& wanted);
  void Clear();  // the device is gone

  uint64_t bytes() const { return bytes_; }  // of the device's memory
  uint64_t most() const { return memory_.total() / 100 * percent_; }

 private:
  struct Entry {
    Digest digest;
    uint64_t bytes = 0;  // of the device's memory
    std::weak_ptr<const KeptInput> kept;
    KeptInputRef held;  // null where it stays in the host's memory: nothing is worth holding then

    bool IsIdle() const { return kept.use_count() <= (held != nullptr ? 1 : 0); }
  };

  KeptInputRef Find(const Digest& digest);
  Result<KeptInputRef> Upload(Device& device, const InputBytes& input);
  bool MakeRoom(uint64_t bytes);
  bool DropOldest();
  std::list<Entry>::iterator Drop(std::list<Entry>::iterator entry);

  const uint32_t percent_;
  MemoryBudget& memory_;
  std::list<Entry> entries_;  // the last used first
  uint64_t bytes_ = 0;
};

}  // namespace wb
