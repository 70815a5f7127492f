// Connections and servers that go while jobs are shared: nothing is lost, nothing is there twice.

#include <atomic>
#include <functional>
#include <random>
#include <thread>

#include "daemon/postgres/postgres_database.h"
#include "daemon/postgres/shared/claim_doubts.h"
#include "daemon/postgres/shared/postgres_chunks.h"
#include "daemon/postgres/shared/postgres_hosts.h"
#include "daemon/postgres/shared/postgres_job_rows.h"
#include "tests/daemon/postgres/cutting_proxy.h"
#include "tests/daemon/postgres/shared_home.h"

namespace wb {
namespace {

// As a daemon does, which tries again what may pass.
Status UntilWell(const std::function<Status()>& act) {
  Status status = act();
  for (int tries = 0; tries < 2000 && status.reason() == Reason::kMachineFault; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    status = act();
  }
  return status;
}

class SharedFaultsTest : public test::SharedTest {
 protected:
  static Chunk ClaimUntilWell(const Store& store, const std::string& job, uint64_t count) {
    std::optional<Chunk> chunk;
    EXPECT_EQ(UntilWell([&]() -> Status {
                WB_ASSIGN(chunk, store->chunks().Claim(job, count, 1));
                return {};
              }).message(),
              "");
    return chunk.value_or(Chunk());
  }
  // What a job goes through, in a database whose connection is cut once.
  void Run(const Store& store, const Store& direct, const std::string& id, uint64_t each) {
    EXPECT_EQ(UntilWell([&] { return store->jobs().Create(Job(id, 20)).status(); }).message(), "");
    const Chunk first = ClaimUntilWell(store, id, 8);
    EXPECT_EQ(first.instances.count, 8u);
    commits_ = 0;
    const auto commit = [&](const ChunkResults& results) {
      ++commits_;
      EXPECT_EQ(UntilWell([&] { return store->chunks().Commit(id, {results}, Decide); }).message(),
                "");
    };
    commit(Results(first, {{2, 6}}, 1, each));
    Chunk rest = first;
    rest.instances = {2, 6};
    commit(Results(rest, {}, 2, each));
    const Chunk second = ClaimUntilWell(store, id, 20);
    ++commits_;
    const Status back =
        UntilWell([&] { return store->chunks().GiveBackWith(id, second.id, Decide); });
    EXPECT_TRUE(back.ok() || back.reason() == Reason::kNotFound) << back.message();
    EXPECT_EQ(UntilWell([&] { return store->hosts().Beat(""); }).message(), "");
    while (Found(direct, id).open > 0) {
      commit(Results(ClaimUntilWell(store, id, 20), {}, 1, each));
    }
  }
  static Result<SharedChange> Decide(const SharedJob& job) {
    SharedChange change;
    change.record = job.record + "+";
    change.ends = job.open + job.claimed == 0;
    return change;
  }
  void ExpectWhole(const Store& store, const std::string& id) {
    const SharedJob job = Found(store, id);
    EXPECT_TRUE(job.ended) << id;
    EXPECT_EQ(job.next, 20u);
    EXPECT_EQ(Instances(store, id), UpTo(20));
    // Each commit counted once, though it came again.
    EXPECT_EQ(job.record, "record" + std::string(commits_, '+'));
  }
  // Runs the job `a` until it has ended.
  static void WorkOn(const Store& store, std::atomic<bool>* is_over) {
    while (!*is_over) {
      std::optional<Chunk> chunk;
      const Status claimed = UntilWell([&]() -> Status {
        WB_ASSIGN(chunk, store->chunks().Claim("a", 10, 1));
        return {};
      });
      EXPECT_EQ(claimed.message(), "");
      if (!chunk) {
        // Claims whose answers were lost come back so.
        EXPECT_EQ(UntilWell([&] { return store->hosts().Beat(""); }).message(), "");
        const Result<std::optional<SharedJob>> job = store->jobs().Find("a");
        if (job.ok() && (*job)->ended) *is_over = true;
        continue;
      }
      const uint64_t each = chunk->instances.first % 3 == 0 ? 1 : 10;
      // A server that was killed may have lost the claim.
      const Status told = UntilWell(
          [&] { return store->chunks().Commit("a", {Results(*chunk, {}, 1, each)}, Decide); });
      EXPECT_TRUE(told.ok() || told.reason() == Reason::kNotFound) << told.message();
    }
  }
  size_t commits_ = 0;  // of the last job
};

TEST_F(SharedFaultsTest, WhereverTheConnectionIsCutAllIsThereOnce) {
  test::CuttingProxy proxy(server_->socket_folder());
  PostgresSettings settings = Settings("one");
  settings.address = "postgresql:///" + name_ + "?host=" + proxy.folder() + "&user=wasmburst";
  const Store store = OpenSharedPostgresState(settings).value().shared;
  ASSERT_TRUE(store->hosts().Enter().ok());
  const Store direct = Open("direct");
  struct Way {
    void (test::CuttingProxy::*cut)(int);
    int stride;     // an answer to a statement has six messages
    uint64_t each;  // results of a block; one: many blocks, which are copied
  };
  int jobs = 0;
  for (const Way way :
       {Way{&test::CuttingProxy::CutAnswer, 4, 100}, Way{&test::CuttingProxy::CutAnswer, 7, 1},
        Way{&test::CuttingProxy::CutRequest, 1, 100}}) {
    for (int step = 0;; step += way.stride) {
      (proxy.*way.cut)(step);
      const std::string id = "job" + std::to_string(++jobs);
      Run(store, direct, id, way.each);
      ExpectWhole(direct, id);
      if (HasFailure()) FAIL() << "cut " << step << " of each " << way.stride;
      if (proxy.is_waiting()) break;  // it has fewer steps
    }
    (proxy.*way.cut)(-1);
  }
  EXPECT_EQ(proxy.cuts(), jobs - 3);  // all but the last of each way
  EXPECT_GT(jobs, 50);
  EXPECT_EQ(Sql("SELECT count(*) FROM shared_jobs"), std::to_string(jobs));
  EXPECT_EQ(Sql("SELECT count(*) FROM chunks WHERE NOT ended"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM ranges"), "0");
}

TEST_F(SharedFaultsTest, AClaimInDoubtIsGivenBackOnceTheServerAnswers) {
  const auto database = PostgresDatabase::Open(Settings("one")).value();
  PostgresNews news(database);
  ClaimDoubts doubts(database, &news);
  PostgresHosts host(database, &news, &doubts);
  PostgresChunks chunks(database, &news, &doubts);
  PostgresJobRows jobs(database, &news);
  ASSERT_TRUE(host.Enter().ok());
  ASSERT_TRUE(jobs.Create(Job("a", 100)).ok());
  const Chunk chunk = *chunks.Claim("a", 40, 1).value();
  doubts.Add(chunk.id);         // as if its answer had been lost
  doubts.Add(chunk.id + 1000);  // one that was never made
  server_->Stop();
  EXPECT_EQ(doubts.Settle().reason(), Reason::kMachineFault);
  server_->Run();
  EXPECT_EQ(UntilWell([&] { return host.Beat(""); }).message(), "");
  EXPECT_EQ(jobs.Find("a").value()->open, 100u);
  EXPECT_EQ(chunks.GiveBack(chunk.id).reason(), Reason::kNotFound);
  // Those of an earlier host went back when it was dropped.
  const Chunk again = *chunks.Claim("a", 40, 1).value();
  doubts.Add(again.id);
  ASSERT_TRUE(host.Enter().ok());
  EXPECT_TRUE(doubts.Settle().ok());
  EXPECT_EQ(jobs.Find("a").value()->claimed, 40u);
}

TEST_F(SharedFaultsTest, NewsAreEmptyOnceTheConnectionWasLost) {
  const Store store = Open();
  EXPECT_TRUE(store->news().Await(std::chrono::seconds(10)).empty());
  Sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
      "AND query = 'LISTEN wasmburst_jobs'");
  EXPECT_TRUE(store->news().Await(std::chrono::minutes(10)).empty());
  ASSERT_TRUE(store->jobs().Create(Job("a", 1)).ok());
  EXPECT_TRUE(store->news().Await(std::chrono::minutes(10)).empty());  // it listens again
  ASSERT_TRUE(store->jobs().Forget("a").ok());
  EXPECT_EQ(store->news().Await(std::chrono::minutes(10)), std::vector<std::string>{"a"});
  server_->Stop();
  EXPECT_TRUE(store->news().Await(std::chrono::minutes(10)).empty());
  EXPECT_TRUE(store->news().Await(std::chrono::milliseconds(50)).empty());
  server_->Run();
  EXPECT_TRUE(store->news().Await(std::chrono::minutes(10)).empty());
  ASSERT_EQ(UntilWell([&] { return store->jobs().Create(Job("b", 1)).status(); }).message(), "");
  EXPECT_EQ(store->news().Await(std::chrono::minutes(10)), std::vector<std::string>{"b"});
}

TEST_F(SharedFaultsTest, AServerThatIsKilledUnderCommitsLosesAndDoublesNothing) {
  constexpr uint64_t kInstances = 2000;
  const Store stores[] = {Open("one"), Open("two")};
  ASSERT_TRUE(stores[0]->jobs().Create(Job("a", kInstances, 8)).ok());
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(WorkOn, stores[i % 2], &is_over);
  for (int kills = 0; kills < 2; ++kills) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(is_over && kills == 0);
    server_->Stop();
    server_->Run();
  }
  for (std::thread& thread : threads) thread.join();
  const SharedJob job = Found(stores[0], "a");
  EXPECT_EQ(job.next, kInstances);
  std::vector<uint64_t> instances = Instances(stores[1], "a");
  std::sort(instances.begin(), instances.end());
  EXPECT_EQ(instances, UpTo(kInstances));
}

// A daemon of the test below: it claims, and does with what it has whatever a daemon may do. Now
// and then it is not heard for longer than a lease, and goes on as if nothing had happened.
class RestlessHost {
 public:
  static constexpr std::chrono::milliseconds kLease{150};
  using Results = std::function<ChunkResults(const Chunk&, std::vector<InstanceRange>, uint64_t)>;

