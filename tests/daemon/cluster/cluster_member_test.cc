// Several daemons over one store in memory: what they run together, and what becomes of it when one
// of them, or the store, does not answer. Over PostgreSQL: tests/e2e/cases_cluster.sh.

#include "daemon/cluster/cluster_member.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "tests/daemon/cluster/shared_model.h"
#include "tests/daemon/fake_scheduler.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kMostResults = uint64_t{1} << 30;  // bytes, of all jobs
constexpr auto kPatience = std::chrono::seconds(30);

// Also what is kept of the request, and what is shown of it: "FUNCTION INSTANCES TENANT".
std::string TextOf(const std::string& function, uint64_t instances,
                   const std::string& tenant = "") {
  return function + " " + std::to_string(instances) + " " + tenant;
}

JobRequest RequestOf(const std::string& text) {
  const size_t blank = text.find(' ');
  JobRequest request;
  size_t digits = 0;
  request.instances = std::stoull(text.substr(blank), &digits);
  if (blank + digits < text.size()) request.tenant = text.substr(blank + digits + 1);
  request.most_result_bytes = request.most_part_bytes = 100;
  CallStep call;
  call.function = text.substr(0, blank);
  request.steps.push_back(call);
  const auto sent = std::make_shared<SentRequest>();
  sent->whole = sent->shown = text;
  request.sent = sent;
  return request;
}

// Without a ClusterMember it hears no news.
std::shared_ptr<ClusterJobStore> JobsOf(const std::shared_ptr<SharedModelStore>& store) {
  JobStoreLimits limits;
  limits.results.max_bytes = limits.results.max_tenant_bytes = kMostResults;
  limits.ttl_ns = int64_t{3600} * 1'000'000'000;
  const auto read = [](const std::string& shown) -> Result<JobRequest> { return RequestOf(shown); };
  return std::make_shared<ClusterJobStore>(store, limits, read, [] { return int64_t{1'000'000}; });
}

class Host {
 public:
  Host(const std::shared_ptr<SharedModel>& model, const std::string& name, double per_second = 0)
      : store(std::make_shared<SharedModelStore>(model, name)),
        scheduler(7, per_second),
        jobs(JobsOf(store)) {
    ClusterMember::Parts parts;
    parts.store = store;
    parts.jobs = jobs;
    parts.scheduler = &scheduler;
    parts.prepare = [](const std::string& whole) -> Result<Submission> {
      return Submission{RequestOf(whole), {}, nullptr, nullptr};
    };
    parts.facts = [name] { return "devices of " + name; };
    parts.lease = milliseconds(100);
    parts.max_memory_bytes = uint64_t{1} << 30;
    member = std::move(ClusterMember::Start(std::move(parts))).value();
  }

  std::string Create(const std::string& function, uint64_t instances,
                     const std::string& tenant = "") {
    return jobs->Create(RequestOf(TextOf(function, instances, tenant)))->job.id;
  }

  std::shared_ptr<SharedModelStore> store;
  FakeScheduler scheduler;
  std::shared_ptr<ClusterJobStore> jobs;
  std::unique_ptr<ClusterMember> member;
};

class ClusterMemberTest : public testing::Test {
 protected:
  template <typename Predicate>
  static bool Await(Predicate&& holds) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return true;
  }

  static JobInfo AwaitEnd(const Host& host, const std::string& id) {
    EXPECT_TRUE(Await([&] {
      const Result<JobInfo> job = host.jobs->Get(id);
      return job.ok() && IsTerminal(job->state);
    })) << JobStateName(host.jobs->Get(id)->state);
    return *host.jobs->Get(id);
  }

  // The instances of the results, as a reader has them.
  static std::vector<uint64_t> ReadAll(const Host& host, const std::string& id) {
    std::vector<uint64_t> instances;
    uint64_t position = 0;
    while (true) {
      const Result<ResultRow> row = host.jobs->Read(id, position, 1000);
      EXPECT_TRUE(row.ok()) << row.status().ToString();
      if (!row.ok()) return instances;
      for (const ResultSlice& slice : row->slices) {
        for (size_t i = slice.from; i < slice.to; ++i) {
          instances.push_back(slice.batch->instances()[i]);
        }
      }
      position = row->next;
      if (row->last) return instances;
    }
  }

  static void ExpectEachOnce(const Host& host, const std::string& id, uint64_t instances) {
    const std::vector<uint64_t> all = ReadAll(host, id);
    EXPECT_EQ(all.size(), instances);
    EXPECT_EQ(std::set<uint64_t>(all.begin(), all.end()).size(), instances);
  }

  // As if the job's results were of so many bytes.
  void Fill(const std::string& id, uint64_t bytes) {
    const std::lock_guard lock(model_->mutex);
    SharedModel::Job& job = model_->jobs.at(id);
    job.row.bytes = bytes;
    ++job.row.version;
    model_->changes[id] = ++model_->last_change;
    model_->news.notify_all();
  }

  bool HasClaimed(const Host& host) {
    const std::lock_guard lock(model_->mutex);
    for (const auto& [id, held] : model_->chunks) {
      if (held.host == host.store->host() && !held.left.empty()) return true;
    }
    return false;
  }

  const std::shared_ptr<SharedModel> model_ = std::make_shared<SharedModel>();
};

