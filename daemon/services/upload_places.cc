#include "daemon/services/upload_places.h"

#include "daemon/process/fair_part.h"
#include "scheduler/base/quoted.h"

namespace wb {

Result<std::shared_ptr<void>> UploadPlaces::Take(Whose whose) {
  MutexLock lock(mutex_);
  const Holdings::Held held = taken_.Of(whose);
  const uint64_t of_tenant = FairPart(most_, held.all - held.of_tenant);
  const uint64_t of_connection = FairPart(of_tenant, held.of_tenant - held.of_connection);
  if (held.of_connection + 1 > of_connection) {
    return Status(Reason::kQueueFull,
                  "Of " + Quoted(held.all) + " uploads under way " + Quoted(held.of_tenant) +
                      " are of this tenant and " + Quoted(held.of_connection) +
                      " of this connection. A tenant may have half of what others leave of " +
                      setting_ + " " + Quoted(most_) +
                      ", and a connection half of what its tenant's others leave of that.");
  }
  taken_.Add(whose, 1);
  return std::shared_ptr<void>(
      nullptr, [places = shared_from_this(), whose](void*) { places->Free(whose); });
}

void UploadPlaces::Free(Whose whose) {
  MutexLock lock(mutex_);
  taken_.Remove(whose, 1);
}

}  // namespace wb
