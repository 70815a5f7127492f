#include "daemon/store/memory/result_room.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/store/names.h"

namespace wb {
namespace {

constexpr size_t kJobsNamed = 3;

std::string InMiB(uint64_t bytes) {
  return std::to_string((bytes + (uint64_t{1} << 20) - 1) >> 20) + " MiB";
}

// The largest of them, as a clause; empty: there are none.
std::string MostOf(std::vector<std::pair<uint64_t, std::string>> holders) {
  std::sort(holders.rbegin(), holders.rend());
  std::string words;
  for (size_t i = 0; i < std::min(holders.size(), kJobsNamed); ++i) {
    words += (i == 0 ? "; most of them are those of [" : ", [") + JobName(holders[i].second) + "]";
  }
  return words;
}

}  // namespace

void SayHeld(HeldFacts facts, JobInfo* info) {
  info->held_by_others = facts.bound != ResultBound::kJob;
  switch (facts.bound) {
    case ResultBound::kJob:
      info->held_by_results = "its reader: [" + std::to_string(facts.unread) +
                              "] of its results have not been acknowledged, and results hold [" +
                              InMiB(facts.kept) + "] of the [" + InMiB(facts.limits.max_job_bytes) +
                              "] that results.max_job_bytes allows";
      break;
    case ResultBound::kTenant:
      info->held_by_results = "readers of its tenant: results of the tenant [" + facts.tenant +
                              "] that were not acknowledged hold [" + InMiB(facts.kept_of_tenant) +
                              "] of the [" + InMiB(facts.limits.TenantBytes()) +
                              "] that results.max_tenant_bytes allows" +
                              MostOf(std::move(facts.holders));
      break;
    case ResultBound::kAll:
      info->held_by_results =
          "readers of other jobs: results that were not acknowledged leave no room of the [" +
          InMiB(facts.limits.max_bytes) + "] that results.max_total_bytes allows" +
          MostOf(std::move(facts.holders));
      break;
  }
}

// Of the tenant, or all.
std::vector<std::pair<uint64_t, std::string>> ResultRoom::Holders(const std::string* tenant) const {
  std::vector<std::pair<uint64_t, std::string>> jobs;
  for (const auto& [id, record] : table_.records()) {
    const uint64_t kept = record.results->account().kept();
    if (kept > 0 && (tenant == nullptr || record.info.request->tenant == *tenant)) {
      jobs.emplace_back(kept, id);
    }
  }
  return jobs;
}

void ResultRoom::NoteHeldByResults(const JobRecord& record, JobInfo* info) const {
  const ResultAccount& account = record.results->account();
  const bool may_start = info->state == JobState::kRunning || info->state == JobState::kQueued;
  const bool has_more = info->counts.finished + account.reserved() < info->request->instances;
  // What runs takes the room: the job does not wait.
  if (!may_start || !has_more || account.reserved() > 0) return;
  if (account.Room() > 0 && account.WholeRoom() > 0) return;
  HeldFacts facts;
  facts.bound = account.Tightest();
  facts.limits = ledger_.limits();
  facts.tenant = account.tenant();
  facts.unread = record.results->next() - record.results->acknowledged();
  facts.kept = account.kept();
  facts.kept_of_tenant = ledger_.kept_of(facts.tenant);
  if (facts.bound == ResultBound::kTenant) facts.holders = Holders(&facts.tenant);
  if (facts.bound == ResultBound::kAll) facts.holders = Holders(nullptr);
  SayHeld(std::move(facts), info);
}

// Drops spare results of the tenant while `is_over`: acknowledged ones first.
void ResultRoom::DropSpare(const std::string& tenant, const std::function<bool()>& is_over) {
  for (const bool acknowledged : {true, false}) {
    for (auto& [id, record] : table_.records()) {
      if (!is_over()) return;
      JobResults& results = *record.results;
      if (record.info.request->tenant != tenant) continue;
      const bool may = acknowledged || results.gives_way();
      const bool dropped =
          may && (acknowledged ? results.DropAcknowledged(is_over) : results.DropAll());
      if (!dropped || !IsTerminal(record.info.state)) continue;
      record.info.results_dropped = results.oldest();
      table_.NoteChanged(&record);
    }
  }
}

void ResultRoom::LetGiveWay(JobRecord* record) {
  if (!IsTerminal(record->info.state)) return;
  if (record->results->is_read() || !record->listeners->any()) record->results->GiveWay();
}

void ResultRoom::MakeRoom(const std::string& tenant) {
  const bool is_short = ledger_.IsOver() || ledger_.Free(tenant, 0) == 0;
  if (is_short) {
    for (auto& [id, record] : table_.records()) LetGiveWay(&record);
  }
  if (ledger_.IsTenantOver(tenant)) {
    DropSpare(tenant, [this, &tenant] { return ledger_.IsTenantOver(tenant); });
  }
  while (ledger_.IsOver()) {
    const std::optional<std::string> most = ledger_.MostSpare();
    if (!most) return;
    DropSpare(*most, [this, &most] { return ledger_.IsOver() && ledger_.MostSpare() == most; });
  }
}

}  // namespace wb