TEST_F(ClusterMemberTest, TwoDaemonsRunAJobTogether) {
  Host one(model_, "one");
  Host two(model_, "two");
  one.scheduler.Hold();
  two.scheduler.Hold();
  const std::string id = one.Create("identity", 2000);
  EXPECT_TRUE(Await([&] { return HasClaimed(one) && HasClaimed(two); }));
  one.scheduler.Release();
  two.scheduler.Release();
  EXPECT_EQ(AwaitEnd(one, id).state, JobState::kSucceeded);
  const JobInfo job = AwaitEnd(two, id);  // who has never heard of it but by the store
  EXPECT_EQ(job.counts.finished, 2000u);
  EXPECT_EQ(job.counts.by_end[static_cast<size_t>(End::kReturned)], 2000u);
  EXPECT_EQ(job.usage.fuel, 2000u * 3);
  EXPECT_EQ(job.history.size(), 3u);  // queued, running, succeeded
  ExpectEachOnce(one, id, 2000);
  ExpectEachOnce(two, id, 2000);
}

TEST_F(ClusterMemberTest, AListenerHearsOfWhatAnotherDaemonRuns) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 50);
  Host two(model_, "two");
  std::atomic<int> heard{0};
  const auto handle = two.jobs->Subscribe(id, [&heard] { ++heard; });
  ASSERT_TRUE(handle.ok()) << handle.status().ToString();
  one.scheduler.Release();
  AwaitEnd(two, id);
  EXPECT_TRUE(Await([&] { return heard.load() > 0; }));
}

TEST_F(ClusterMemberTest, AReaderSeesWhatAnotherDaemonHasTold) {
  Host one(model_, "one");
  const auto deaf = JobsOf(std::make_shared<SharedModelStore>(model_, "deaf"));
  one.scheduler.Hold();
  const std::string read_again = one.Create("identity", 20);
  const std::string read_on = one.Create("identity", 20);
  for (const std::string& id : {read_again, read_on}) EXPECT_TRUE(deaf->Get(id).ok());
  one.scheduler.Release();
  for (const std::string& id : {read_again, read_on}) AwaitEnd(one, id);

  EXPECT_TRUE(deaf->Read(read_again, 0, 10000)->slices.empty());  // who follows waits for news
  const Result<ResultRow> all =
      deaf->Read(read_again, 0, ReadBound(10000, ResultForm::kWhole, true));
  EXPECT_EQ(all->next, 20u);
  const Result<ResultRow> rest = deaf->Read(read_on, 15, 10000);  // with a cursor of the other one
  ASSERT_TRUE(rest.ok()) << rest.status().ToString();
  EXPECT_EQ(rest->next, 20u);
}

TEST_F(ClusterMemberTest, WhatASilentDaemonHadGoesOnElsewhere) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 300);
  EXPECT_TRUE(Await([&] { return HasClaimed(one); }));
  const int64_t before = one.store->host();
  {
    const std::lock_guard lock(model_->mutex);
    model_->hosts.at(before).silent = true;
  }
  Host two(model_, "two");
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  ExpectEachOnce(two, id, 300);
  // What it brings now is thrown away, and it is a host again.
  one.scheduler.Release();
  EXPECT_TRUE(Await([&] { return one.store->host() != before; }));
  const std::string next = one.Create("identity", 40);
  EXPECT_EQ(AwaitEnd(one, next).state, JobState::kSucceeded);
  ExpectEachOnce(two, id, 300);
  ExpectEachOnce(two, next, 40);
}

TEST_F(ClusterMemberTest, InstancesOfADroppedDaemonHaveALaterAttempt) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 1);
  EXPECT_TRUE(Await([&] { return HasClaimed(one); }));
  Host two(model_, "two");
  two.scheduler.Hold();
  {
    const std::lock_guard lock(model_->mutex);
    model_->hosts.at(one.store->host()).silent = true;
  }
  EXPECT_TRUE(Await([&] { return two.scheduler.last_before() != nullptr; }));
  EXPECT_TRUE(Await([&] { return two.scheduler.last_before()->attempt == 2; }));
  two.scheduler.Release();
  one.scheduler.Release();
  AwaitEnd(two, id);
}

