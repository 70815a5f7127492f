#include "tests/daemon/cluster/simulation/simulated_host.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace wb::test {
namespace {

constexpr size_t kMostJobs = 64;  // of a look
constexpr double kTryAgain = 1;   // seconds, where nothing answers
constexpr uint64_t kPlenty = std::numeric_limits<uint64_t>::max() / 2;

TimePoint At(double seconds) {
  return TimePoint(std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9)));
}

}  // namespace

HostHabits HabitsOfDaemon() {
  HostHabits habits;
  habits.look = habits.look_again = 1;
  habits.look_again_host = habits.gather_host = 0;
  habits.news_most = 5;
  habits.looks_idly = habits.holds_committed = true;
  habits.joins_chunks = false;
  return habits;
}

HostHabits HabitsOfFew() {
  HostHabits habits = HabitsOfDaemon();
  habits.news_pair = habits.news_least = 0;
  return habits;
}

void SimulatedHost::Start() {
  id_ = world_.rows->Enter(world_.events.now());
  Post(0, [this] {
    hosts_ = static_cast<uint32_t>(world_.rows->hosts());
    told_ = world_.events.now() - NewsPace() * Jitter();  // not all at once
  });
  Post(world_.habits.beat * Jitter(), [this] { Beat(); });
  HearNews();
  Post(world_.habits.look * Jitter(), [this] { WakeClaims(); });
}

void SimulatedHost::Suspend(double seconds) {
  suspended_until_ = world_.events.now() + seconds;
  idle_since_ = -1;
}

// --- events and transactions

void SimulatedHost::Post(double wait, std::function<void()> happens) {
  world_.events.After(
      wait, [this, happens = std::move(happens)]() mutable { Deliver(std::move(happens)); });
}

void SimulatedHost::Deliver(std::function<void()> happens) {
  if (is_dead_) return;
  if (world_.events.now() >= suspended_until_) return happens();
  world_.events.At(suspended_until_,
                   [this, happens = std::move(happens)]() mutable { Deliver(std::move(happens)); });
}

// Where no answer comes back it is sent again, unless the caller knows better.
void SimulatedHost::Send(Transaction transaction, std::function<void()> lost) {
  if (world_.events.now() < cut_until_) {
    Post(cut_until_ - world_.events.now() + kTryAgain * Jitter(),
         [this, transaction = std::move(transaction), lost = std::move(lost)]() mutable {
           Send(std::move(transaction), std::move(lost));
         });
    return;
  }
  Transaction sent = transaction;
  sent.answers = [this, transaction = std::move(transaction), lost = std::move(lost)]() mutable {
    if (world_.events.now() >= cut_until_) return Deliver(transaction.answers);
    Post(cut_until_ - world_.events.now() + kTryAgain * Jitter(),
         [this, transaction = std::move(transaction), lost = std::move(lost)]() mutable {
           if (lost) return lost();
           Send(std::move(transaction));
         });
  };
  world_.database->Run(std::move(sent));
}

// --- the device

void SimulatedHost::Launch() {
  if (is_launched_) return;
  const double now = world_.events.now();
  const auto job = queue_.Next(At(now), [this](size_t of) { return work_[of].lanes.CanGo(); });
  if (!job) {
    if (idle_since_ < 0) idle_since_ = now;
    return;
  }
  if (idle_since_ >= 0) figures_.longest_gap = std::max(figures_.longest_gap, now - idle_since_);
  idle_since_ = -1;
  is_launched_ = true;
  Work& work = work_[*job];
  work.speed.Begin(At(now));
  const ClusterJob& of = world_.jobs[*job];
  std::vector<FinishedInstance> finished;
  const double took = work.lanes.Launch(shape_.lanes, shape_.speed, world_.habits.slice,
                                        {of.length, of.spread}, &finished);
  Post(took, [this, job = *job, took, finished = std::move(finished), life = life_] {
    is_launched_ = false;
    if (life == life_) EndLaunch(job, took, finished);
    Launch();
  });
}

void SimulatedHost::EndLaunch(size_t job, double took,
                              const std::vector<FinishedInstance>& finished) {
  queue_.Charge(job, std::chrono::nanoseconds(static_cast<int64_t>(took * 1e9)));
  figures_.launches.push_back({job, world_.events.now(), took});
  for (const FinishedInstance& one : finished) bringing_[one.chunk].come.push_back(one.instance);
  if (!world_.habits.holds_committed) Finish(job, finished.size());
  Work& work = work_[job];
  if (!work.lanes.CanGo()) work.speed.Pause(At(world_.events.now()));
  WakeCommits();
}

void SimulatedHost::Finish(size_t job, uint64_t instances) {
  Work& work = work_[job];
  work.held -= instances;
  work.speed.Finish(At(world_.events.now()), instances);
  if (work.held > 0 || !std::exchange(work.is_queued, false)) return;
  queue_.Remove(job);
}

