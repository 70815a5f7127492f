#include "daemon/cluster/cluster_member.h"

#include <algorithm>
#include <utility>

#include "daemon/process/log.h"

namespace wb {
namespace {

// Beats in a lease: so many may be lost.
constexpr int64_t kBeats = 5;
// Behind the news, which may be lost with a connection.
constexpr std::chrono::seconds kLookAtAll{5};
constexpr std::chrono::milliseconds kLookPause{20};

}  // namespace

ClusterMember::ClusterMember(Parts parts)
    : parts_(std::move(parts)), runs_(std::make_shared<ChunkRuns>(parts_.max_memory_bytes)) {}

Result<std::unique_ptr<ClusterMember>> ClusterMember::Start(Parts parts) {
  WB_TRY(parts.store->hosts().Beat(parts.facts()));
  WB_TRY(parts.jobs->RefreshAll());
  std::unique_ptr<ClusterMember> member(new ClusterMember(std::move(parts)));
  ClusterMember* const self = member.get();
  const Parts& of = self->parts_;
  ChunkCommits::Parts bringing;
  bringing.store = of.store;
  bringing.jobs = of.jobs;
  bringing.runs = self->runs_;
  bringing.room_came = [scheduler = of.scheduler](JobId number) { scheduler->RoomChanged(number); };
  bringing.chunk_ended = [self](const std::string& job, bool avoid) {
    if (avoid) self->claims_->Avoid(job);
    self->claims_->Wake();
  };
  self->commits_ = std::make_unique<ChunkCommits>(std::move(bringing));
  ChunkClaims::Parts claiming;
  claiming.store = of.store;
  claiming.jobs = of.jobs;
  claiming.runs = self->runs_;
  claiming.scheduler = of.scheduler;
  claiming.prepare = of.prepare;
  claiming.chunk_signal = self->commits_->signal();
  self->claims_ = std::make_unique<ChunkClaims>(std::move(claiming));
  self->claims_->Start();
  self->Beat();
  self->beats_ = std::make_unique<Ticker>(of.lease / kBeats, [self] { self->Beat(); });
  self->news_ = std::thread([self] { self->Hear(); });
  return member;
}

// Chunks that the scheduler still has end without it.
ClusterMember::~ClusterMember() {
  stopping_ = true;
  parts_.store->news().Stop();
  if (news_.joinable()) news_.join();
  beats_.reset();
  claims_->End();
  commits_.reset();  // which tells the claims of ended chunks
}

void ClusterMember::StopClaiming() { claims_->Stop(); }

void ClusterMember::Leave(std::chrono::nanoseconds most) {
  claims_->Stop();
  const auto until = std::chrono::steady_clock::now() + most;
  while (!runs_->All().empty() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kLookPause);
  }
  const Status left = parts_.store->hosts().Leave();
  if (!left.ok()) Log(LogLevel::kWarning, "host_not_left", {{"error", left.message()}});
}

std::vector<HostRow> ClusterMember::Hosts() const {
  const MutexLock lock(mutex_);
  return hosts_;
}

std::vector<JobId> ClusterMember::NumbersOf(const std::string& job) const {
  std::vector<JobId> numbers;
  for (const auto& run : runs_->Of(job)) numbers.push_back(run->number());
  return numbers;
}

void ClusterMember::Beat() {
  const Status heard = parts_.store->hosts().Beat(parts_.facts());
  if (parts_.store->hosts().is_dropped()) return ReturnAfterDrop();
  if (!heard.ok()) return;
  Result<std::vector<HostRow>> hosts = parts_.store->hosts().All();
  if (hosts.ok()) {
    const auto alive = std::count_if(hosts->begin(), hosts->end(),
                                     [](const HostRow& host) { return !host.is_dropped; });
    const auto heard_now = static_cast<uint32_t>(std::max<int64_t>(alive, 1));
    claims_->SetHosts(heard_now);
    commits_->SetHosts(heard_now);
    parts_.jobs->SetHosts(heard_now);
    const MutexLock lock(mutex_);
    hosts_ = *std::move(hosts);
  }
  const Result<uint64_t> dropped = parts_.store->hosts().DropSilent(parts_.lease);
  if (dropped.ok() && *dropped > 0) {
    Log(LogLevel::kWarning, "hosts_dropped", {{"count", std::to_string(*dropped)}});
    StopEnded();
    claims_->Wake();
  }
  parts_.jobs->results().NoteReaders(parts_.lease);
  if (parts_.tick) parts_.tick();
}

// Others run what it ran. Its instances stop; what they still bring is thrown away.
void ClusterMember::ReturnAfterDrop() {
  Log(LogLevel::kWarning, "host_was_dropped", {{"database", parts_.store->place()}});
  for (const auto& run : runs_->All()) {
    run->GiveUp();
    parts_.scheduler->Cancel(run->number());
  }
  commits_->signal()->Wake();
  const Status entered = parts_.store->hosts().Enter();
  if (!entered.ok()) Log(LogLevel::kError, "host_not_entered", {{"error", entered.message()}});
  claims_->Wake();
}

void ClusterMember::Hear() {
  auto looked = std::chrono::steady_clock::now();
  while (!stopping_) {
    const std::vector<std::string> changed = parts_.store->news().Await(kLookAtAll);
    if (stopping_) return;
    const auto now = std::chrono::steady_clock::now();
    Status heard;
    if (changed.empty() || now - looked >= kLookAtAll) {
      heard = parts_.jobs->RefreshAll();
      looked = now;
    } else {
      heard = parts_.jobs->Refresh(changed);
    }
    if (!heard.ok()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    StopEnded();
    claims_->Wake();
  }
}

// A job that is cancelled or has ended takes its chunks with it. One that lost all chunks while it
// was being cancelled has ended, and nobody else would say so.
void ClusterMember::StopEnded() {
  for (const auto& run : runs_->All()) {
    const std::optional<JobInfo> job = parts_.jobs->jobs().Get(run->chunk().job);
    if (job && !IsTerminal(job->state) && job->state != JobState::kCancelling) continue;
    parts_.scheduler->Cancel(run->number());
  }
  const JobFilter stopping = {1u << static_cast<uint32_t>(JobState::kCancelling), std::nullopt};
  for (const JobInfo& job : parts_.jobs->jobs().List(stopping, "", SIZE_MAX).jobs) {
    if (job.counts.running > 0) continue;
    const ChangeTime when = parts_.jobs->Time();
    (void)parts_.store->jobs().Change(job.id,
                                      [&](const SharedJob& at) { return AfterReturn(at, when); });
  }
}

}  // namespace wb
