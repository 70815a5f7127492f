#include "daemon/cluster/chunk_claims.h"

#include <algorithm>
#include <set>
#include <utility>

#include "daemon/cluster/chunk_commits.h"
#include "daemon/cluster/claim_size.h"
#include "daemon/cluster/shared_record.h"
#include "daemon/process/log.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

// Nobody says when a device comes, or when a host that avoided a job may try again.
constexpr std::chrono::milliseconds kLook{1000};
// News of many small chunks come close together.
constexpr std::chrono::milliseconds kTogether{10};
constexpr nanoseconds kAvoid = std::chrono::seconds(30);
constexpr nanoseconds kBusy = std::chrono::milliseconds(500);

// What its job has come to elsewhere.
JobBefore BeforeOf(const DurableRecord& record, const Chunk& chunk, uint64_t instances,
                   int64_t now) {
  JobBefore before;
  const uint64_t end = chunk.instances.first + chunk.instances.count;
  if (chunk.instances.first > 0) before.finished.Add(0, chunk.instances.first);
  if (end < instances) before.finished.Add(end, instances - end);
  before.attempt = chunk.attempt;
  before.fuel = record.totals.fuel;
  before.result_bytes = record.totals.result_bytes;
  if (record.first_turn_unix_ns != 0) {
    before.clock_ran = nanoseconds(std::max<int64_t>(now - record.first_turn_unix_ns, 0));
  }
  if (!record.info.history.empty()) {
    before.age = nanoseconds(std::max<int64_t>(now - record.info.history.front().unix_ns, 0));
  }
  before.midway_planned = instances;  // chunks of a job have one lane program, and one pipeline
  return before;
}

}  // namespace

bool Takes(Placement placement, Engine engine) {
  switch (placement) {
    case Placement::kAuto: return engine != Engine::kInterpreter;
    case Placement::kCpu: return engine == Engine::kCpu;
    case Placement::kInterpreter: return engine == Engine::kInterpreter;
    case Placement::kGpu: return engine == Engine::kCuda || engine == Engine::kMetal;
  }
  return false;
}

void ChunkClaims::Start() {
  thread_ = std::thread([this] { Run(); });
}

ChunkClaims::~ChunkClaims() { End(); }

void ChunkClaims::End() {
  signal_.Stop();
  if (thread_.joinable()) thread_.join();
}

void ChunkClaims::Stop() {
  const MutexLock lock(mutex_);
  claims_ = false;
}

void ChunkClaims::SetHosts(uint32_t hosts) {
  const MutexLock lock(mutex_);
  hosts_ = hosts;
}

void ChunkClaims::Avoid(const std::string& job) { Avoid(job, kAvoid); }

void ChunkClaims::Avoid(const std::string& job, nanoseconds time) {
  const MutexLock lock(mutex_);
  const TimePoint now = std::chrono::steady_clock::now();
  std::erase_if(avoided_, [now](const auto& entry) { return entry.second < now; });
  avoided_[job] = now + time;
}

void ChunkClaims::Run() {
  TimePoint soonest;
  do {
    Pass();
    soonest = std::chrono::steady_clock::now() + kTogether;
  } while (signal_.Await(soonest, soonest + kLook));
}

void ChunkClaims::Pass() {
  {
    const MutexLock lock(mutex_);
    if (!claims_) return;
  }
  const Result<std::vector<SharedJob>> jobs = parts_.store->jobs().Claimable(kMostJobs);
  if (!jobs.ok()) return;
  SharedRoom room = RoomBeside(*jobs);
  std::set<std::string> open;
  for (const SharedJob& job : *jobs) {
    open.insert(job.id);
    if (ClaimOf(job, &room)) Wake();
  }
  std::erase_if(prepared_, [&](const auto& entry) { return !open.contains(entry.first); });
}

// Of jobs that have open instances the database has just said how they stand.
SharedRoom ChunkClaims::RoomBeside(const std::vector<SharedJob>& jobs) {
  SharedJobs::Newer newer;
  for (const SharedJob& job : jobs) newer.emplace(job.id, HoldingOf(job));
  return parts_.jobs->results().Room(newer, jobs.size() < kMostJobs);
}

