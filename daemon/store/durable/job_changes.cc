#include "daemon/store/durable/job_changes.h"

#include <algorithm>
#include <utility>

#include "daemon/store/durable/blocks_of_results.h"

namespace wb {

JobEvent EventOf(JobEventKind kind, std::string id) {
  JobEvent event;
  event.kind = kind;
  event.id = std::move(id);
  return event;
}

namespace {

JobRow RowOf(const std::string& id, const DurableRecord& record) {
  JobRow row;
  row.id = id;
  row.record = EncodeRecord(record);
  row.ended = IsTerminal(record.info.state);
  return row;
}

// When the job first had a turn on a device; 0: it had none.
int64_t FirstTurnOf(const JobInfo& info) {
  for (const JobStateChange& change : info.history) {
    if (change.state == JobState::kRunning) return change.unix_ns;
  }
  return 0;
}

}  // namespace

DurableRecord* JobChanges::Working(const std::string& id) {
  const auto at = working_.find(id);
  if (at != working_.end()) return &at->second;
  const auto known = records_.find(id);
  if (known == records_.end()) return nullptr;
  return &working_.emplace(id, known->second).first->second;
}

JobChanges::Built JobChanges::Build(const std::vector<JobEvent>& events) {
  working_.clear();
  forgotten_.clear();
  Built built;
  built.stored.resize(events.size());
  for (size_t i = 0; i < events.size(); ++i) Apply(events[i], &built, &built.stored[i]);
  WriteRecords(&built.change);
  return built;
}

void JobChanges::Apply(const JobEvent& event, Built* built, StoredEvent* stored) {
  StoreChange& change = built->change;
  switch (event.kind) {
    case JobEventKind::kCreated: {
      JobRow row = RowOf(event.id, event.record);
      row.request = event.sent->whole;
      row.shown = event.sent->shown;
      change.created.push_back(std::move(row));
      working_[event.id] = event.record;
      return;
    }
    case JobEventKind::kRestored: working_[event.id] = event.record; return;
    case JobEventKind::kResults:
    case JobEventKind::kRange: return ApplyResults(event, &change, stored);
    case JobEventKind::kCancelled:
      if (DurableRecord* record = Working(event.id)) record->info.state = JobState::kCancelling;
      return;
    case JobEventKind::kEnded: return ApplyEnd(event);
    case JobEventKind::kResumed:
      if (DurableRecord* record = Working(event.id)) {
        record->info.state = JobState::kQueued;
        if (event.placement) record->placement = event.placement;
      }
      return;
    case JobEventKind::kForgotten: return Forget(event.id, &change);
    case JobEventKind::kDropped: return Drop(event, &change);
    case JobEventKind::kNothing: return;
  }
}

// Results of a job are dropped one after another: one range for all.
void JobChanges::Drop(const JobEvent& event, StoreChange* change) {
  std::vector<StoreChange::Dropped>& dropped = change->dropped;
  const auto last = std::find_if(dropped.rbegin(), dropped.rend(),
                                 [&event](const auto& range) { return range.job == event.id; });
  if (last != dropped.rend() && last->before == event.from) {
    last->before = event.before;
  } else {
    dropped.push_back({event.id, event.from, event.before});
  }
}

void JobChanges::ApplyResults(const JobEvent& event, StoreChange* change, StoredEvent* stored) {
  DurableRecord* record = Working(event.id);
  if (record == nullptr) return;
  uint64_t position = record->totals.counts.finished;
  const auto add = [&](uint64_t reserved, ResultsBlock block) {
    const uint64_t count = block.to - block.from;
    stored->blocks.push_back(
        {count, reserved, block.data.size(), reserved == 0 ? 0 : event.results->largest()});
    stored->firsts.push_back(position);
    change->blocks.push_back(
        {event.id, position, count, std::move(block.instances), std::move(block.data)});
    position += count;
  };
  if (event.kind == JobEventKind::kRange) {
    add(0, BlockOf(event.range));
  } else {
    for (ResultsBlock& block : BlocksOf(*event.results)) {
      const uint64_t count = block.to - block.from;
      add(count, std::move(block));
    }
  }
  record->totals.Add(event.totals);
  stored->counts = record->totals.counts;
}

void JobChanges::ApplyEnd(const JobEvent& event) {
  DurableRecord* record = Working(event.id);
  if (record == nullptr) return;
  JobInfo& info = record->info;
  if (const Result<JobInfo> known = info_of_(event.id); known.ok()) info.history = known->history;
  JobEnding ending = EndingOf(event.error, event.cancelled, event.leaving, record->totals.counts);
  info.state = ending.state;
  info.error = std::move(ending.error);
  info.usage = event.usage;
  if (IsTerminal(info.state)) info.expire_unix_ns = event.expire_unix_ns;
  info.history.push_back({info.state, event.unix_ns});
}

void JobChanges::Forget(const std::string& id, StoreChange* change) {
  working_.erase(id);
  forgotten_.push_back(id);
  // Of a job that comes and goes in one transaction nothing is left.
  const auto same = [&id](const auto& row) { return row.id == id; };
  std::erase_if(change->created, same);
  std::erase_if(change->blocks, [&id](const BlockRow& row) { return row.job == id; });
  std::erase_if(change->dropped, [&id](const auto& row) { return row.job == id; });
  change->forgotten.push_back(id);
}

void JobChanges::WriteRecords(StoreChange* change) {
  for (auto& [id, record] : working_) {
    JobInfo& info = record.info;
    if (const Result<JobInfo> known = info_of_(id); known.ok()) {
      info.device = known->device;
      info.placement_reason = known->placement_reason;
      info.version = known->version;
      if (!IsTerminal(info.state)) info.usage = known->usage;
      if (record.first_turn_unix_ns == 0) record.first_turn_unix_ns = FirstTurnOf(*known);
    }
    change->changed.push_back(RowOf(id, record));
  }
}

void JobChanges::Accept() {
  for (auto& [id, record] : working_) {
    if (IsTerminal(record.info.state)) {
      records_.erase(id);
    } else {
      records_[id] = std::move(record);
    }
  }
  for (const std::string& id : forgotten_) records_.erase(id);
  working_.clear();
  forgotten_.clear();
}

}  // namespace wb