TEST_F(ClusterMemberTest, AnyDaemonCancels) {
  Host one(model_, "one");
  const std::string id = one.Create("spin", 100);
  Host two(model_, "two");
  EXPECT_TRUE(Await([&] { return HasClaimed(one) || HasClaimed(two); }));
  const JobState state = two.jobs->MarkCancelling(id)->state;  // it may be over by now
  EXPECT_TRUE(state == JobState::kCancelling || state == JobState::kCancelled);
  EXPECT_EQ(AwaitEnd(one, id).state, JobState::kCancelled);
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kCancelled);
  EXPECT_EQ(one.jobs->MarkCancelling(id).status().reason(), Reason::kJobTerminal);
}

TEST_F(ClusterMemberTest, AJobThatNobodyHasBegunIsCancelledAtOnce) {
  Host one(model_, "one");
  one.member->StopClaiming();
  const std::string id = one.Create("identity", 100);
  EXPECT_EQ(one.jobs->MarkCancelling(id)->state, JobState::kCancelled);
}

TEST_F(ClusterMemberTest, AnAnswerThatIsLostDoublesNothing) {
  Host one(model_, "one");
  {
    const std::lock_guard lock(model_->mutex);
    model_->lose_answers = 2;
  }
  const std::string id = one.Create("identity", 60);
  EXPECT_EQ(AwaitEnd(one, id).state, JobState::kSucceeded);
  EXPECT_EQ(one.jobs->Get(id)->counts.finished, 60u);
  ExpectEachOnce(one, id, 60);
}

TEST_F(ClusterMemberTest, UsageOfWhatWentBackCountsOnceThoughTheAnswerWasLost) {
  Host one(model_, "one");
  const std::string id = one.Create("spin", 100);
  EXPECT_TRUE(Await([&] { return one.jobs->Get(id)->state == JobState::kRunning; }));
  one.member->StopClaiming();
  size_t chunks = 0;
  {
    const std::lock_guard lock(model_->mutex);
    chunks = model_->chunks.size();
    model_->lose_returns = 2;
  }
  EXPECT_TRUE(one.jobs->MarkCancelling(id).ok());
  EXPECT_EQ(AwaitEnd(one, id).usage.bursts, chunks);  // one of each
  const std::lock_guard lock(model_->mutex);
  EXPECT_LT(model_->lose_returns, 2u);
}

TEST_F(ClusterMemberTest, EachDaemonTellsHowFastAJobRunsAndWhenItEnds) {
  Host one(model_, "one", 500);
  const std::string id = one.Create("identity", 5000);
  Host two(model_, "two", 500);
  for (const Host* host : {&one, &two}) {
    EXPECT_TRUE(Await([&] {
      const JobInfo job = *host->jobs->Get(id);
      return job.instructions_per_second.value_or(0) > 0 && job.eta &&
             job.eta->earliest_unix_ns <= job.eta->latest_unix_ns;
    }));
  }
  EXPECT_TRUE(one.jobs->MarkCancelling(id).ok());
  EXPECT_EQ(AwaitEnd(two, id).instructions_per_second, std::nullopt);
}

TEST_F(ClusterMemberTest, ResultsWaitForAStoreThatDoesNotAnswer) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 20);
  EXPECT_TRUE(Await([&] { return HasClaimed(one); }));
  {
    const std::lock_guard lock(model_->mutex);
    model_->is_down = true;
  }
  one.scheduler.Release();
  EXPECT_EQ(one.jobs->Create(RequestOf("identity 1")).status().reason(), Reason::kMachineFault);
  std::this_thread::sleep_for(milliseconds(100));
  {
    const std::lock_guard lock(model_->mutex);
    model_->is_down = false;
  }
  EXPECT_EQ(AwaitEnd(one, id).state, JobState::kSucceeded);
  ExpectEachOnce(one, id, 20);
}

TEST_F(ClusterMemberTest, AJobThatCanRunNowhereFails) {
  Host one(model_, "one");
  one.scheduler.RefuseNext(Status(Reason::kCompileFailed, "It does not compile."));
  const JobInfo job = AwaitEnd(one, one.Create("identity", 10));
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.error.message(), "It does not compile.");
}

