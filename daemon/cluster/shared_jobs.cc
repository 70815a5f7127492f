#include "daemon/cluster/shared_jobs.h"

#include "daemon/cluster/shared_record.h"

namespace wb {
namespace {

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
    entry.forecast.Note(job, record, request->instances);
    entry.forecast.Show(&info);
    entry.info = std::move(info);
    entry.places = {job.id, job.oldest, job.next, job.ended && job.oldest > 0};
    entry.bytes = job.bytes;
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

void SharedJobs::AddTo(JobStoreFigures* figures) const {
  const MutexLock lock(mutex_);
  figures->jobs += jobs_.size();
  for (const auto& [id, entry] : jobs_) {
    figures->result_bytes += entry.bytes;
    ++figures->by_state[static_cast<size_t>(entry.info.state)];
  }
}

}  // namespace wb
