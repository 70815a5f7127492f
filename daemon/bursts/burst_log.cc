#include "daemon/bursts/burst_log.h"

#include <utility>

namespace wb {

void BurstLog::OnBurst(const BurstRecord& burst) {
  {
    MutexLock lock(mutex_);
    ring_.Add(now_() - burst.since_start.count(), burst);
  }
  if (listeners_->any()) listeners_->Call();
}

BurstRing::Page BurstLog::Read(const BurstPlace& after, const std::string& device,
                               size_t most) const {
  MutexLock lock(mutex_);
  return ring_.Read(after, device, most);
}

BurstPlace BurstLog::Begin() const {
  MutexLock lock(mutex_);
  return ring_.Begin();
}

bool BurstLog::Has(const std::string& device) const {
  MutexLock lock(mutex_);
  return ring_.Has(device);
}

std::shared_ptr<void> BurstLog::Subscribe(std::function<void()> added) {
  return listeners_->Add(std::move(added));
}

}  // namespace wb
