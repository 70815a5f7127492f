#include "tests/daemon/cluster/shared_model.h"

namespace wb::test {
namespace {

uint64_t CountOf(const std::vector<InstanceRange>& ranges) {
  uint64_t count = 0;
  for (const InstanceRange& range : ranges) count += range.count;
  return count;
}

}  // namespace

Status SharedModel::Check(int64_t host) const {
  if (is_down) return Status(Reason::kMachineFault, "The model is down.");
  if (!hosts.at(host).row.is_dropped) return {};
  return Status(Reason::kMachineFault, "This host was dropped.");
}

void SharedModel::Touch(Job* job) {
  ++job->row.version;
  job->row.changed_unix_ns = unix_ns += 100'000'000;
  changes[job->row.id] = ++last_change;
  news.notify_all();
}

void SharedModel::Return(const Held& held, bool again) {
  const auto at = jobs.find(held.chunk.job);
  if (at == jobs.end()) return;
  Job& job = at->second;
  job.row.claimed -= CountOf(held.left);
  if (!job.closed) {
    job.row.open += CountOf(held.left);
    for (const InstanceRange& range : held.left) {
      job.ranges.emplace_back(range, held.chunk.attempt + (again ? 1 : 0));
    }
  }
  Touch(&job);
}

void SharedModel::DropHost(int64_t host) {
  hosts.at(host).row.is_dropped = true;
  for (auto at = chunks.begin(); at != chunks.end();) {
    if (at->second.host != host) {
      ++at;
      continue;
    }
    Return(at->second, true);
    at = chunks.erase(at);
  }
}

Status SharedModel::Apply(Job* job, const SharedChange& change) {
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
    std::erase_if(chunks, [job](const auto& held) { return held.second.chunk.job == job->row.id; });
  }
  Touch(job);
  return {};
}

Status SharedModel::CommitOne(Job* job, const ChunkResults& results) {
  Held& held = chunks.at(results.chunk);
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

}  // namespace wb::test
