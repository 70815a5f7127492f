#include "daemon/store/memory/job_book.h"

#include <utility>

namespace wb {
namespace {

bool IsIn(const JobFilter& filter, const JobRecord& record) {
  const JobInfo& info = record.info;
  return record.published && (filter.states >> static_cast<uint32_t>(info.state) & 1) != 0 &&
         (!filter.tenant || info.request->tenant == *filter.tenant);
}

}  // namespace

JobBook::JobBook(const JobStoreLimits& limits, std::function<int64_t()> now,
                 std::shared_ptr<StoreMetrics> metrics)
    : limits_(limits),
      now_(std::move(now)),
      ledger_(limits.results),
      requests_(limits.max_request_bytes, limits.max_input_bytes),
      table_(now_),
      states_(&table_, now_, metrics),
      results_(&ledger_, &table_, std::move(metrics)) {}

void JobBook::Observe(Observer observer) {
  forgotten_ = std::move(observer.forgotten);
  results_.SetDropped(std::move(observer.dropped));
}

Result<JobStore::Created> JobBook::Create(JobRequest request) {
  WB_ASSIGN(std::optional<JobInfo> first, table_.FindRepeated(request));
  if (first) return JobStore::Created{std::move(*first), true};
  const size_t jobs = table_.records().size();
  if (jobs >= limits_.max_jobs && !ForgetOneEnded()) {
    return Status(Reason::kQueueFull,
                  "The daemon has [" + std::to_string(jobs) +
                      "] jobs that have not ended, the most that jobs.max_jobs allows.");
  }
  WB_TRY(requests_.Hold(request));
  return JobStore::Created{Insert(table_.NewInfo(std::move(request))).info, false};
}

JobRecord& JobBook::Insert(JobInfo info) {
  JobRecord& record = table_.Insert(std::move(info));
  results_.Open(&record);
  return record;
}

Result<JobInfo> JobBook::Restore(JobInfo info, uint64_t oldest,
                                 const std::vector<StoredResults>& before) {
  WB_TRY(requests_.Hold(*info.request));
  JobRecord& record = Insert(std::move(info));
  record.published = true;
  record.results->BeginAt(oldest);
  for (const StoredResults& stored : before) record.results->Append(stored);
  record.leaving = record.info.state == JobState::kCheckpointed;
  if (IsTerminal(record.info.state)) {
    ResultRoom::LetGiveWay(&record);
    requests_.KeepShown(&record);
  }
  return record.info;
}

void JobBook::Discard(const std::string& id) {
  if (JobRecord* record = table_.Find(id)) Forget(record);
}

Status JobBook::Delete(const std::string& id) {
  WB_ASSIGN(JobRecord * record, states_.Deletable(id));
  Forget(record);
  return {};
}

void JobBook::Forget(JobRecord* record) {
  const std::string id = record->info.id;
  requests_.Drop(*record);
  table_.Erase(id);
  if (forgotten_) forgotten_(id);
}

bool JobBook::ForgetOneEnded() {
  JobRecord* record = table_.FirstToForget();
  if (record != nullptr) Forget(record);
  return record != nullptr;
}

void JobBook::Expire() {
  const int64_t now = now_();
  JobRecords& records = table_.records();
  for (auto at = records.begin(); at != records.end();) {
    JobRecord* record = &(at++)->second;
    ResultRoom::LetGiveWay(record);
    if (IsTerminal(record->info.state) && record->info.expire_unix_ns <= now) Forget(record);
  }
}

void JobBook::End(const std::string& id, Status status, bool cancelled, const JobUsage& usage,
                  int64_t unix_ns) {
  JobRecord* record = table_.FindOpen(id);
  if (record == nullptr) return;
  JobEnding ending = EndingOf(std::move(status), cancelled, record->leaving, record->info.counts);
  const bool has_ended = IsTerminal(ending.state);
  states_.Stop(record, std::move(ending), usage, unix_ns);
  results_.Close(record, has_ended);
  if (!has_ended) return table_.NoteChanged(record);
  record->info.expire_unix_ns = unix_ns + limits_.ttl_ns;
  requests_.KeepShown(record);
  table_.NoteChanged(record);
  // `record` may be one of those that go.
  while (requests_.IsOver() && ForgetOneEnded()) {
  }
}

JobInfo JobBook::InfoOf(const JobRecord& record) const {
  JobInfo info = record.info;
  results_.NoteHeld(record, &info);
  return info;
}

Result<JobInfo> JobBook::Get(const std::string& id) const {
  WB_ASSIGN(const JobRecord* record, table_.Published(id));
  return InfoOf(*record);
}

Result<JobInfo> JobBook::Known(const std::string& id) const {
  WB_ASSIGN(const JobRecord* record, table_.Known(id));
  return InfoOf(*record);
}

JobPage JobBook::List(const JobFilter& filter, const std::string& after, size_t limit) const {
  const JobRecords& records = table_.records();
  JobPage page;
  auto at = after.empty() ? records.end() : records.lower_bound(after);
  while (at != records.begin()) {
    --at;
    const JobRecord& record = at->second;
    if (!IsIn(filter, record)) continue;
    if (page.jobs.size() == limit) {
      page.more = true;
      break;
    }
    page.jobs.push_back(InfoOf(record));
  }
  return page;
}

Result<std::string> JobBook::KeptRequest(const std::string& id) const {
  WB_ASSIGN(const JobRecord* record, table_.Published(id));
  const std::shared_ptr<const SentRequest>& sent = record->info.request->sent;
  if (sent == nullptr || sent->whole.empty()) return RequestIsGone(id);
  return sent->whole;
}

JobStoreFigures JobBook::Figures() const {
  return {table_.records().size(), ledger_.bytes(), requests_.bytes(), table_.by_state()};
}

}  // namespace wb
