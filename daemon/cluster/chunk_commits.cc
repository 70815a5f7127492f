#include "daemon/cluster/chunk_commits.h"

#include <algorithm>
#include <utility>

#include "daemon/process/log.h"
#include "daemon/store/durable/blocks_of_results.h"
#include "daemon/store/durable/merge_results.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kTryAgain{1};
// While one transaction is on its way the next ones gather; this is for small ones, each of which
// costs the database a flush.
constexpr std::chrono::milliseconds kGather{20};
// All who wait for the row of a job make each commit of it longer (bench/docs/cluster.md): the more
// hosts there are, the less often each of them comes.
constexpr std::chrono::milliseconds kGatherOfHost{2};

constexpr Reason kReasonsOfTheHost[] = {
    Reason::kNoDeviceFits, Reason::kDeviceLost,  Reason::kMachineFault, Reason::kIoError,
    Reason::kNoSpace,      Reason::kUnavailable, Reason::kDraining,     Reason::kQueueFull,
    Reason::kInternal,     Reason::kCancelled,   Reason::kModuleMissing};

void AddBlock(const std::string& job, ResultsBlock block, std::vector<BlockRow>* blocks) {
  BlockRow row;
  row.job = job;
  row.first = blocks->empty() ? 0 : blocks->back().first + blocks->back().count;
  row.count = block.to - block.from;
  row.instances = std::move(block.instances);
  row.data = std::move(block.data);
  blocks->push_back(std::move(row));
}

// Of a chunk alone; the scheduler counts what was before it too.
JobUsage UsageOfChunk(const ChunkRun& run, JobUsage usage) {
  usage.fuel -= std::min(usage.fuel, run.fuel_before());
  return usage;
}

}  // namespace

bool IsOfTheJob(Reason reason) {
  return std::find(std::begin(kReasonsOfTheHost), std::end(kReasonsOfTheHost), reason) ==
         std::end(kReasonsOfTheHost);
}

ChunkCommits::ChunkCommits(Parts parts) : parts_(std::move(parts)), thread_([this] { Run(); }) {}

ChunkCommits::~ChunkCommits() {
  signal_->Stop();
  thread_.join();
}

void ChunkCommits::Run() {
  auto soonest = std::chrono::steady_clock::now();
  auto latest = TimePoint::max();
  while (signal_->Await(soonest, latest)) {
    Pass();
    const nanoseconds gather = std::max<nanoseconds>(kGather, hosts_.load() * kGatherOfHost);
    soonest = std::chrono::steady_clock::now() + (is_failing_ ? nanoseconds(kTryAgain) : gather);
    latest = is_failing_ ? soonest : TimePoint::max();
  }
  Pass();
}

void ChunkCommits::Pass() {
  bool failed = false;
  for (const std::shared_ptr<ChunkRun>& run : parts_.runs->All()) {
    Bringing& bringing = bringing_[run->number()];
    if (failed || Bring(run, &bringing)) continue;
    failed = true;  // the others would wait for the database as well
  }
  const std::vector<std::shared_ptr<ChunkRun>> left = parts_.runs->All();
  std::erase_if(bringing_, [&left](const auto& entry) {
    return std::none_of(left.begin(), left.end(),
                        [&entry](const auto& run) { return run->number() == entry.first; });
  });
  is_failing_ = failed;
}

bool ChunkCommits::Bring(const std::shared_ptr<ChunkRun>& run, Bringing* bringing) {
  Gather(run.get(), bringing);
  const ChunkNews& news = bringing->news;
  if (run->is_given_up()) {
    if (news.ended) Forget(*run, false);
    return true;
  }
  while (true) {
    if (!bringing->is_built) Build(*run, bringing);
    if (!bringing->is_built) break;
    const Status told = Tell(*run, *bringing);
    if (told.reason() == Reason::kNotFound) {  // the chunk is somebody else's
      run->GiveUp();
      if (news.ended) Forget(*run, false);
      return true;
    }
    if (!told.ok()) return false;
    Settle(run, bringing);
  }
  return !news.ended || EndChunk(*run, *bringing);
}

void ChunkCommits::Gather(ChunkRun* run, Bringing* bringing) {
  ChunkNews more = run->Take();
  ChunkNews& news = bringing->news;
  uint64_t more_results = 0;
  for (ResultBatch& batch : more.results) {
    more_results += batch.size();
    if (!news.results.empty() && news.results.back().size() < kMostMerged &&
        batch.size() < kMostMerged) {
      news.results.back().Append(batch);
    } else {
      news.results.push_back(std::move(batch));
    }
  }
  news.ranges.insert(news.ranges.end(), more.ranges.begin(), more.ranges.end());
  news.turned = news.turned || more.turned;
  news.device = std::move(more.device);
  news.placement_reason = std::move(more.placement_reason);
  uint64_t come = 0;
  for (const EndedRange& range : more.ranges) come += range.count;
  come += more_results;
  bringing->finished += come;
  parts_.runs->Finished(run->chunk().job, come);
  if (!more.ended) return;
  news.ended = true;
  news.status = std::move(more.status);
  news.cancelled = more.cancelled;
  news.usage = more.usage;
}

