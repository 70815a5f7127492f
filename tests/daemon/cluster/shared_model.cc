#include "tests/daemon/cluster/shared_model.h"

#include <algorithm>

namespace wb::test {
namespace {

uint64_t CountOf(const std::vector<InstanceRange>& ranges) {
  uint64_t count = 0;
  for (const InstanceRange& range : ranges) count += range.count;
  return count;
}

Status NotThere() { return Status(Reason::kNotFound, "It is not there."); }

using Lock = std::unique_lock<std::mutex>;

}  // namespace

SharedModelStore::SharedModelStore(std::shared_ptr<SharedModel> model, std::string name)
    : model_(std::move(model)), name_(std::move(name)) {
  (void)Enter();
}

Status SharedModelStore::Check() const {
  if (model_->is_down) return Status(Reason::kMachineFault, "The model is down.");
  if (!model_->hosts.at(host_).row.is_dropped) return {};
  return Status(Reason::kMachineFault, "This host was dropped.");
}

Status SharedModelStore::Enter() {
  const Lock lock(model_->mutex);
  host_ = ++model_->last_id;
  model_->hosts[host_].row = {host_, name_, "", {}, false};
  return {};
}

int64_t SharedModelStore::host() const { return host_; }

bool SharedModelStore::is_dropped() const {
  const Lock lock(model_->mutex);
  return model_->hosts.at(host_).row.is_dropped;
}

Status SharedModelStore::Beat(const std::string& facts) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  model_->hosts[host_].row.facts = facts;
  return {};
}

void SharedModelStore::Return(const SharedModel::Held& held, bool again) {
  const auto at = model_->jobs.find(held.chunk.job);
  if (at == model_->jobs.end()) return;
  SharedModel::Job& job = at->second;
  job.row.claimed -= CountOf(held.left);
  if (!job.closed) {
    job.row.open += CountOf(held.left);
    for (const InstanceRange& range : held.left) {
      job.ranges.emplace_back(range, held.chunk.attempt + (again ? 1 : 0));
    }
  }
  Touch(&job);
}

void SharedModelStore::DropHost(int64_t host) {
  model_->hosts.at(host).row.is_dropped = true;
  for (auto at = model_->chunks.begin(); at != model_->chunks.end();) {
    if (at->second.host != host) {
      ++at;
      continue;
    }
    Return(at->second, true);
    at = model_->chunks.erase(at);
  }
}

Status SharedModelStore::Leave() {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  DropHost(host_);
  return {};
}

Result<std::vector<HostRow>> SharedModelStore::Hosts() {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  std::vector<HostRow> hosts;
  for (const auto& [id, host] : model_->hosts) hosts.push_back(host.row);
  return hosts;
}

Result<uint64_t> SharedModelStore::DropSilent(std::chrono::nanoseconds) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  uint64_t dropped = 0;
  for (auto& [id, host] : model_->hosts) {
    if (!host.silent || host.row.is_dropped) continue;
    DropHost(id);
    ++dropped;
  }
  return dropped;
}

void SharedModelStore::Touch(SharedModel::Job* job) {
  ++job->row.version;
  job->row.changed_unix_ns = model_->unix_ns += 100'000'000;
  model_->changes[job->row.id] = ++model_->last_change;
  model_->news.notify_all();
}

Result<std::string> SharedModelStore::Create(const NewSharedJob& job) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  for (const auto& [id, other] : model_->jobs) {
    if (job.request_key.empty() || other.request_key != job.request_key) continue;
    if (other.row.tenant == job.tenant) return id;
  }
  SharedModel::Job& made = model_->jobs[job.row.id];
  made.request = job.row.request;
  made.request_key = job.request_key;
  made.row.id = job.row.id;
  made.row.tenant = job.tenant;
  made.row.shown = job.row.shown;
  made.row.record = job.row.record;
  made.row.state = job.state;
  made.row.open = job.instances;
  made.ranges.emplace_back(InstanceRange{0, job.instances}, 1);
  Touch(&made);
  return job.row.id;
}