JobHolding ChunkClaims::HoldingOf(const SharedJob& job) const {
  const auto known = prepared_.find(job.id);
  const uint64_t most = known == prepared_.end() ? 0 : known->second.request.most_part_bytes;
  return {job.tenant, job.bytes, job.next - std::min(job.next, job.oldest), job.claimed, most};
}

bool ChunkClaims::ClaimOf(const SharedJob& job, SharedRoom* room) {
  {
    const MutexLock lock(mutex_);
    const auto at = avoided_.find(job.id);
    if (!claims_ || (at != avoided_.end() && at->second > std::chrono::steady_clock::now())) {
      return false;
    }
  }
  const Result<const Submission*> submission = SubmissionFor(job);
  if (!submission.ok()) {
    Refuse(job, submission.status());
    return false;
  }
  const JobRequest& request = (*submission)->request;
  const uint64_t size = SizeFor(job, request, *room);
  if (size == 0) return false;
  Result<std::optional<Chunk>> chunk = parts_.store->chunks().Claim(job.id, size, request.group);
  if (!chunk.ok() || !*chunk) return false;
  const int64_t id = (*chunk)->id;
  room->Claimed(HoldingOf(job), (*chunk)->instances.count);
  const Status begun = Begin(job, *std::move(*chunk));
  if (begun.ok()) return true;
  (void)parts_.store->chunks().GiveBack(id);
  Refuse(job, begun);
  return false;
}

// What no host could run fails.
void ChunkClaims::Refuse(const SharedJob& job, const Status& why) {
  const bool is_busy = why.reason() == Reason::kQueueFull;  // with others of the tenant's
  Avoid(job.id, is_busy ? kBusy : kAvoid);
  if (is_busy) return;
  Log(LogLevel::kWarning, "chunk_not_run", {{"job", job.id}, {"error", why.message()}});
  if (!IsOfTheJob(why.reason())) return;
  const ChangeTime when = parts_.jobs->Time();
  (void)parts_.store->jobs().Change(
      job.id, [&](const SharedJob& at) { return AfterFailure(at, {}, why, when); });
}

uint64_t ChunkClaims::SizeFor(const SharedJob& job, const JobRequest& request,
                              const SharedRoom& room) {
  const ChunkRuns::Pace pace = parts_.runs->PaceOf(job.id);
  ClaimFacts facts;
  facts.open = job.open;
  facts.held = pace.held;
  facts.per_second = pace.per_second;
  {
    const MutexLock lock(mutex_);
    facts.hosts = hosts_;
  }
  facts.group = request.group;
  facts.room = PartOf(room.Of(HoldingOf(job), facts.group), facts.hosts, facts.group);
  facts.lanes = LanesFor(request.placement);
  return ClaimSize(facts);
}

uint64_t ChunkClaims::LanesFor(Placement placement) const {
  uint64_t lanes = 0;
  for (const DeviceStatus& device : parts_.scheduler->Devices()) {
    if (device.gate != Gate::kOpen || !device.healthy) continue;
    if (Takes(placement, device.info.engine)) lanes += FullWidth(device.info);
  }
  return lanes;
}

Result<const Submission*> ChunkClaims::SubmissionFor(const SharedJob& job) {
  const auto at = prepared_.find(job.id);
  if (at != prepared_.end()) return &at->second;
  WB_ASSIGN(const std::string whole, parts_.store->jobs().ReadRequest(job.id));
  WB_ASSIGN(Submission submission, parts_.prepare(whole));
  return &prepared_.emplace(job.id, std::move(submission)).first->second;
}

Status ChunkClaims::Begin(const SharedJob& job, Chunk chunk) {
  WB_ASSIGN(const DurableRecord record, DecodeRecord(job.record));
  Submission submission = prepared_.at(job.id);
  JobSpec spec = SpecOf(&submission);
  spec.name = job.id;
  const int64_t now = parts_.jobs->Time().unix_ns;
  spec.before = std::make_shared<const JobBefore>(BeforeOf(record, chunk, spec.instances, now));
  const auto run = parts_.runs->Add(std::move(chunk), submission.request, parts_.chunk_signal);
  run->set_fuel_before(record.totals.fuel);
  Status submitted = parts_.scheduler->Submit(run->number(), std::move(spec), run);
  if (submitted.ok()) return {};
  parts_.runs->GaveBack(job.id, run->chunk().instances.count);
  parts_.runs->Remove(run->number());
  return submitted;
}

}  // namespace wb
