#include "daemon/cluster/shared_results.h"

#include <utility>

#include "daemon/process/log.h"

namespace wb {

SharedRoom SharedResults::Room(const SharedJobs::Newer& newer, bool has_open) const {
  SharedRoom room(limits_);
  jobs_.AddTo(&room, newer, has_open);
  std::set<std::string> asked;
  while (const std::optional<std::string> tenant = room.MustGive()) {
    if (!GiveWay(*tenant, &asked, &room)) break;
  }
  return room;
}

// One job of the tenant. False: there is none that was not asked yet.
bool SharedResults::GiveWay(const std::string& tenant, std::set<std::string>* asked,
                            SharedRoom* room) const {
  for (const auto& [id, bytes] : jobs_.EndedOf(tenant)) {
    if (!asked->insert(id).second) continue;
    const Result<bool> dropped = rows_.DropUnread(id);
    if (!dropped.ok()) return false;
    if (!*dropped) {
      room->MustStay(tenant, bytes);
      return true;
    }
    room->Gave(tenant, bytes);
    Log(LogLevel::kInfo, "results_dropped", {{"job", id}, {"bytes", std::to_string(bytes)}});
    const Result<std::optional<SharedJob>> job = rows_.Find(id);
    if (job.ok() && *job) (void)jobs_.Put(**job);
    return true;
  }
  return false;
}

void SharedResults::NoteHeld(std::vector<JobInfo>* jobs) const {
  View view;
  for (JobInfo& job : *jobs) NoteHeldBy(&view, &job);
}

void SharedResults::NoteHeldBy(View* view, JobInfo* info) const {
  const bool may_start = info->state == JobState::kRunning || info->state == JobState::kQueued;
  // What runs takes the room: the job does not wait.
  if (!may_start || info->counts.running > 0) return;
  if (info->counts.finished >= info->request->instances) return;
  const std::optional<JobHolding> holding = jobs_.HoldingOf(info->id);
  if (!holding) return;
  if (!view->room) {
    view->room.emplace(limits_);
    jobs_.AddTo(&*view->room, {}, false);
  }
  if (view->room->Of(*holding) > 0) return;
  SayHeld(FactsOf(*holding, view), info);
  info->waiting_for = info->held_by_results;
}

HeldFacts SharedResults::FactsOf(const JobHolding& holding, View* view) const {
  HeldFacts facts;
  facts.bound = view->room->Tightest(holding);
  facts.limits = limits_;
  facts.tenant = holding.tenant;
  facts.unread = holding.results;
  facts.kept = holding.bytes;
  facts.kept_of_tenant = view->room->kept_of(facts.tenant);
  if (facts.bound == ResultBound::kTenant) {
    const auto [at, is_new] = view->of_tenants.try_emplace(facts.tenant);
    if (is_new) at->second = jobs_.LargestOf(&facts.tenant);
    facts.holders = at->second;
  }
  if (facts.bound == ResultBound::kAll) {
    if (!view->of_all) view->of_all = jobs_.LargestOf(nullptr);
    facts.holders = *view->of_all;
  }
  return facts;
}

bool SharedResults::MustGo(const std::string& id, const std::string& tenant) const {
  return jobs_.BytesOf(id) > limits_.max_job_bytes / 2 || jobs_.IsHalfFull(limits_, tenant);
}

void SharedResults::NoteReaders(std::chrono::nanoseconds time) const {
  (void)rows_.NoteReaders(jobs_.Followed(), time);
}

}  // namespace wb
