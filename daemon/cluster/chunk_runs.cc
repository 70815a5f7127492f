#include "daemon/cluster/chunk_runs.h"

#include <algorithm>
#include <utility>

namespace wb {

namespace {

// Speeds of jobs that are remembered; of ended ones too.
constexpr size_t kMostSpeeds = 256;

}  // namespace

std::shared_ptr<ChunkRun> ChunkRuns::Add(Chunk chunk, const JobRequest& request,
                                         std::shared_ptr<WakeSignal> signal) {
  const MutexLock lock(mutex_);
  if (work_.size() >= kMostSpeeds) {
    std::erase_if(work_, [](const auto& entry) { return entry.second.held == 0; });
  }
  Work& work = work_[chunk.job];
  work.held += chunk.instances.count;
  work.speed.Begin(std::chrono::steady_clock::now());
  const JobId number = ++last_number_;
  auto run =
      std::make_shared<ChunkRun>(std::move(chunk), number, request, room_, std::move(signal));
  runs_[number] = run;
  return run;
}

void ChunkRuns::Remove(JobId number) {
  std::shared_ptr<ChunkRun> last;  // its end takes the room's lock
  const MutexLock lock(mutex_);
  const auto at = runs_.find(number);
  if (at == runs_.end()) return;
  last = std::move(at->second);
  runs_.erase(at);
}

std::vector<std::shared_ptr<ChunkRun>> ChunkRuns::All() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<ChunkRun>> all;
  for (const auto& [number, run] : runs_) all.push_back(run);
  return all;
}

std::vector<std::shared_ptr<ChunkRun>> ChunkRuns::Of(const std::string& job) const {
  std::vector<std::shared_ptr<ChunkRun>> all = All();
  std::erase_if(all, [&job](const auto& run) { return run->chunk().job != job; });
  return all;
}

ChunkRuns::Pace ChunkRuns::PaceOf(const std::string& job) const {
  const MutexLock lock(mutex_);
  const auto at = work_.find(job);
  if (at == work_.end()) return {};
  return {at->second.held, at->second.speed.PerSecond(std::chrono::steady_clock::now())};
}

void ChunkRuns::Finished(const std::string& job, uint64_t instances) {
  const MutexLock lock(mutex_);
  const auto at = work_.find(job);
  if (at == work_.end()) return;
  const auto now = std::chrono::steady_clock::now();
  at->second.speed.Finish(now, instances);
  Drop(&at->second, instances, now);
}

void ChunkRuns::GaveBack(const std::string& job, uint64_t instances) {
  const MutexLock lock(mutex_);
  const auto at = work_.find(job);
  if (at != work_.end()) Drop(&at->second, instances, std::chrono::steady_clock::now());
}

void ChunkRuns::Drop(Work* work, uint64_t instances, TimePoint now) {
  work->held -= std::min(work->held, instances);
  if (work->held == 0) work->speed.Pause(now);
}

}  // namespace wb
