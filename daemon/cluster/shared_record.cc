#include "daemon/cluster/shared_record.h"

#include <algorithm>
#include <utility>

#include "daemon/store/names.h"

namespace wb {
namespace {

void SetState(JobState state, const ChangeTime& when, DurableRecord* record) {
  if (record->info.state == state) return;
  record->info.state = state;
  record->info.history.push_back({state, when.unix_ns});
}

// As what has happened leaves it: the job ends where nobody runs any of it.
SharedChange Written(const SharedJob& job, const ChangeTime& when, DurableRecord* record) {
  JobInfo& info = record->info;
  SharedChange change;
  const bool is_stopping = info.state == JobState::kCancelling;
  change.closes_ranges = is_stopping;
  const uint64_t open = is_stopping ? 0 : job.open;
  if (!job.ended && open == 0 && job.claimed == 0) {
    JobEnding ending =
        EndingOf(info.error, is_stopping && info.error.ok(), false, record->totals.counts);
    info.error = std::move(ending.error);
    SetState(ending.state, when, record);
    info.expire_unix_ns = when.unix_ns + when.ttl.count();
    change.ends = true;
    change.kept_for = when.ttl;
  }
  change.state = static_cast<uint32_t>(info.state);
  change.record = EncodeRecord(*record);
  return change;
}

void NoteWhere(const HostPart& part, DurableRecord* record) {
  if (!part.device.empty()) record->info.device = part.device;
  if (!part.placement_reason.empty()) record->info.placement_reason = part.placement_reason;
}

}  // namespace

void AddUsage(const JobUsage& more, JobUsage* usage) {
  usage->fuel += more.fuel;
  usage->bursts += more.bursts;
  usage->carried += more.carried;
  usage->device_time += more.device_time;
  if (more.joules) usage->joules = usage->joules.value_or(0) + *more.joules;
  usage->lane_fuel.Add(more.lane_fuel);
  usage->quick_compile_time += more.quick_compile_time;
  usage->full_compile_time += more.full_compile_time;
  usage->pipeline_cached = usage->pipeline_cached || more.pipeline_cached;
  usage->lost_states += more.lost_states;
  if (usage->failures.empty()) usage->failures = more.failures;
  if (usage->limit.empty()) usage->limit = more.limit;
}

Result<SharedChange> AfterPart(const SharedJob& job, const HostPart& part, const ChangeTime& when) {
  WB_ASSIGN(DurableRecord record, DecodeRecord(job.record));
  record.totals.Add(part.totals);
  AddUsage(part.usage, &record.info.usage);
  NoteWhere(part, &record);
  return Written(job, when, &record);
}

Result<SharedChange> AfterTurn(const SharedJob& job, const HostPart& part, const ChangeTime& when) {
  WB_ASSIGN(DurableRecord record, DecodeRecord(job.record));
  NoteWhere(part, &record);
  if (record.info.state == JobState::kQueued) SetState(JobState::kRunning, when, &record);
  if (record.first_turn_unix_ns == 0) record.first_turn_unix_ns = when.unix_ns;
  return Written(job, when, &record);
}

Result<SharedChange> AfterCancel(const SharedJob& job, const ChangeTime& when) {
  WB_ASSIGN(DurableRecord record, DecodeRecord(job.record));
  if (job.ended) {
    return Status(Reason::kJobTerminal, "The job [" + JobName(job.id) + "] has already ended.",
                  {{"resource", JobName(job.id)}});
  }
  SetState(JobState::kCancelling, when, &record);
  return Written(job, when, &record);
}

Result<SharedChange> AfterFailure(const SharedJob& job, const HostPart& part, const Status& why,
                                  const ChangeTime& when) {
  WB_ASSIGN(DurableRecord record, DecodeRecord(job.record));
  if (job.ended) return SharedChange();
  AddUsage(part.usage, &record.info.usage);
  if (record.info.state != JobState::kCancelling) record.info.error = why;
  SetState(JobState::kCancelling, when, &record);
  return Written(job, when, &record);
}

Result<SharedChange> AfterReturn(const SharedJob& job, const ChangeTime& when) {
  WB_ASSIGN(DurableRecord record, DecodeRecord(job.record));
  if (job.ended) return SharedChange();
  return Written(job, when, &record);
}

JobInfo InfoOf(const SharedJob& job, DurableRecord record,
               std::shared_ptr<const JobRequest> request) {
  JobInfo info = std::move(record.info);
  info.id = job.id;
  info.request = std::move(request);
  info.counts = record.totals.counts;
  info.counts.running = job.claimed;
  info.results_dropped = job.ended ? job.oldest : 0;
  info.version = job.version;
  return info;
}

}  // namespace wb
