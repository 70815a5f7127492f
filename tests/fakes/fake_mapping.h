#pragma once

// A GPU's addresses that are memory where it was mapped: the driver's calls for that over this
// process's own addresses, which nothing may touch before. What a driver would refuse, or would do
// to another process, stops the process.

#include <cstdint>
#include <map>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cuda/driver.h"

namespace wb::test {

class FakeMapping {
 public:
  static constexpr uint64_t kGranule = uint64_t{2} << 20;

  int Reserve(uint64_t* address, uint64_t bytes, uint64_t alignment);
  int Free(uint64_t address, uint64_t bytes);
  uint64_t Create(uint64_t bytes, const CudaAllocation& of);
  // Bytes that are free again, now that nothing has them.
  uint64_t Release(uint64_t memory);
  void Map(uint64_t address, uint64_t bytes, uint64_t offset, uint64_t memory);
  uint64_t Unmap(uint64_t address, uint64_t bytes);
  void Allow(uint64_t address, uint64_t bytes, const CudaAccess& access);

  bool Reserves(uint64_t address) const;  // it is one of these
  bool IsUsable(uint64_t address, uint64_t bytes) const;
  uint64_t pieces() const;  // reservations and memory that live

 private:
  struct Memory {
    uint64_t bytes = 0;
    bool held = true;  // by its handle
    bool mapped = false;
  };
  struct Mapped {
    uint64_t bytes = 0;
    uint64_t memory = 0;
    bool usable = false;
  };
  bool IsReserved(uint64_t address, uint64_t bytes) const WB_REQUIRES(mutex_);
  uint64_t DropUnused(uint64_t memory) WB_REQUIRES(mutex_);

  mutable Mutex mutex_;
  uint64_t next_memory_ WB_GUARDED_BY(mutex_) = 1;
  std::map<uint64_t, uint64_t> reserved_ WB_GUARDED_BY(mutex_);  // bytes, by address
  std::map<uint64_t, Memory> memory_ WB_GUARDED_BY(mutex_);      // by handle
  std::map<uint64_t, Mapped> mapped_ WB_GUARDED_BY(mutex_);      // by address
};

}  // namespace wb::test
