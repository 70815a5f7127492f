#pragma once

// Memory that the daemon and an engine host both map. The daemon makes it and fixes its size for
// good, so that a broken host cannot shrink it under the daemon.

#include <cstdint>
#include <memory>
#include <span>

#include "compiler/base/status.h"
#include "scheduler/base/shared_memory.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/engine_host/channel.h"

namespace wb {

// Maps the first `bytes` of it. NO_DEVICE_FITS; INTERNAL when it is smaller; MACHINE_FAULT when the
// descriptor did not arrive (-1).
Result<std::unique_ptr<HostRegion>> MapShared(int fd, size_t bytes);
// The same; nothing may be written there.
Result<std::unique_ptr<HostRegion>> MapSharedToRead(int fd, size_t bytes);

// The host's side. The next Map() takes the memory that came with the request. Owner thread only.
class SharedHostMemory final : public HostMemory {
 public:
  void Offer(UniqueFd fd) { next_ = std::move(fd); }
  Result<std::unique_ptr<HostRegion>> Map(size_t bytes) override;

 private:
  UniqueFd next_;
};

}  // namespace wb