  RestlessHost(std::shared_ptr<SharedStore> store, unsigned seed, Results results,
               DecideChange decide)
      : store_(std::move(store)),
        results_(std::move(results)),
        decide_(std::move(decide)),
        random_(seed),
        beater_([this] { BeatOn(); }),
        worker_([this] { WorkOn(); }) {}
  void Join() {
    worker_.join();
    is_over_ = true;
    beater_.join();
  }

 private:
  // That it was dropped, that its session was ended, that it does not have a chunk any more: all
  // that may be, but no deadlock.
  static Status Check(const Status& status) {
    const bool may_be = status.ok() || status.reason() == Reason::kNotFound ||
                        status.reason() == Reason::kMachineFault;
    EXPECT_TRUE(may_be && status.message().find("40P01") == std::string::npos) << status.ToString();
    return status;
  }
  void BeatOn() {
    while (!is_over_) {
      if (!is_silent_) {
        (void)Check(store_->hosts().Beat(""));
        if (store_->hosts().is_dropped()) (void)Check(store_->hosts().Enter());
        (void)Check(store_->hosts().DropSilent(kLease).status());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  void WorkOn() {
    while (true) {
      const Result<std::vector<SharedJob>> states = store_->jobs().List(1, std::nullopt, "", 100);
      if (states.ok() && states->empty()) return;
      if (!states.ok()) continue;
      const SharedJob& job = (*states)[random_() % states->size()];
      const Result<std::optional<Chunk>> chunk =
          store_->chunks().Claim(job.id, 1 + random_() % 20, 1);
      (void)Check(chunk.status());
      if (chunk.ok() && *chunk) Handle(**chunk);
    }
  }
  void Handle(const Chunk& chunk) {
    switch (random_() % 8) {
      case 0: return Do([&] { return store_->chunks().GiveBack(chunk.id); });
      case 1: return Do([&] { return store_->hosts().Leave(); });
      case 2:
        is_silent_ = true;
        std::this_thread::sleep_for(2 * kLease);
        is_silent_ = false;
        break;
      default: break;
    }
    const InstanceRange all = chunk.instances;
    const InstanceRange half = {all.first, all.count / 2};
    Chunk rest = chunk;
    if (half.count > 0) {
      Do([&] { return store_->chunks().Commit(chunk.job, {results_(chunk, {half}, 1)}, decide_); });
      rest.instances = half;
    }
    const uint64_t number = half.count > 0 ? 2 : 1;
    Do([&] { return store_->chunks().Commit(chunk.job, {results_(rest, {}, number)}, decide_); });
  }
  static void Do(const std::function<Status()>& act) {
    (void)UntilWell([&] { return Check(act()); });
  }

  const std::shared_ptr<SharedStore> store_;
  const Results results_;
  const DecideChange decide_;
  std::mt19937 random_;  // of the worker
  std::atomic<bool> is_silent_{false};
  std::atomic<bool> is_over_{false};
  std::thread beater_;
  std::thread worker_;
};

TEST_F(SharedFaultsTest, HostsThatComeAndGoLoseAndDoubleNothing) {
  const Store store = Open("watch");
  constexpr int kJobs = 2;
  constexpr uint64_t kInstances = 200;
  for (int i = 0; i < kJobs; ++i) {
    ASSERT_TRUE(store->jobs().Create(Job("job" + std::to_string(i), kInstances, 3)).ok());
  }
  const auto decide = [](const SharedJob& job) -> Result<SharedChange> {
    SharedChange change;
    change.ends = job.open + job.claimed == 0;
    change.state = change.ends ? 1 : 0;
    return change;
  };
  const auto results = [](const Chunk& chunk, std::vector<InstanceRange> left, uint64_t number) {
    return Results(chunk, std::move(left), number);
  };
  std::vector<std::unique_ptr<RestlessHost>> hosts;
  for (unsigned i = 0; i < 4; ++i) {
    hosts.push_back(std::make_unique<RestlessHost>(Open("host"), i, results, decide));
  }
  for (const auto& host : hosts) host->Join();
  for (int i = 0; i < kJobs; ++i) {
    std::vector<uint64_t> instances = Instances(store, "job" + std::to_string(i));
    std::sort(instances.begin(), instances.end());
    EXPECT_EQ(instances, UpTo(kInstances));
  }
  EXPECT_NE(Sql("SELECT count(*) FROM hosts WHERE dropped IS NOT NULL"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM shared_jobs WHERE ended AND next = 200"), "2");
}

}  // namespace
}  // namespace wb