// The last results of a chunk wait for the chunk's end, which comes at once, and brings the usage.
void ChunkCommits::Build(const ChunkRun& run, Bringing* bringing) {
  ChunkNews& news = bringing->news;
  const InstanceRange& all = run.chunk().instances;
  uint64_t come = 0;
  for (const ResultBatch& batch : news.results) come += batch.size();
  for (const EndedRange& range : news.ranges) come += range.count;
  const bool is_all = bringing->done.count() + come == all.count;
  if (is_all && !news.ended) return;
  if (come == 0 && !news.turned) return;
  bringing->results = {run.chunk().id, bringing->number, {}, {}};
  bringing->part = {{}, {}, news.device, news.placement_reason};
  bringing->count = bringing->held_bytes = bringing->largest = 0;
  for (const ResultBatch& batch : news.results) {
    for (ResultsBlock& block : BlocksOf(batch)) {
      AddBlock(run.chunk().job, std::move(block), &bringing->results.blocks);
    }
    for (const uint64_t instance : batch.instances()) bringing->done.Add(instance, 1);
    bringing->part.totals.Add(batch);
    bringing->count += batch.size();
    bringing->held_bytes += batch.held_bytes();
    bringing->largest = std::max(bringing->largest, batch.largest());
  }
  for (const EndedRange& range : news.ranges) {
    AddBlock(run.chunk().job, BlockOf(range), &bringing->results.blocks);
    bringing->done.Add(range.first, range.count);
    bringing->part.totals.Add(range);
  }
  InstanceSet done = bringing->done;
  done.Add(0, all.first);
  bringing->results.left = done.Missing(all.first + all.count);
  if (is_all) bringing->part.usage = UsageOfChunk(run, news.usage);
  news.results.clear();
  news.ranges.clear();
  bringing->is_built = true;
}

Status ChunkCommits::Tell(const ChunkRun& run, const Bringing& bringing) {
  const std::string& job = run.chunk().job;
  const ChangeTime when = parts_.jobs->Time();
  const std::optional<JobInfo> known = parts_.jobs->jobs().Get(job);
  if (bringing.news.turned && (!known || known->state == JobState::kQueued)) {
    WB_TRY(parts_.store->jobs().Change(
        job, [&](const SharedJob& at) { return AfterTurn(at, bringing.part, when); }));
  }
  if (bringing.results.blocks.empty()) return {};
  Status told = parts_.store->chunks().Commit(job, {bringing.results}, [&](const SharedJob& at) {
    return AfterPart(at, bringing.part, when);
  });
  if (!told.ok() && told.reason() != Reason::kNotFound && !is_failing_) {
    Log(LogLevel::kError, "store_fails", {{"error", told.message()}});
  }
  return told;
}

void ChunkCommits::Settle(const std::shared_ptr<ChunkRun>& run, Bringing* bringing) {
  if (is_failing_) Log(LogLevel::kWarning, "store_works_again", {});
  is_failing_ = false;
  const std::string& job = run->chunk().job;
  uint64_t come = 0;
  for (const BlockRow& block : bringing->results.blocks) come += block.count;
  if (come > 0) ++bringing->number;
  if (bringing->count > 0 &&
      run->Committed(bringing->count, bringing->held_bytes, bringing->largest)) {
    parts_.room_came(run->number());
  }
  bringing->news.turned = false;
  bringing->is_built = false;
  bringing->results.blocks.clear();
  (void)parts_.jobs->Refresh({job});
}

bool ChunkCommits::EndChunk(const ChunkRun& run, const Bringing& bringing) {
  const ChunkNews& news = bringing.news;
  const std::string& job = run.chunk().job;
  const uint64_t left = run.chunk().instances.count - bringing.done.count();
  if (left == 0) {
    Forget(run, false);
    return true;
  }
  const ChangeTime when = parts_.jobs->Time();
  const bool fails = !news.status.ok() && IsOfTheJob(news.status.reason());
  const HostPart part = {{}, UsageOfChunk(run, news.usage), "", ""};
  const Status told =
      parts_.store->chunks().GiveBackWith(job, run.chunk().id, [&](const SharedJob& at) {
        return fails ? AfterFailure(at, part, news.status, when) : AfterPart(at, part, when);
      });
  if (!told.ok() && told.reason() != Reason::kNotFound) return false;
  parts_.runs->GaveBack(job, run.chunk().instances.count - bringing.finished);
  (void)parts_.jobs->Refresh({job});
  if (!news.status.ok()) {
    Log(LogLevel::kWarning, "chunk_not_run", {{"job", job}, {"error", news.status.message()}});
  }
  Forget(run, !news.status.ok() && !fails);
  return true;
}

void ChunkCommits::Forget(const ChunkRun& run, bool avoid) {
  const std::string job = run.chunk().job;
  if (run.is_given_up()) {
    const uint64_t finished = bringing_[run.number()].finished;
    parts_.runs->GaveBack(job, run.chunk().instances.count - finished);
  }
  parts_.runs->Remove(run.number());
  parts_.chunk_ended(job, avoid);
}

}  // namespace wb