Result<std::optional<SharedJob>> SharedModelStore::Find(const std::string& id) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(id);
  if (at == model_->jobs.end()) return std::optional<SharedJob>();
  return std::optional<SharedJob>(at->second.row);
}

Result<std::optional<std::string>> SharedModelStore::FindRequest(const std::string& tenant,
                                                                 const std::string& request_key) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  for (const auto& [id, job] : model_->jobs) {
    if (job.row.tenant == tenant && job.request_key == request_key) {
      return std::optional<std::string>(id);
    }
  }
  return std::optional<std::string>();
}

Result<std::vector<SharedJob>> SharedModelStore::List(uint32_t states,
                                                      const std::optional<std::string>& tenant,
                                                      const std::string& after, size_t limit) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  std::vector<SharedJob> jobs;
  for (auto at = model_->jobs.rbegin(); at != model_->jobs.rend() && jobs.size() < limit; ++at) {
    const SharedJob& row = at->second.row;
    const bool is_in = (states >> row.state & 1) != 0 && (!tenant || row.tenant == *tenant);
    if (is_in && (after.empty() || row.id < after)) jobs.push_back(row);
  }
  return jobs;
}

Result<std::vector<std::pair<std::string, uint64_t>>> SharedModelStore::Versions() {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  std::vector<std::pair<std::string, uint64_t>> versions;
  for (const auto& [id, job] : model_->jobs) versions.emplace_back(id, job.row.version);
  return versions;
}

Result<std::vector<SharedJob>> SharedModelStore::Claimable(size_t limit) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  std::vector<SharedJob> jobs;
  for (const auto& [id, job] : model_->jobs) {
    if (!job.row.ended && job.row.open > 0 && jobs.size() < limit) jobs.push_back(job.row);
  }
  return jobs;
}

Result<std::string> SharedModelStore::ReadRequest(const std::string& job) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  return at->second.request;
}

Status SharedModelStore::Apply(SharedModel::Job* job, const SharedChange& change) {
  if (change.record) job->row.record = *change.record;
  if (change.state) job->row.state = *change.state;
  if (change.closes_ranges || change.ends) {
    job->closed = true;
    job->ranges.clear();
    job->row.open = 0;
  }
  if (change.ends) {
    job->row.ended = true;
    job->row.claimed = 0;
    std::erase_if(model_->chunks,
                  [job](const auto& held) { return held.second.chunk.job == job->row.id; });
  }
  Touch(job);
  return {};
}

Status SharedModelStore::Change(const std::string& job, const Decide& decide) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  WB_ASSIGN(const SharedChange change, decide(at->second.row));
  return Apply(&at->second, change);
}

Status SharedModelStore::Forget(const std::string& job) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  if (model_->jobs.erase(job) == 0) return NotThere();
  model_->changes[job] = ++model_->last_change;
  model_->news.notify_all();
  return {};
}

Status SharedModelStore::Drop(const std::string& job, uint64_t before) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  SharedModel::Job& its = at->second;
  its.row.oldest = its.row.next;
  its.row.bytes = 0;
  for (const BlockRow& block : its.blocks) {
    if (block.first < before) continue;
    its.row.oldest = std::min(its.row.oldest, block.first);
    its.row.bytes += block.data.size();
  }
  std::erase_if(its.blocks, [before](const BlockRow& block) { return block.first < before; });
  Touch(&its);
  return {};
}

Result<bool> SharedModelStore::DropUnread(const std::string& job) {
  {
    const Lock lock(model_->mutex);
    WB_TRY(Check());
    const auto at = model_->jobs.find(job);
    if (at == model_->jobs.end() || !at->second.row.ended || at->second.is_read) return false;
  }
  WB_TRY(Drop(job, UINT64_MAX));
  return true;
}

Status SharedModelStore::NoteReaders(const std::vector<std::string>& jobs,
                                     std::chrono::nanoseconds) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  for (const std::string& job : jobs) {
    const auto at = model_->jobs.find(job);
    if (at != model_->jobs.end()) at->second.is_read = true;
  }
  return {};
}

