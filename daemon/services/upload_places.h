#pragma once

// Uploads under way: a bounded number, of which one connection may have half of what the others
// leave. Threads: any.

#include <map>
#include <memory>
#include <string>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/process/turns.h"

namespace wb {

class UploadPlaces : public std::enable_shared_from_this<UploadPlaces> {
 public:
  // `setting`: the bound's name, for messages.
  UploadPlaces(uint64_t most, std::string setting) : most_(most), setting_(std::move(setting)) {}

  // The place is free again when the handle is dropped. QUEUE_FULL.
  Result<std::shared_ptr<void>> Take(Whose whose);

 private:
  void Free(Whose whose);

  const uint64_t most_;
  const std::string setting_;
  Mutex mutex_;
  std::map<Whose, uint64_t> taken_ WB_GUARDED_BY(mutex_);
  uint64_t all_ WB_GUARDED_BY(mutex_) = 0;
};

}  // namespace wb
