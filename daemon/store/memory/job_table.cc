#include "daemon/store/memory/job_table.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

// Request ids of different tenants are different. "": the request has none.
std::string RequestKey(const JobRequest& request) {
  if (request.request_id.empty()) return "";
  return request.tenant + '\0' + request.request_id;
}

}  // namespace

JobTable::JobTable(std::function<int64_t()> now) : now_(std::move(now)) {}

Result<std::optional<JobInfo>> JobTable::FindRepeated(const JobRequest& request) const {
  const auto at = by_request_id_.find(RequestKey(request));
  if (request.request_id.empty() || at == by_request_id_.end()) return std::optional<JobInfo>();
  const JobRecord& first = records_.at(at->second);
  if (first.info.request->body != request.body) {
    return RequestIdReused(request.request_id, at->second);
  }
  if (!first.published) {
    return Status(Reason::kUnavailable, "The same request is being accepted at this moment.");
  }
  return std::optional<JobInfo>(first.info);
}

JobInfo JobTable::NewInfo(JobRequest request) {
  JobInfo info;
  info.id = ids_.New(now_());
  info.request = std::make_shared<const JobRequest>(std::move(request));
  info.history.push_back({JobState::kQueued, now_()});
  info.version = 1;
  return info;
}

JobRecord& JobTable::Insert(JobInfo info) {
  JobRecord record;
  record.info = std::move(info);
  record.info.number = next_number_++;
  const std::string id = record.info.id;
  ids_.Saw(id);
  ++by_state_[static_cast<size_t>(record.info.state)];
  const std::string request_key = RequestKey(*record.info.request);
  if (!request_key.empty()) by_request_id_[request_key] = id;
  return records_.emplace(id, std::move(record)).first->second;
}

void JobTable::Erase(const std::string& id) {
  const auto at = records_.find(id);
  if (at == records_.end()) return;
  by_request_id_.erase(RequestKey(*at->second.info.request));
  NoteChanged(&at->second);
  --by_state_[static_cast<size_t>(at->second.info.state)];
  records_.erase(at);
}

JobRecord* JobTable::Find(const std::string& id) {
  const auto at = records_.find(id);
  return at == records_.end() ? nullptr : &at->second;
}

JobRecord* JobTable::FindOpen(const std::string& id) {
  JobRecord* record = Find(id);
  return record == nullptr || IsTerminal(record->info.state) ? nullptr : record;
}

Result<const JobRecord*> JobTable::Known(const std::string& id) const {
  const auto at = records_.find(id);
  if (at == records_.end()) return NoSuchJob(id);
  return &at->second;
}

Result<const JobRecord*> JobTable::Published(const std::string& id) const {
  const auto at = records_.find(id);
  if (at == records_.end() || !at->second.published) return NoSuchJob(id);
  return &at->second;
}

Result<JobRecord*> JobTable::Published(const std::string& id) {
  JobRecord* record = Find(id);
  if (record == nullptr || !record->published) return NoSuchJob(id);
  return record;
}

JobRecord* JobTable::FirstToForget() {
  std::map<std::string, uint64_t> ended;
  for (const auto& [id, record] : records_) {
    if (record.results->gives_way()) ++ended[record.info.request->tenant];
  }
  const auto most = std::max_element(
      ended.begin(), ended.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == ended.end()) return nullptr;
  JobRecord* oldest = nullptr;
  for (auto& [id, record] : records_) {
    if (!record.results->gives_way() || record.info.request->tenant != most->first) continue;
    if (record.results->is_read()) return &record;
    if (oldest == nullptr) oldest = &record;
  }
  return oldest;
}

void JobTable::SetState(JobRecord* record, JobState state, int64_t unix_ns) {
  if (record->info.state == state) return;
  --by_state_[static_cast<size_t>(record->info.state)];
  ++by_state_[static_cast<size_t>(state)];
  record->info.state = state;
  record->info.history.push_back({state, unix_ns});
}

void JobTable::NoteChanged(JobRecord* record) {
  ++record->info.version;
  const JobInfo& info = record->info;
  // The end follows at once: what listeners send then is the last results and the end in one.
  if (info.counts.finished == info.request->instances && !IsTerminal(info.state)) return;
  changed_.push_back(record->listeners);
}

std::vector<std::shared_ptr<JobListeners>> JobTable::TakeChanged() {
  return std::exchange(changed_, {});
}

}  // namespace wb