Result<BlockRow> SharedModelStore::ReadBlock(const std::string& job, uint64_t position) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  for (const BlockRow& block : at->second.blocks) {
    if (position >= block.first && position - block.first < block.count) return block;
  }
  return NotThere();
}

Result<std::optional<Chunk>> SharedModelStore::Claim(const std::string& job, uint64_t count,
                                                     uint32_t) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end() || at->second.ranges.empty()) return std::optional<Chunk>();
  SharedModel::Job& its = at->second;
  auto& [range, attempt] = its.ranges.front();
  SharedModel::Held held;
  held.chunk = {++model_->last_id, job, {range.first, std::min(count, range.count)}, attempt};
  held.host = host_;
  held.left = {held.chunk.instances};
  const uint64_t taken = held.chunk.instances.count;
  range.first += taken;
  range.count -= taken;
  if (range.count == 0) its.ranges.erase(its.ranges.begin());
  its.row.open -= taken;
  its.row.claimed += taken;
  Touch(&its);
  model_->chunks[held.chunk.id] = held;
  return std::optional<Chunk>(held.chunk);
}

Status SharedModelStore::CommitOne(SharedModel::Job* job, const ChunkResults& results) {
  SharedModel::Held& held = model_->chunks.at(results.chunk);
  held.commits = results.number;
  job->row.claimed -= CountOf(held.left) - CountOf(results.left);
  held.left = results.left;
  for (BlockRow block : results.blocks) {
    block.first = job->row.next;
    job->row.next += block.count;
    job->row.bytes += block.data.size();
    job->blocks.push_back(std::move(block));
  }
  return {};
}

Status SharedModelStore::Commit(const std::string& job, const std::vector<ChunkResults>& results,
                                const Decide& decide) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  bool is_new = false;
  for (const ChunkResults& one : results) {
    const auto held = model_->chunks.find(one.chunk);
    if (held == model_->chunks.end() || held->second.host != host_) return NotThere();
    if (held->second.commits >= one.number) continue;
    is_new = true;
    WB_TRY(CommitOne(&at->second, one));
  }
  if (!is_new) return {};
  ++model_->commits;
  WB_ASSIGN(const SharedChange change, decide(at->second.row));
  WB_TRY(Apply(&at->second, change));
  if (model_->lose_answers == 0) return {};
  --model_->lose_answers;
  return Status(Reason::kMachineFault, "The answer was lost.");
}

Status SharedModelStore::GiveBack(int64_t chunk) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto at = model_->chunks.find(chunk);
  if (at == model_->chunks.end() || at->second.host != host_) return NotThere();
  Return(at->second, false);
  model_->chunks.erase(at);
  return {};
}

Status SharedModelStore::GiveBackWith(const std::string& job, int64_t chunk, const Decide& decide) {
  const Lock lock(model_->mutex);
  WB_TRY(Check());
  const auto its = model_->jobs.find(job);
  const auto at = model_->chunks.find(chunk);
  if (its == model_->jobs.end() || at == model_->chunks.end()) return NotThere();
  if (at->second.host != host_) return NotThere();
  Return(at->second, false);
  model_->chunks.erase(at);
  WB_ASSIGN(const SharedChange change, decide(its->second.row));
  WB_TRY(Apply(&its->second, change));
  if (model_->lose_returns == 0) return {};
  --model_->lose_returns;
  return Status(Reason::kMachineFault, "The answer was lost.");
}

std::vector<std::string> SharedModelStore::AwaitNews(std::chrono::nanoseconds most) {
  Lock lock(model_->mutex);
  model_->news.wait_for(lock, most, [this] { return stops_ || model_->last_change > heard_; });
  std::vector<std::string> changed;
  for (const auto& [id, change] : model_->changes) {
    if (change > heard_) changed.push_back(id);
  }
  heard_ = model_->last_change;
  return changed;
}

void SharedModelStore::StopWaiting() {
  const Lock lock(model_->mutex);
  stops_ = true;
  model_->news.notify_all();
}

}  // namespace wb::test
