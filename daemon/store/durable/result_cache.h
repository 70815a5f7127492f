#pragma once

// ResultCache: results that were stored last, in memory, for readers that follow their jobs. The
// oldest make room.
//
// Threads: any; has a lock of its own.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/job/result_batch.h"

namespace wb {

class ResultCache {
 public:
  using Results = std::shared_ptr<const ResultBatch>;
  struct Part {
    Results results;
    size_t from = 0;
    size_t to = 0;
  };

  explicit ResultCache(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  // Those of the block whose first result has the position `first`. `bytes`: that they hold.
  void Put(const std::string& job, uint64_t first, Part part, uint64_t bytes);
  Part Get(const std::string& job, uint64_t first) const;  // without results: they are not here
  uint64_t bytes() const;

 private:
  using Key = std::pair<std::string, uint64_t>;
  struct Entry {
    Part part;
    uint64_t bytes = 0;
  };

  const uint64_t max_bytes_;
  mutable Mutex mutex_;
  std::map<Key, Entry> entries_ WB_GUARDED_BY(mutex_);
  std::list<Key> order_ WB_GUARDED_BY(mutex_);  // oldest first
  uint64_t bytes_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb
