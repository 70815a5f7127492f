// The requests of MemoryJobStore's jobs: which are taken, and what an ended job keeps of its own.

#include <algorithm>
#include <utility>

#include "daemon/store/job_holds.h"
#include "daemon/store/memory_job_store.h"
#include "daemon/store/names.h"

namespace wb {
namespace {

// Steps of an ended job that are shown again; longer ones are dropped.
constexpr uint64_t kMostKeptSteps = 16 << 10;

}  // namespace

LedgerWords RequestWords() {
  return {"Steps, columns and linked modules", "jobs.max_request_bytes",
          "Wait until some have ended, upload long columns as inputs, or raise it."};
}

LedgerWords InputWords() {
  return {"Uploaded inputs", "inputs.max_total_bytes", "Wait until some have ended, or raise it."};
}

// The job that the same request made before, if it came before.
Result<std::optional<JobInfo>> MemoryJobStore::FindRepeated(const JobRequest& request) const {
  const auto at = by_request_id_.find(request.request_id);
  if (request.request_id.empty() || at == by_request_id_.end()) return std::optional<JobInfo>();
  const Record& first = jobs_.at(at->second);
  if (first.info.request->body != request.body) {
    return Status(Reason::kRequestIdReused,
                  "The request id [" + request.request_id +
                      "] came before with another request; that one made the job [" +
                      JobName(at->second) + "].",
                  {{"field", "request_id"}, {"job", JobName(at->second)}});
  }
  if (!first.published) {
    return Status(Reason::kUnavailable, "The same request is being accepted at this moment.");
  }
  return std::optional<JobInfo>(first.info);
}

Result<JobStore::Created> MemoryJobStore::Create(JobRequest request) {
  std::lock_guard lock(mutex_);
  WB_ASSIGN(std::optional<JobInfo> first, FindRepeated(request));
  if (first) return Created{std::move(*first), true};
  if (jobs_.size() >= limits_.max_jobs && !ForgetOneEnded()) {
    return Status(Reason::kQueueFull,
                  "The daemon has [" + std::to_string(jobs_.size()) +
                      "] jobs that have not ended, the most that jobs.max_jobs allows.");
  }
  WB_TRY(HoldRequest(request));
  Record record;
  record.info.id = NewId();
  record.info.number = next_number_++;
  record.info.request = std::make_shared<const JobRequest>(std::move(request));
  record.info.history.push_back({JobState::kQueued, now_()});
  record.info.version = 1;
  record.results = std::make_unique<JobResults>(&ledger_, record.info.request->tenant,
                                                record.info.request->most_result_bytes);
  JobInfo info = record.info;
  const std::string& request_id = info.request->request_id;
  if (!request_id.empty()) by_request_id_[request_id] = info.id;
  jobs_.emplace(info.id, std::move(record));
  return Created{info, false};
}

Status MemoryJobStore::HoldRequest(const JobRequest& request) {
  WB_TRY(requests_.Hold(request.tenant, request.holds));
  Status status = inputs_.Hold(request.tenant, request.inputs);
  if (!status.ok()) requests_.Drop(request.tenant, request.holds);
  return status;
}

void MemoryJobStore::DropRequest(const JobRequest& request) {
  requests_.Drop(request.tenant, request.holds);
  inputs_.Drop(request.tenant, request.inputs);
}

// Of a job that ends: its columns and module go with the scheduler's job; what is shown again
// stays, within a bound of all ended jobs.
void MemoryJobStore::KeepShownOfRequest(Record* record) {
  std::shared_ptr<const JobRequest>& request = record->info.request;
  DropRequest(*request);
  if (StepBytes(request->steps) > kMostKeptSteps) {
    JobRequest kept = *request;
    kept.steps = {};
    request = std::make_shared<const JobRequest>(std::move(kept));
  }
  record->kept_request_bytes = StepBytes(request->steps) + LabelBytes(*request);
  kept_request_bytes_ += record->kept_request_bytes;
}

// Not while a caller holds a record: it may be the one that goes.
void MemoryJobStore::ForgetBeyondBound() {
  while (kept_request_bytes_ > limits_.max_request_bytes / 8 && ForgetOneEnded()) {
  }
}

// An ended job of the tenant that has most of them: one whose results were acknowledged, or else
// the oldest. False: no job has ended.
bool MemoryJobStore::ForgetOneEnded() {
  std::map<std::string, uint64_t> ended;
  for (const auto& [id, record] : jobs_) {
    if (record.results->gives_way()) ++ended[record.info.request->tenant];
  }
  const auto most = std::max_element(
      ended.begin(), ended.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == ended.end()) return false;
  auto oldest = jobs_.end();
  for (auto at = jobs_.begin(); at != jobs_.end(); ++at) {
    const Record& record = at->second;
    if (!record.results->gives_way() || record.info.request->tenant != most->first) continue;
    if (oldest == jobs_.end()) oldest = at;
    if (!record.results->is_read()) continue;
    oldest = at;
    break;
  }
  Erase(oldest);
  return true;
}

}  // namespace wb
