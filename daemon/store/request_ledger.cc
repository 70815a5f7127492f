#include "daemon/store/request_ledger.h"

#include <algorithm>
#include <set>

#include "compiler/base/check.h"
#include "daemon/process/fair_part.h"

namespace wb {

uint64_t RequestLedger::Holding::More(const RequestHolds& holds) const {
  uint64_t more = holds.bytes;
  std::set<Digest> seen;
  for (const SharedHold& hold : holds.shared) {
    if (seen.insert(hold.key).second && shared.count(hold.key) == 0) more += hold.bytes;
  }
  return more;
}

void RequestLedger::Holding::Add(const RequestHolds& holds) {
  ++jobs;
  bytes += holds.bytes;
  for (const SharedHold& hold : holds.shared) {
    Shared& one = shared[hold.key];
    if (one.holders++ > 0) continue;
    one.bytes = hold.bytes;
    bytes += hold.bytes;
  }
}

void RequestLedger::Holding::Remove(const RequestHolds& holds) {
  --jobs;
  bytes -= holds.bytes;
  for (const SharedHold& hold : holds.shared) {
    const auto at = shared.find(hold.key);
    WB_CHECK(at != shared.end());
    if (--at->second.holders > 0) continue;
    bytes -= at->second.bytes;
    shared.erase(at);
  }
}

uint64_t RequestLedger::bytes_of(const std::string& tenant) const {
  const auto at = tenants_.find(tenant);
  return at == tenants_.end() ? 0 : at->second.bytes;
}

Status RequestLedger::Hold(const std::string& tenant, const RequestHolds& holds) {
  Holding& held = tenants_[tenant];
  const uint64_t wanted = held.More(holds);
  const uint64_t others = all_.bytes - std::min(all_.bytes, held.bytes);
  if (wanted > 0 && held.bytes + wanted > FairPart(max_bytes_, others)) {
    Status refused(Reason::kQueueFull,
                   words_.what + " of the tenant [" + tenant + "] hold [" +
                       std::to_string(held.bytes) + "] bytes while its jobs have not ended; [" +
                       std::to_string(wanted) +
                       "] more would exceed its share, half of what other tenants leave of " +
                       words_.setting + " [" + std::to_string(max_bytes_) + "]: [" +
                       std::to_string(FairPart(max_bytes_, others)) + "]. " + words_.way_out,
                   {{"setting", words_.setting}});
    if (held.jobs == 0) tenants_.erase(tenant);
    return refused;
  }
  held.Add(holds);
  all_.Add(holds);
  return {};
}

void RequestLedger::Drop(const std::string& tenant, const RequestHolds& holds) {
  const auto at = tenants_.find(tenant);
  WB_CHECK(at != tenants_.end());
  at->second.Remove(holds);
  all_.Remove(holds);
  if (at->second.jobs == 0) tenants_.erase(at);
}

}  // namespace wb
