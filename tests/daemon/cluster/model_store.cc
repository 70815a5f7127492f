#include "tests/daemon/cluster/model_store.h"

#include <algorithm>

namespace wb::test {
namespace {

Status NotThere() { return Status(Reason::kNotFound, "It is not there."); }

using Lock = std::unique_lock<std::mutex>;

}  // namespace

ModelHosts::ModelHosts(std::shared_ptr<SharedModel> model, std::string name)
    : model_(std::move(model)), name_(std::move(name)) {
  (void)Enter();
}

Status ModelHosts::Enter() {
  const Lock lock(model_->mutex);
  host_ = ++model_->last_id;
  model_->hosts[host_].row = {host_, name_, "", {}, false};
  return {};
}

bool ModelHosts::is_dropped() const {
  const Lock lock(model_->mutex);
  return model_->hosts.at(host_).row.is_dropped;
}

Status ModelHosts::Beat(const std::string& facts) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_));
  model_->hosts[host_].row.facts = facts;
  return {};
}

Status ModelHosts::Leave() {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_));
  model_->DropHost(host_);
  return {};
}

Result<std::vector<HostRow>> ModelHosts::All() {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_));
  std::vector<HostRow> hosts;
  for (const auto& [id, host] : model_->hosts) hosts.push_back(host.row);
  return hosts;
}

Result<uint64_t> ModelHosts::DropSilent(std::chrono::nanoseconds) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_));
  uint64_t dropped = 0;
  for (auto& [id, host] : model_->hosts) {
    if (!host.silent || host.row.is_dropped) continue;
    model_->DropHost(id);
    ++dropped;
  }
  return dropped;
}

Result<std::string> ModelJobRows::Create(const NewSharedJob& job) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
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
  model_->Touch(&made);
  return job.row.id;
}

Result<std::optional<SharedJob>> ModelJobRows::Find(const std::string& id) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->jobs.find(id);
  if (at == model_->jobs.end()) return std::optional<SharedJob>();
  return std::optional<SharedJob>(at->second.row);
}

Result<std::optional<std::string>> ModelJobRows::FindRequest(const std::string& tenant,
                                                             const std::string& request_key) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  for (const auto& [id, job] : model_->jobs) {
    if (job.row.tenant == tenant && job.request_key == request_key) {
      return std::optional<std::string>(id);
    }
  }
  return std::optional<std::string>();
}

Result<std::vector<SharedJob>> ModelJobRows::List(uint32_t states,
                                                  const std::optional<std::string>& tenant,
                                                  const std::string& after, size_t limit) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  std::vector<SharedJob> jobs;
  for (auto at = model_->jobs.rbegin(); at != model_->jobs.rend() && jobs.size() < limit; ++at) {
    const SharedJob& row = at->second.row;
    const bool is_in = (states >> row.state & 1) != 0 && (!tenant || row.tenant == *tenant);
    if (is_in && (after.empty() || row.id < after)) jobs.push_back(row);
  }
  return jobs;
}

Result<std::vector<std::pair<std::string, uint64_t>>> ModelJobRows::Versions() {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  std::vector<std::pair<std::string, uint64_t>> versions;
  for (const auto& [id, job] : model_->jobs) versions.emplace_back(id, job.row.version);
  return versions;
}

Result<std::vector<SharedJob>> ModelJobRows::Claimable(size_t limit) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  std::vector<SharedJob> jobs;
  for (const auto& [id, job] : model_->jobs) {
    if (!job.row.ended && job.row.open > 0 && jobs.size() < limit) jobs.push_back(job.row);
  }
  return jobs;
}

Result<std::string> ModelJobRows::ReadRequest(const std::string& job) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  return at->second.request;
}

Status ModelJobRows::Change(const std::string& job, const DecideChange& decide) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  WB_ASSIGN(const SharedChange change, decide(at->second.row));
  return model_->Apply(&at->second, change);
}

Status ModelJobRows::Forget(const std::string& job) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  if (model_->jobs.erase(job) == 0) return NotThere();
  model_->changes[job] = ++model_->last_change;
  model_->news.notify_all();
  return {};
}

Status ModelJobRows::Drop(const std::string& job, uint64_t before) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
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
  model_->Touch(&its);
  return {};
}

