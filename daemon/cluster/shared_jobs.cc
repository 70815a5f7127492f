#include "daemon/cluster/shared_jobs.h"

#include <algorithm>
#include <functional>

#include "daemon/cluster/shared_record.h"

namespace wb {
namespace {

constexpr size_t kFewHolders = 3;

bool IsIn(const JobFilter& filter, const JobInfo& info) {
  return (filter.states >> static_cast<uint32_t>(info.state) & 1) != 0 &&
         (!filter.tenant || info.request->tenant == *filter.tenant);
}

}  // namespace

// A request never changes.
Result<std::shared_ptr<const JobRequest>> SharedJobs::RequestOf(const SharedJob& job) const {
  {
    const MutexLock lock(mutex_);
    const auto at = jobs_.find(job.id);
    if (at != jobs_.end()) return at->second.info.request;
  }
  WB_ASSIGN(JobRequest request, read_(job.shown));
  WB_ASSIGN(const DurableRecord record, DecodeRecord(job.record));
  request.request_id = record.request_id;
  request.body = record.body;
  return std::make_shared<const JobRequest>(std::move(request));
}

Status SharedJobs::Put(const SharedJob& job) {
  WB_ASSIGN(const std::shared_ptr<const JobRequest> request, RequestOf(job));
  WB_ASSIGN(const DurableRecord record, DecodeRecord(job.record));
  JobInfo info = InfoOf(job, record, request);
  std::shared_ptr<JobListeners> listeners;
  {
    const MutexLock lock(mutex_);
    Entry& entry = jobs_[job.id];
    if (entry.info.version >= job.version) return {};
    info.number = entry.info.number != 0 ? entry.info.number : ++last_number_;
    if (entry.info.version > 0) Uncount(job.id, entry);
    entry.forecast.Note(job, record, request->instances);
    entry.forecast.Show(&info);
    entry.info = std::move(info);
    entry.places = {job.id, job.oldest, job.next, job.ended && job.oldest > 0};
    entry.bytes = job.bytes;
    Count(job.id, entry);
    if (entry.listeners->any()) listeners = entry.listeners;
  }
  if (listeners != nullptr) listeners->Call();
  return {};
}

void SharedJobs::Erase(const std::string& id) {
  std::shared_ptr<JobListeners> listeners;
  {
    const MutexLock lock(mutex_);
    const auto at = jobs_.find(id);
    if (at == jobs_.end()) return;
    listeners = at->second.listeners;
    Uncount(id, at->second);
    jobs_.erase(at);
  }
  listeners->Call();
}

std::optional<JobInfo> SharedJobs::Get(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return std::nullopt;
  return at->second.info;
}

std::optional<std::pair<ResultPlaces, bool>> SharedJobs::PlacesFor(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return std::nullopt;
  return std::pair(at->second.places, IsTerminal(at->second.info.state));
}

JobPage SharedJobs::List(const JobFilter& filter, const std::string& after, size_t limit) const {
  const MutexLock lock(mutex_);
  JobPage page;
  auto at = after.empty() ? jobs_.end() : jobs_.lower_bound(after);
  while (at != jobs_.begin()) {
    --at;
    if (!IsIn(filter, at->second.info)) continue;
    if (page.jobs.size() == limit) {
      page.more = true;
      break;
    }
    page.jobs.push_back(at->second.info);
  }
  return page;
}

std::optional<std::shared_ptr<void>> SharedJobs::Subscribe(const std::string& id,
                                                           std::function<void()> changed) {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return std::nullopt;
  return at->second.listeners->Add(std::move(changed));
}

uint64_t SharedJobs::VersionOf(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  return at == jobs_.end() ? 0 : at->second.info.version;
}

uint64_t SharedJobs::BytesOf(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  return at == jobs_.end() ? 0 : at->second.bytes;
}

std::vector<std::string> SharedJobs::Ids() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> ids;
  for (const auto& [id, entry] : jobs_) ids.push_back(id);
  return ids;
}