// --- claims

void SimulatedHost::WakeClaims() {
  is_woken_ = true;
  if (std::exchange(is_claiming_, true)) return;
  Post(world_.habits.together, [this, life = life_] {
    if (life == life_) LookForJobs();
  });
}

void SimulatedHost::LookForJobs() {
  is_woken_ = false;
  const auto open = std::make_shared<std::vector<size_t>>();
  const auto look = [this, open] {
    for (size_t job = 0; job < world_.rows->jobs() && open->size() < kMostJobs; ++job) {
      if (world_.rows->open(job) > 0) open->push_back(job);
    }
  };
  if (!world_.habits.looks_idly) {  // it knows of what it has heard
    look();
    std::erase_if(*open, [this](size_t job) { return SizeFor(job) == 0; });
    if (open->empty()) return RestClaims(false);
    open->clear();
  }
  Transaction read;
  read.commits = look;
  read.answers = [this, open, life = life_] {
    if (life == life_) ClaimNext(*open, false);
  };
  Send(std::move(read));
}

void SimulatedHost::ClaimNext(std::vector<size_t> jobs, bool claimed) {
  while (!jobs.empty()) {
    const size_t job = jobs.front();
    jobs.erase(jobs.begin());
    if (Claim(job, [this, jobs, claimed](bool more) { ClaimNext(jobs, claimed || more); })) return;
  }
  RestClaims(claimed);
}

void SimulatedHost::RestClaims(bool claimed) {
  is_claiming_ = false;
  if (claimed || is_woken_) return WakeClaims();
  const HostHabits& habits = world_.habits;
  const double again = std::max(habits.look_again, ForHosts(habits.look_again_host));
  const double wait = std::exchange(is_beaten_, false) ? again * (0.5 + Jitter()) : habits.look;
  Post(wait, [this, look = ++look_] {
    if (look == look_) WakeClaims();
  });
}

bool SimulatedHost::Claim(size_t job, std::function<void(bool claimed)> then) {
  const uint64_t size = SizeFor(job);
  if (size == 0) return false;
  const bool finds = world_.claiming[job]++ < world_.rows->ranges(job);  // that nobody has locked
  const auto chunk = std::make_shared<std::optional<RowChunk>>();
  Transaction claim;
  claim.work = DatabaseWork::kClaim;
  claim.commits = [this, job, size, finds, chunk, host = id_] {
    --world_.claiming[job];
    if (finds) *chunk = world_.rows->Claim(host, job, size);
  };
  claim.answers = [this, chunk, then, life = life_] {
    if (life != life_) return;
    if (*chunk) TakeChunk(**chunk);
    if (!*chunk) ++figures_.empty_claims;
    if (!*chunk) is_beaten_ = true;
    then(chunk->has_value());
  };
  Send(std::move(claim), [this, then, life = life_] {
    if (life != life_) return;
    std::set<int64_t> known;
    for (const auto& [id, bringing] : bringing_) known.insert(id);
    Transaction ask;
    ask.commits = [this, known, host = id_] { world_.rows->GiveBackOthers(host, known); };
    ask.answers = [then, life, this] {
      if (life == life_) then(false);
    };
    Send(std::move(ask));
  });
  return true;
}

uint64_t SimulatedHost::SizeFor(size_t job) const {
  ClaimFacts facts;
  const auto at = work_.find(job);
  if (at != work_.end()) {
    facts.held = at->second.held;
    facts.per_second = at->second.speed.PerSecond(At(world_.events.now()));
  }
  facts.open = world_.rows->open(job);
  facts.hosts = hosts_;
  facts.room = kPlenty;
  facts.lanes = shape_.lanes;
  return ClaimSize(facts, world_.habits.claims);
}

void SimulatedHost::TakeChunk(const RowChunk& chunk) {
  bringing_[chunk.id].chunk = chunk;
  Work& work = work_[chunk.job];
  work.held += chunk.count;
  work.lanes.Give(chunk);
  const ClusterJob& job = world_.jobs[chunk.job];
  if (!std::exchange(work.is_queued, true)) {
    queue_.Add(chunk.job, {job.tenant, job.weight, 0}, At(world_.events.now()));
  }
  Launch();
}

// --- commits

void SimulatedHost::WakeCommits() {
  if (std::exchange(is_committing_, true)) return;
  const HostHabits& habits = world_.habits;
  const double wait = std::max(habits.gather, ForHosts(habits.gather_host));
  Post(wait * (0.5 + Jitter()), [this, life = life_] {
    if (life != life_) return;
    std::vector<int64_t> chunks;
    for (const auto& [id, bringing] : bringing_) {
      if (!bringing.come.empty()) chunks.push_back(id);
    }
    CommitNext(std::move(chunks));
  });
}

