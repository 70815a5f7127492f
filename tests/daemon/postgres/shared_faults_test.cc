// Connections and servers that go while jobs are shared: nothing is lost, nothing is there twice.

#include <atomic>
#include <thread>

#include "daemon/postgres/postgres_database.h"
#include "tests/daemon/postgres/cutting_proxy.h"
#include "tests/daemon/postgres/shared_home.h"

namespace wb {
namespace {

class SharedFaultsTest : public test::SharedTest {
 protected:
  // As a daemon does, which tries again what may pass.
  static Status UntilWell(const std::function<Status()>& act) {
    Status status = act();
    for (int tries = 0; tries < 2000 && status.reason() == Reason::kMachineFault; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      status = act();
    }
    return status;
  }
  static Chunk ClaimUntilWell(const Store& store, const std::string& job, uint64_t count) {
    std::optional<Chunk> chunk;
    EXPECT_EQ(UntilWell([&]() -> Status {
                WB_ASSIGN(chunk, store->Claim(job, count, 1));
                return {};
              }).message(),
              "");
    return chunk.value_or(Chunk());
  }
  // What a job goes through, in a database whose connection is cut once.
  void Run(const Store& store, const Store& direct, const std::string& id, uint64_t each) {
    EXPECT_EQ(UntilWell([&] { return store->Create(Job(id, 20)).status(); }).message(), "");
    const Chunk first = ClaimUntilWell(store, id, 8);
    EXPECT_EQ(first.instances.count, 8u);
    commits_ = 0;
    const auto commit = [&](const ChunkResults& results) {
      ++commits_;
      EXPECT_EQ(UntilWell([&] { return store->Commit(id, {results}, Decide); }).message(), "");
    };
    commit(Results(first, {{2, 6}}, 1, each));
    Chunk rest = first;
    rest.instances = {2, 6};
    commit(Results(rest, {}, 2, each));
    const Chunk second = ClaimUntilWell(store, id, 20);
    const Status back = UntilWell([&] { return store->GiveBack(second.id); });
    EXPECT_TRUE(back.ok() || back.reason() == Reason::kNotFound) << back.message();
    EXPECT_EQ(UntilWell([&] { return store->Beat(""); }).message(), "");
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
  size_t commits_ = 0;  // of the last job
};

TEST_F(SharedFaultsTest, WhereverTheConnectionIsCutAllIsThereOnce) {
  test::CuttingProxy proxy(server_->socket_folder());
  PostgresSettings settings = Settings("one");
  settings.address = "postgresql:///" + name_ + "?host=" + proxy.folder() + "&user=wasmburst";
  const Store store = OpenSharedPostgresState(settings).value().shared;
  ASSERT_TRUE(store->Enter().ok());
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

TEST_F(SharedFaultsTest, NewsAreEmptyOnceTheConnectionWasLost) {
  const Store store = Open();
  EXPECT_TRUE(store->AwaitNews(std::chrono::seconds(10)).empty());
  Sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
      "AND query = 'LISTEN wasmburst_jobs'");
  EXPECT_TRUE(store->AwaitNews(std::chrono::minutes(10)).empty());
  ASSERT_TRUE(store->Create(Job("a", 1)).ok());
  EXPECT_TRUE(store->AwaitNews(std::chrono::minutes(10)).empty());  // it listens again
  ASSERT_TRUE(store->Forget("a").ok());
  EXPECT_EQ(store->AwaitNews(std::chrono::minutes(10)), std::vector<std::string>{"a"});
  server_->Stop();
  EXPECT_TRUE(store->AwaitNews(std::chrono::minutes(10)).empty());
  EXPECT_TRUE(store->AwaitNews(std::chrono::milliseconds(50)).empty());
  server_->Run();
  EXPECT_TRUE(store->AwaitNews(std::chrono::minutes(10)).empty());
  ASSERT_EQ(UntilWell([&] { return store->Create(Job("b", 1)).status(); }).message(), "");
  EXPECT_EQ(store->AwaitNews(std::chrono::minutes(10)), std::vector<std::string>{"b"});
}

TEST_F(SharedFaultsTest, AServerThatIsKilledUnderCommitsLosesAndDoublesNothing) {
  constexpr uint64_t kInstances = 2000;
  const Store stores[] = {Open("one"), Open("two")};
  ASSERT_TRUE(stores[0]->Create(Job("a", kInstances, 8)).ok());
  std::atomic<bool> is_over{false};
  const auto work = [&](const Store& store) {
    while (!is_over) {
      std::optional<Chunk> chunk;
      const Status claimed = UntilWell([&]() -> Status {
        WB_ASSIGN(chunk, store->Claim("a", 10, 1));
        return {};
      });
      EXPECT_EQ(claimed.message(), "");
      if (!chunk) {
        // Claims whose answers were lost come back so.
        EXPECT_EQ(UntilWell([&] { return store->Beat(""); }).message(), "");
        const Result<std::optional<SharedJob>> job = store->Find("a");
        if (job.ok() && (*job)->ended) is_over = true;
        continue;
      }
      const uint64_t each = chunk->instances.first % 3 == 0 ? 1 : 10;
      EXPECT_EQ(UntilWell([&] {
                  return store->Commit("a", {Results(*chunk, {}, 1, each)}, Decide);
                }).message(),
                "");
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, stores[i % 2]);
  for (int kills = 0; kills < 2; ++kills) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
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

}  // namespace
}  // namespace wb
