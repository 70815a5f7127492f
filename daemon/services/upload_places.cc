#include "daemon/services/upload_places.h"

#include "daemon/process/fair_part.h"

namespace wb {

Result<std::shared_ptr<void>> UploadPlaces::Take(Whose whose) {
  MutexLock lock(mutex_);
  const auto at = taken_.find(whose);
  const uint64_t taken = at == taken_.end() ? 0 : at->second;
  if (taken + 1 > FairPart(most_, all_ - taken)) {
    return Status(Reason::kQueueFull,
                  "Of [" + std::to_string(all_) + "] uploads under way [" + std::to_string(taken) +
                      "] are of this connection, half of what others leave of " + setting_ + " [" +
                      std::to_string(most_) + "].");
  }
  ++taken_[whose];
  ++all_;
  return std::shared_ptr<void>(
      nullptr, [places = shared_from_this(), whose](void*) { places->Free(whose); });
}

void UploadPlaces::Free(Whose whose) {
  MutexLock lock(mutex_);
  --all_;
  if (--taken_[whose] == 0) taken_.erase(whose);
}

}  // namespace wb