TEST_F(ClusterMemberTest, AJobThatOneDaemonCannotRunIsLeftToOthers) {
  Host one(model_, "one");
  one.scheduler.RefuseNext(Status(Reason::kNoDeviceFits, "No device here."));
  const std::string id = one.Create("identity", 10);
  Host two(model_, "two");
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  ExpectEachOnce(two, id, 10);
}

TEST_F(ClusterMemberTest, ADaemonThatLeavesGivesBackWhatItHas) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 30);
  EXPECT_TRUE(Await([&] { return HasClaimed(one); }));
  one.member->Leave(milliseconds(10));
  Host two(model_, "two");
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  ExpectEachOnce(two, id, 30);
  one.scheduler.Release();
}

TEST_F(ClusterMemberTest, ResultsOfEndedJobsThatNobodyReadsMakeRoom) {
  Host one(model_, "one");
  const std::string old = one.Create("identity", 10, "a");
  const std::string read = one.Create("identity", 10, "a");
  for (const std::string& id : {old, read}) AwaitEnd(one, id);
  EXPECT_EQ(one.jobs->Get(old)->results_dropped, 0u);
  const auto reader = one.jobs->Subscribe(read, [] {});
  Fill(read, kMostResults - 1000);
  Fill(old, 2000);
  EXPECT_TRUE(Await([&] { return one.jobs->Get(old)->results_dropped == 10; }));
  EXPECT_EQ(one.jobs->Get(read)->results_dropped, 0u);
  EXPECT_EQ(one.jobs->Read(old, 0, 1000).status().reason(), Reason::kCursorExpired);
}

TEST_F(ClusterMemberTest, AJobWaitsWhereUnreadResultsOfOthersLeaveNoRoomAndSaysSo) {
  Host one(model_, "one");
  Host two(model_, "two");
  const std::string full = one.Create("spin", 10, "a");
  EXPECT_TRUE(Await([&] { return one.jobs->Get(full)->state == JobState::kRunning; }));
  Fill(full, kMostResults);
  EXPECT_TRUE(Await([&] { return two.jobs->jobs().BytesOf(full) == kMostResults; }));
  EXPECT_TRUE(Await([&] { return one.jobs->jobs().BytesOf(full) == kMostResults; }));
  const std::string id = one.Create("identity", 10, "b");
  std::this_thread::sleep_for(milliseconds(100));
  for (const Host* host : {&one, &two}) {
    const JobInfo job = host->jobs->Get(id).value();
    EXPECT_EQ(job.state, JobState::kQueued);
    EXPECT_TRUE(job.held_by_others);
    EXPECT_NE(job.held_by_results.find("results.max_total_bytes"), std::string::npos);
    EXPECT_NE(job.held_by_results.find(full), std::string::npos) << job.held_by_results;
    EXPECT_EQ(job.waiting_for, job.held_by_results);
  }
  EXPECT_TRUE(one.jobs->MarkCancelling(full).ok());
  Fill(full, 0);
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  EXPECT_EQ(one.jobs->Get(id)->held_by_results, "");
}

TEST_F(ClusterMemberTest, TheSameRequestMakesOneJob) {
  Host one(model_, "one");
  Host two(model_, "two");
  JobRequest request = RequestOf("identity 10");
  request.request_id = "mine";
  request.body = Sha256(AsBytes("a body"));
  const auto first = one.jobs->Create(request);
  const auto second = two.jobs->Create(request);
  EXPECT_FALSE(first->existed);
  EXPECT_TRUE(second->existed);
  EXPECT_EQ(first->job.id, second->job.id);
  request.body = Sha256(AsBytes("another body"));
  EXPECT_EQ(two.jobs->Create(request).status().reason(), Reason::kRequestIdReused);
}

TEST_F(ClusterMemberTest, ADeletedJobIsGoneEverywhere) {
  Host one(model_, "one");
  const std::string id = one.Create("identity", 10);
  Host two(model_, "two");
  AwaitEnd(one, id);
  AwaitEnd(two, id);
  EXPECT_TRUE(two.jobs->Delete(id).ok());
  EXPECT_EQ(two.jobs->Get(id).status().reason(), Reason::kNotFound);
  EXPECT_TRUE(Await([&] { return one.jobs->Get(id).status().reason() == Reason::kNotFound; }));
}

TEST_F(ClusterMemberTest, HostsAreHeard) {
  Host one(model_, "one");
  Host two(model_, "two");
  EXPECT_TRUE(Await([&] { return one.member->Hosts().size() == 2; }));
  EXPECT_EQ(one.member->Hosts()[1].facts, "devices of two");
}

}  // namespace
}  // namespace wb::test