Result<bool> ModelJobRows::DropUnread(const std::string& job) {
  {
    const Lock lock(model_->mutex);
    WB_TRY(model_->Check(host_.id()));
    const auto at = model_->jobs.find(job);
    if (at == model_->jobs.end() || !at->second.row.ended || at->second.is_read) return false;
  }
  WB_TRY(Drop(job, UINT64_MAX));
  return true;
}

Status ModelJobRows::NoteReaders(const std::vector<std::string>& jobs, std::chrono::nanoseconds) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  for (const std::string& job : jobs) {
    const auto at = model_->jobs.find(job);
    if (at != model_->jobs.end()) at->second.is_read = true;
  }
  return {};
}

Result<BlockRow> ModelJobRows::ReadBlock(const std::string& job, uint64_t position) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  for (const BlockRow& block : at->second.blocks) {
    if (position >= block.first && position - block.first < block.count) return block;
  }
  return NotThere();
}

Result<std::optional<Chunk>> ModelChunks::Claim(const std::string& job, uint64_t count, uint32_t) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end() || at->second.ranges.empty()) return std::optional<Chunk>();
  SharedModel::Job& its = at->second;
  auto& [range, attempt] = its.ranges.front();
  SharedModel::Held held;
  held.chunk = {++model_->last_id, job, {range.first, std::min(count, range.count)}, attempt};
  held.host = host_.id();
  held.left = {held.chunk.instances};
  const uint64_t taken = held.chunk.instances.count;
  range.first += taken;
  range.count -= taken;
  if (range.count == 0) its.ranges.erase(its.ranges.begin());
  its.row.open -= taken;
  its.row.claimed += taken;
  model_->Touch(&its);
  model_->chunks[held.chunk.id] = held;
  return std::optional<Chunk>(held.chunk);
}

Status ModelChunks::Commit(const std::string& job, const std::vector<ChunkResults>& results,
                           const DecideChange& decide) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->jobs.find(job);
  if (at == model_->jobs.end()) return NotThere();
  bool is_new = false;
  for (const ChunkResults& one : results) {
    const auto held = model_->chunks.find(one.chunk);
    if (held == model_->chunks.end() || held->second.host != host_.id()) return NotThere();
    if (held->second.commits >= one.number) continue;
    is_new = true;
    WB_TRY(model_->CommitOne(&at->second, one));
  }
  if (!is_new) return {};
  ++model_->commits;
  WB_ASSIGN(const SharedChange change, decide(at->second.row));
  WB_TRY(model_->Apply(&at->second, change));
  if (model_->lose_answers == 0) return {};
  --model_->lose_answers;
  return Status(Reason::kMachineFault, "The answer was lost.");
}

Status ModelChunks::GiveBack(int64_t chunk) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto at = model_->chunks.find(chunk);
  if (at == model_->chunks.end() || at->second.host != host_.id()) return NotThere();
  model_->Return(at->second, false);
  model_->chunks.erase(at);
  return {};
}

Status ModelChunks::GiveBackWith(const std::string& job, int64_t chunk,
                                 const DecideChange& decide) {
  const Lock lock(model_->mutex);
  WB_TRY(model_->Check(host_.id()));
  const auto its = model_->jobs.find(job);
  const auto at = model_->chunks.find(chunk);
  if (its == model_->jobs.end() || at == model_->chunks.end()) return NotThere();
  if (at->second.host != host_.id()) return NotThere();
  model_->Return(at->second, false);
  model_->chunks.erase(at);
  WB_ASSIGN(const SharedChange change, decide(its->second.row));
  WB_TRY(model_->Apply(&its->second, change));
  if (model_->lose_returns == 0) return {};
  --model_->lose_returns;
  return Status(Reason::kMachineFault, "The answer was lost.");
}

std::vector<std::string> ModelNews::Await(std::chrono::nanoseconds most) {
  Lock lock(model_->mutex);
  model_->news.wait_for(lock, most, [this] { return stops_ || model_->last_change > heard_; });
  std::vector<std::string> changed;
  for (const auto& [id, change] : model_->changes) {
    if (change > heard_) changed.push_back(id);
  }
  heard_ = model_->last_change;
  return changed;
}

void ModelNews::Stop() {
  const Lock lock(model_->mutex);
  stops_ = true;
  model_->news.notify_all();
}

}  // namespace wb::test
