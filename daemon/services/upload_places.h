#pragma once

// Uploads under way: a bounded number. A tenant may have half of what others leave, and a
// connection half of what its tenant's others leave of that. Threads: any.

#include <memory>
#include <string>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/process/holdings.h"

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
  Holdings taken_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
