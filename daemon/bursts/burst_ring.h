#pragma once

// BurstRing: the last bursts of each device, in the order in which they came. Pure; its owner
// locks.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/bursts/burst_record.h"

namespace wb {

struct KeptBurst {
  uint64_t order = 0;  // of all devices' bursts
  int64_t start_unix_ns = 0;
  BurstRecord burst;
};
using KeptBurstRef = std::shared_ptr<const KeptBurst>;

// A reader's place: by device, the number of the last burst that it has read.
using BurstPlace = std::map<std::string, uint64_t>;

class BurstRing {
 public:
  static constexpr size_t kKept = 1024;  // of each device

  explicit BurstRing(size_t kept = kKept) : kept_(kept) {}

  // Numbers of a device ascend.
  void Add(int64_t start_unix_ns, BurstRecord burst);

  struct Page {
    std::vector<KeptBurstRef> bursts;
    BurstPlace place;     // after these
    uint64_t missed = 0;  // before these, that are not kept any more
  };
  // What comes after the place, `most` bursts of one device, or ("") of all of them.
  Page Read(const BurstPlace& after, const std::string& device, size_t most) const;
  BurstPlace Begin() const;  // before the oldest that are kept
  bool Has(const std::string& device) const { return devices_.count(device) > 0; }

 private:
  using Row = std::deque<KeptBurstRef>;

  const size_t kept_;
  uint64_t order_ = 0;
  std::map<std::string, Row> devices_;
};

}  // namespace wb