void SimulatedHost::CommitNext(std::vector<int64_t> chunks) {
  if (chunks.empty()) {
    is_committing_ = false;
    const bool more = std::any_of(bringing_.begin(), bringing_.end(),
                                  [](const auto& entry) { return !entry.second.come.empty(); });
    if (more) WakeCommits();
    return;
  }
  struct Part {
    RowChunk chunk;
    uint64_t number = 0;
    std::vector<uint64_t> instances;
    SharedRows::Told told = SharedRows::Told::kStored;
  };
  const auto parts = std::make_shared<std::vector<Part>>();
  const size_t job = bringing_[chunks.front()].chunk.job;
  std::erase_if(chunks, [&](int64_t id) {
    Bringing& bringing = bringing_[id];
    if (bringing.chunk.job != job || (!parts->empty() && !world_.habits.joins_chunks)) return false;
    parts->push_back({bringing.chunk, ++bringing.number, std::move(bringing.come)});
    bringing.come.clear();
    return true;
  });
  Transaction commit;
  commit.work = DatabaseWork::kCommit;
  commit.job = job;
  for (const Part& part : *parts)
    commit.bytes += part.instances.size() * world_.jobs[job].result_bytes;
  commit.commits = [this, parts, host = id_] {
    for (Part& part : *parts)
      part.told = world_.rows->Commit(host, part.chunk, part.number, part.instances);
  };
  commit.answers = [this, parts, chunks, sent = world_.events.now(), life = life_] {
    if (life != life_) return;
    figures_.waits.push_back(world_.events.now() - sent);
    for (const Part& part : *parts) {
      if (part.told != SharedRows::Told::kStored) return EnterAgain();
    }
    for (const Part& part : *parts) Settle(part.chunk.id, part.instances.size());
    TellOthers();
    Transaction read;  // what the job has come to
    read.answers = [this, chunks, life] {
      if (life == life_) CommitNext(chunks);
    };
    Send(std::move(read));
  };
  Send(std::move(commit));
}

void SimulatedHost::Settle(int64_t chunk, uint64_t instances) {
  Bringing& bringing = bringing_[chunk];
  bringing.stored += instances;
  if (world_.habits.holds_committed) Finish(bringing.chunk.job, instances);
  if (bringing.stored < bringing.chunk.count) return;
  bringing_.erase(chunk);
  WakeClaims();
}

// --- as a host

void SimulatedHost::Beat() {
  const auto is_heard = std::make_shared<bool>();
  Transaction beat;
  beat.work = DatabaseWork::kBeat;
  beat.commits = [this, is_heard, host = id_] {
    *is_heard = world_.rows->Hear(host, world_.events.now());
  };
  beat.answers = [this, is_heard, life = life_] {
    Post(world_.habits.beat, [this] { Beat(); });
    if (life != life_) return;
    if (!*is_heard) return EnterAgain();
    Transaction hosts;
    hosts.work = DatabaseWork::kHosts;
    hosts.rows = world_.rows->hosts();
    hosts.commits = [this] {
      hosts_ = static_cast<uint32_t>(std::max<size_t>(world_.rows->hosts(), 1));
      world_.rows->DropSilent(world_.events.now(), world_.habits.lease);
    };
    Send(std::move(hosts));
  };
  Send(std::move(beat));
}

void SimulatedHost::HearNews() {
  if (news_heard_ == world_.news) {
    world_.listeners.push_back([this] { Post(0, [this] { HearNews(); }); });
    return;
  }
  Transaction read;
  read.commits = [this] { news_heard_ = world_.news; };
  read.answers = [this] {
    WakeClaims();
    Post(NewsPace(), [this] { HearNews(); });
  };
  Send(std::move(read));
}

double SimulatedHost::NewsPace() const {
  const HostHabits& habits = world_.habits;
  return std::clamp(habits.news_pair * hosts_ * hosts_, habits.news_least, habits.news_most);
}

void SimulatedHost::TellOthers() {
  if (std::exchange(has_news_, true)) return;
  Post(std::max(told_ + NewsPace() - world_.events.now(), 0.0), [this] {
    has_news_ = false;
    told_ = world_.events.now();
    Transaction news;
    news.work = DatabaseWork::kNews;
    news.commits = [this] { world_.Tell(); };
    Send(std::move(news));
  });
}

// Others run what it ran.
void SimulatedHost::EnterAgain() {
  ++life_;
  ++figures_.drops;
  for (auto& [job, work] : work_) {
    if (work.is_queued) queue_.Remove(job);
  }
  work_.clear();
  bringing_.clear();
  is_claiming_ = is_committing_ = false;
  Transaction enter;
  enter.work = DatabaseWork::kBeat;
  enter.commits = [this] { id_ = world_.rows->Enter(world_.events.now()); };
  enter.answers = [this] { WakeClaims(); };
  Send(std::move(enter));
}

}  // namespace wb::test
