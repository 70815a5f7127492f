#include "tests/daemon/cluster/simulation/shared_rows.h"

#include <algorithm>

namespace wb::test {

size_t SharedRows::AddJob(uint64_t instances, uint64_t ranges) {
  Job job;
  job.open = job.without = instances;
  job.results.resize(instances);
  const uint64_t each = (instances + ranges - 1) / ranges;
  for (uint64_t first = 0; first < instances; first += each) {
    job.ranges[first] = std::min(each, instances - first);
  }
  jobs_.push_back(std::move(job));
  return jobs_.size() - 1;
}

int64_t SharedRows::Enter(double now) {
  hosts_[++last_host_] = now;
  return last_host_;
}

bool SharedRows::Hear(int64_t host, double now) {
  const auto at = hosts_.find(host);
  if (at == hosts_.end()) return false;
  at->second = now;
  return true;
}

uint64_t SharedRows::DropSilent(double now, double lease) {
  std::set<int64_t> dropped;
  for (const auto& [host, heard] : hosts_) {
    if (now - heard > lease) dropped.insert(host);
  }
  if (dropped.empty()) return 0;
  for (const int64_t host : dropped) hosts_.erase(host);
  std::erase_if(chunks_, [&](const auto& entry) {
    if (!dropped.contains(entry.second.host)) return false;
    if (rules_.returns_chunks) Reopen(entry.second);
    return true;
  });
  return dropped.size();
}

std::optional<RowChunk> SharedRows::Claim(int64_t host, size_t job, uint64_t count) {
  Job& row = jobs_[job];
  if (row.ranges.empty() || IsDropped(host)) return std::nullopt;
  const auto [first, there] = *row.ranges.begin();
  const uint64_t taken = std::min(count, there);
  row.ranges.erase(first);
  if (taken < there) row.ranges[first + taken] = there - taken;
  row.open -= taken;
  Held held;
  held.chunk = {++last_chunk_, job, first, taken};
  held.host = host;
  held.done.resize(taken);
  held.left = taken;
  return chunks_.emplace(held.chunk.id, std::move(held)).first->second.chunk;
}

SharedRows::Told SharedRows::Commit(int64_t host, const RowChunk& chunk, uint64_t number,
                                    const std::vector<uint64_t>& instances) {
  Job& job = jobs_[chunk.job];
  if (IsDropped(host)) {
    if (!rules_.fences) Store(&job, instances);
    return rules_.fences ? Told::kDropped : Told::kStored;
  }
  const auto ended = ended_.find(chunk.id);
  if (ended != ended_.end()) {
    if (!rules_.numbers) Store(&job, instances);
    return Told::kStored;
  }
  const auto at = chunks_.find(chunk.id);
  if (at == chunks_.end()) return Told::kNotThere;
  Held& held = at->second;
  if (rules_.numbers && number <= held.last_number) return Told::kStored;
  held.last_number = number;
  for (const uint64_t instance : instances) {
    if (!held.done[instance - chunk.first]) --held.left;
    held.done[instance - chunk.first] = true;
  }
  Store(&job, instances);
  if (held.left == 0) {
    ended_[chunk.id] = number;
    chunks_.erase(at);
  }
  return Told::kStored;
}

void SharedRows::GiveBackOthers(int64_t host, const std::set<int64_t>& known) {
  if (!rules_.finds_chunks) return;
  std::erase_if(chunks_, [&](const auto& entry) {
    if (entry.second.host != host || known.contains(entry.first)) return false;
    Reopen(entry.second);
    return true;
  });
}

uint64_t SharedRows::lost() const {
  uint64_t held = 0;
  for (const auto& [id, chunk] : chunks_) held += chunk.left;
  uint64_t lost = 0;
  for (const Job& job : jobs_) lost += job.without - std::min(job.without, job.open);
  return lost - std::min(lost, held);
}

void SharedRows::Reopen(const Held& held) {
  Job& job = jobs_[held.chunk.job];
  for (uint64_t from = 0; from < held.chunk.count;) {
    uint64_t to = from;
    while (to < held.chunk.count && !held.done[to]) ++to;
    if (to > from) job.ranges[held.chunk.first + from] = to - from;
    job.open += to - from;
    from = to + 1;
  }
}

void SharedRows::Store(Job* job, const std::vector<uint64_t>& instances) {
  for (const uint64_t instance : instances) {
    uint8_t& results = job->results[instance];
    if (results == 0) --job->without;
    if (results > 0) ++doubled_;
    results = 1;
  }
}

}  // namespace wb::test