JobHolding SharedJobs::Entry::Holding() const {
  const uint64_t most = info.request->most_part_bytes;
  return {info.request->tenant, bytes, places.next - std::min(places.next, places.oldest),
          info.counts.running, most == UINT64_MAX ? 0 : most};
}

void SharedJobs::Count(const std::string& id, const Entry& entry) {
  Bytes& bytes = tenants_[entry.info.request->tenant];
  (entry.is_ended() ? bytes.spare : bytes.kept) += entry.bytes;
  if (!entry.is_ended()) active_.insert(id);
}

void SharedJobs::Uncount(const std::string& id, const Entry& entry) {
  Bytes& bytes = tenants_[entry.info.request->tenant];
  (entry.is_ended() ? bytes.spare : bytes.kept) -= entry.bytes;
  if (bytes.kept + bytes.spare == 0) tenants_.erase(entry.info.request->tenant);
  active_.erase(id);
}

void SharedJobs::AddTo(SharedRoom* room, const Newer& newer, bool has_open) const {
  const MutexLock lock(mutex_);
  for (const std::string& id : active_) {
    const auto at = newer.find(id);
    const Entry& entry = jobs_.at(id);
    JobHolding holding = at != newer.end() ? at->second : entry.Holding();
    const JobInfo& info = entry.info;
    const uint64_t left =
        info.request->instances - std::min(info.request->instances, info.counts.finished);
    // A claim is no change that is heard.
    if (at == newer.end() && has_open && info.state == JobState::kRunning) holding.claimed = left;
    room->Add(holding);
  }
  for (const auto& [tenant, bytes] : tenants_) room->AddSpare(tenant, bytes.spare);
}

std::optional<JobHolding> SharedJobs::HoldingOf(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return std::nullopt;
  return at->second.Holding();
}

std::vector<std::pair<std::string, uint64_t>> SharedJobs::EndedOf(const std::string& tenant) const {
  const MutexLock lock(mutex_);
  std::vector<std::pair<std::string, uint64_t>> ended;
  for (const auto& [id, entry] : jobs_) {
    if (!entry.is_ended() || entry.bytes == 0 || entry.info.request->tenant != tenant) continue;
    ended.emplace_back(id, entry.bytes);
  }
  return ended;
}

SharedJobs::Holders SharedJobs::LargestOf(const std::string* tenant) const {
  const MutexLock lock(mutex_);
  Holders holders;
  for (const std::string& id : active_) {
    const Entry& entry = jobs_.at(id);
    if (entry.bytes == 0 || (tenant != nullptr && entry.info.request->tenant != *tenant)) continue;
    holders.emplace_back(entry.bytes, id);
  }
  const size_t few = std::min(holders.size(), kFewHolders);
  std::partial_sort(holders.begin(), holders.begin() + static_cast<ptrdiff_t>(few), holders.end(),
                    std::greater<>());
  holders.resize(few);
  return holders;
}

bool SharedJobs::IsHalfFull(const ResultLimits& limits, const std::string& tenant) const {
  const MutexLock lock(mutex_);
  uint64_t all = 0;
  for (const auto& [name, bytes] : tenants_) {
    all += bytes.kept + bytes.spare;
    if (name == tenant && bytes.kept + bytes.spare > limits.TenantBytes() / 2) return true;
  }
  return all > limits.max_bytes / 2;
}

std::vector<std::string> SharedJobs::Followed() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> followed;
  for (const auto& [id, entry] : jobs_) {
    if (entry.is_ended() && entry.bytes > 0 && entry.listeners->any()) followed.push_back(id);
  }
  return followed;
}

void SharedJobs::AddTo(JobStoreFigures* figures) const {
  const MutexLock lock(mutex_);
  figures->jobs += jobs_.size();
  for (const auto& [id, entry] : jobs_) {
    figures->result_bytes += entry.bytes;
    ++figures->by_state[static_cast<size_t>(entry.info.state)];
  }
}

}  // namespace wb
