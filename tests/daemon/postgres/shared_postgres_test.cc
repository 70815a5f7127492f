// Jobs that several daemons share: what is made, claimed and committed (how it ends:
// shared_ends_test).

#include <algorithm>
#include <atomic>
#include <set>
#include <sstream>
#include <thread>

#include "compiler/base/mutex.h"
#include "daemon/postgres/postgres_connection.h"
#include "daemon/postgres/shared/postgres_news.h"
#include "daemon/postgres/shared/shared_queries.h"
#include "tests/daemon/postgres/shared_home.h"

namespace wb {
namespace {

class SharedPostgresTest : public test::SharedTest {};

TEST(SharedQueriesTest, RangesAreWrittenAsPostgresqlReadsThem) {
  EXPECT_EQ(RangesText({}), "{}");
  EXPECT_EQ(RangesText({{0, 5}, {7, 2}}), "{[0,5),[7,9)}");
}

TEST(SharedQueriesTest, RangesOfANewJobAreMultiplesOfItsGroup) {
  const auto length = [](uint64_t instances, uint64_t ranges, uint32_t group) {
    NewSharedJob job;
    job.instances = instances;
    job.ranges = ranges;
    job.group = group;
    return RangeLength(job);
  };
  EXPECT_EQ(length(100, 1, 1), 100u);
  EXPECT_EQ(length(100, 3, 1), 34u);
  EXPECT_EQ(length(100, 3, 8), 40u);
  EXPECT_EQ(length(100, 1000, 8), 8u);
  EXPECT_EQ(length(0, 4, 8), 8u);
  EXPECT_EQ(length(uint64_t{1} << 40, 64, 32), uint64_t{1} << 34);
}

TEST(ChunkIdTest, AChunkTellsItsHost) {
  for (const uint32_t claim : {0u, 1u, UINT32_MAX}) {
    EXPECT_EQ(HostOfChunk(ChunkId(7, claim)), 7);
    EXPECT_NE(ChunkId(7, claim), ChunkId(8, claim));
  }
  EXPECT_NE(ChunkId(7, 1), ChunkId(7, 2));
}

TEST(NewsPaceTest, TheMoreHostsTheLessOftenEachTells) {
  EXPECT_EQ(NewsPace(0), std::chrono::milliseconds(10));
  EXPECT_EQ(NewsPace(22), std::chrono::milliseconds(10));
  EXPECT_EQ(NewsPace(100), std::chrono::milliseconds(200));
  EXPECT_EQ(NewsPace(1000), std::chrono::seconds(20));
  EXPECT_EQ(NewsPace(UINT64_MAX), std::chrono::seconds(60));
}

TEST_F(SharedPostgresTest, AJobIsMadeOnceForARequest) {
  const Store one = Open("one");
  const Store two = Open("two");
  NewSharedJob job = Job("a", 100);
  job.request_key = "key";
  job.state = 3;
  EXPECT_EQ(one->jobs().Create(job).value(), "a");
  EXPECT_EQ(one->jobs().Create(job).value(), "a");
  job.row.id = "b";
  EXPECT_EQ(two->jobs().Create(job).value(), "a");
  job.tenant = "other";
  EXPECT_EQ(two->jobs().Create(job).value(), "b");
  job.row.id = "c";
  job.request_key = "";
  EXPECT_EQ(two->jobs().Create(job).value(), "c");
  EXPECT_EQ(Sql("SELECT string_agg(id, ' ' ORDER BY id) FROM shared_jobs"), "a b c");
  EXPECT_EQ(Sql("SELECT sum(count) FROM ranges"), "300");
  EXPECT_EQ(one->jobs().FindRequest("tenant", "key").value(), std::optional<std::string>("a"));
  EXPECT_EQ(one->jobs().FindRequest("tenant", "").value(), std::nullopt);
  EXPECT_EQ(one->jobs().FindRequest("another", "key").value(), std::nullopt);
  const SharedJob found = Found(two, "a");
  EXPECT_EQ(found.tenant, "tenant");
  EXPECT_EQ(found.shown, "shown");
  EXPECT_EQ(found.record, "record");
  EXPECT_EQ(found.state, 3u);
  EXPECT_FALSE(found.ended);
  EXPECT_EQ(found.version, 1u);
  EXPECT_EQ(found.open, 100u);
  EXPECT_EQ(found.claimed, 0u);
  EXPECT_EQ(two->jobs().ReadRequest("a").value(), "request");
  EXPECT_EQ(two->jobs().ReadRequest("d").status().reason(), Reason::kNotFound);
  EXPECT_EQ(two->jobs().Find("d").value(), std::nullopt);
}

TEST_F(SharedPostgresTest, AClaimIsAMultipleOfTheGroupOrTheRestOfARange) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 100, 2, 8)).ok());  // 56 and 44
  const auto claim = [&store](uint64_t count, uint32_t group) {
    const std::optional<Chunk> chunk = store->chunks().Claim("a", count, group).value();
    if (!chunk) return std::string("none");
    EXPECT_EQ(chunk->job, "a");
    EXPECT_EQ(chunk->attempt, 1u);
    return std::to_string(chunk->instances.first) + "+" + std::to_string(chunk->instances.count);
  };
  EXPECT_EQ(claim(20, 8), "0+16");
  EXPECT_EQ(claim(3, 8), "16+8");
  EXPECT_EQ(claim(100, 8), "24+32");
  EXPECT_EQ(claim(43, 8), "56+40");
  EXPECT_EQ(claim(1, 8), "96+4");
  EXPECT_EQ(claim(1, 8), "none");
  const SharedJob job = Found(store, "a");
  EXPECT_EQ(job.open, 0u);
  EXPECT_EQ(job.claimed, 100u);
  EXPECT_EQ(store->chunks().Claim("b", 1, 1).value(), std::nullopt);
}

TEST_F(SharedPostgresTest, ClaimsOfTwoHostsNeverOverlap) {
  const Store stores[] = {Open("one"), Open("two")};
  ASSERT_TRUE(stores[0]->jobs().Create(Job("a", 100'000, 16)).ok());
  Mutex mutex;
  std::vector<InstanceRange> claimed;
  const auto claim = [&](const Store& store) {
    while (Found(store, "a").open > 0) {
      const std::optional<Chunk> chunk = store->chunks().Claim("a", 487, 1).value();
      if (!chunk) continue;
      const MutexLock lock(mutex);
      claimed.push_back(chunk->instances);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(claim, stores[i % 2]);
  for (std::thread& thread : threads) thread.join();
  std::sort(claimed.begin(), claimed.end(),
            [](const InstanceRange& a, const InstanceRange& b) { return a.first < b.first; });
  uint64_t next = 0;
  for (const InstanceRange& range : claimed) {
    ASSERT_EQ(range.first, next);
    next += range.count;
  }
  EXPECT_EQ(next, 100'000u);
  EXPECT_EQ(Sql("SELECT count(DISTINCT id >> 32) || ' ' || sum(lacks) FROM chunks"), "2 100000");
}

TEST_F(SharedPostgresTest, ACommitOfAPartLeavesTheRest) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 100)).ok());
  const Chunk chunk = *store->chunks().Claim("a", 100, 1).value();
  SharedJob seen;
  const auto decide = [&seen](const SharedJob& job) -> Result<SharedChange> {
    seen = job;
    SharedChange change;
    change.record = "more";
    change.state = 7;
    return change;
  };
  ASSERT_TRUE(store->chunks().Commit("a", {Results(chunk, {{10, 20}, {50, 1}})}, decide).ok());
  EXPECT_EQ(seen.next, 79u);
  EXPECT_EQ(seen.claimed, 21u);
  EXPECT_EQ(seen.record, "record");
  EXPECT_GT(seen.bytes, 79u);
  SharedJob job = Found(store, "a");
  EXPECT_EQ(job.record, "more");
  EXPECT_EQ(job.state, 7u);
  EXPECT_EQ(job.version, 2u);
  EXPECT_EQ(job.next, 79u);
  EXPECT_EQ(job.bytes, seen.bytes);
  EXPECT_EQ(job.claimed, 21u);
  Chunk rest = chunk;
  rest.instances = {10, 41};
  ASSERT_TRUE(
      store->chunks().Commit("a", {Results(rest, {{10, 5}, {30, 20}}, 2)}, NoChange).reason() ==
      Reason::kNotFound)
      << "instances 30 to 49 have results";
  rest.instances = {10, 20};
  ASSERT_TRUE(store->chunks().Commit("a", {Results(rest, {{15, 5}, {50, 1}}, 2)}, NoChange).ok());
  ASSERT_TRUE(store->chunks().GiveBack(chunk.id).ok());
  EXPECT_EQ(Sql("SELECT string_agg(first || '+' || count, ' ' ORDER BY first) FROM ranges"),
            "15+5 50+1");
  job = Found(store, "a");
  EXPECT_EQ(job.claimed, 0u);
  EXPECT_EQ(job.open, 6u);
  EXPECT_EQ(store->chunks().GiveBack(chunk.id).reason(), Reason::kNotFound);
  EXPECT_EQ(store->chunks().Commit("a", {Results(rest, {}, 3)}, NoChange).reason(),
            Reason::kNotFound);
  EXPECT_EQ(Instances(store, "a").size(), 94u);
}

TEST_F(SharedPostgresTest, ResultsOfSeveralHostsHaveDensePositions) {
  const Store stores[] = {Open("one"), Open("two")};
  constexpr uint64_t kInstances = 600;
  ASSERT_TRUE(stores[0]->jobs().Create(Job("a", kInstances, 6)).ok());
  std::vector<std::vector<uint64_t>> seen(6);
  const auto work = [&](const Store& store, std::vector<uint64_t>* positions) {
    while (Found(store, "a").open > 0) {
      const std::optional<Chunk> chunk = store->chunks().Claim("a", 30, 1).value();
      if (!chunk) continue;
      const auto decide = [positions](const SharedJob& job) -> Result<SharedChange> {
        positions->push_back(job.next);
        SharedChange change;
        change.ends = job.open + job.claimed == 0;
        return change;
      };
      // One result a block: few are statements, many are copied.
      EXPECT_EQ(store->chunks()
                    .Commit("a", {Results(*chunk, {{chunk->instances.first, 10}}, 1, 1)}, decide)
                    .message(),
                "");
      Chunk rest = *chunk;
      rest.instances.count = 10;
      EXPECT_EQ(store->chunks().Commit("a", {Results(rest, {}, 2, 5)}, decide).message(), "");
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back(work, stores[i % 2], &seen[i]);
  for (std::thread& thread : threads) thread.join();
  const SharedJob job = Found(stores[1], "a");
  EXPECT_EQ(job.next, kInstances);
  EXPECT_TRUE(job.ended);
  EXPECT_EQ(job.version, 49u);  // 24 chunks, two commits each
  for (const std::vector<uint64_t>& positions : seen) {
    EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
  }
  std::vector<uint64_t> instances = Instances(stores[0], "a");
  std::sort(instances.begin(), instances.end());
  EXPECT_EQ(instances, UpTo(kInstances));
}

TEST_F(SharedPostgresTest, ACommitThatComesAgainChangesNothing) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 20)).ok());
  const Chunk chunk = *store->chunks().Claim("a", 20, 1).value();
  int decisions = 0;
  const auto decide = [&decisions](const SharedJob& job) -> Result<SharedChange> {
    ++decisions;
    SharedChange change;
    change.ends = job.open + job.claimed == 0;
    return change;
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(store->chunks().Commit("a", {Results(chunk, {{0, 5}})}, decide).message(), "");
  }
  Chunk rest = chunk;
  rest.instances.count = 5;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(store->chunks().Commit("a", {Results(rest, {}, 2)}, decide).message(), "");
  }
  EXPECT_EQ(decisions, 2);
  const SharedJob job = Found(store, "a");
  EXPECT_EQ(job.next, 20u);
  EXPECT_EQ(job.version, 3u);
  EXPECT_TRUE(job.ended);
  // What ended long ago is not known any more.
  Sql("UPDATE chunks SET since = since - interval '1 hour'");
  store->Tidy();
  EXPECT_EQ(Sql("SELECT count(*) FROM chunks"), "0");
  EXPECT_EQ(store->chunks().Commit("a", {Results(rest, {}, 2)}, decide).reason(),
            Reason::kNotFound);
}

TEST_F(SharedPostgresTest, WhatIsRefusedChangesNothing) {
  const Store store = Open();
  const Store other = Open("other");
  ASSERT_TRUE(store->jobs().Create(Job("a", 20)).ok());
  const Chunk chunk = *store->chunks().Claim("a", 20, 1).value();
  const auto refuse = [](const SharedJob& /*job*/) -> Result<SharedChange> {
    return Status(Reason::kJobTerminal, "It has ended.");
  };
  EXPECT_EQ(store->chunks().Commit("a", {Results(chunk)}, refuse).reason(), Reason::kJobTerminal);
  EXPECT_EQ(store->jobs().Change("a", refuse).reason(), Reason::kJobTerminal);
  EXPECT_EQ(store->jobs().Change("b", NoChange).reason(), Reason::kNotFound);
  EXPECT_EQ(other->chunks().Commit("a", {Results(chunk)}, NoChange).reason(), Reason::kNotFound);
  EXPECT_EQ(other->chunks().GiveBack(chunk.id).reason(), Reason::kNotFound);
  EXPECT_FALSE(other->hosts().is_dropped());
  ChunkResults few = Results(chunk);
  few.blocks[0].count = 19;
  EXPECT_EQ(store->chunks().Commit("a", {few}, NoChange).reason(), Reason::kInternal);
  const SharedJob job = Found(store, "a");
  EXPECT_EQ(job.version, 1u);
  EXPECT_EQ(job.claimed, 20u);
  EXPECT_EQ(Sql("SELECT count(*) FROM blocks"), "0");
  EXPECT_EQ(store->chunks().Commit("a", {Results(chunk)}, NoChange).message(), "");
}

TEST_F(SharedPostgresTest, ListsAreInOrderAndOfWhatIsAskedFor) {
  const Store store = Open();
  const auto ids = [](const Result<std::vector<SharedJob>>& jobs) {
    std::string text;
    for (const SharedJob& job : jobs.value()) text += job.id;
    return text;
  };
  for (const char* id : {"c", "a", "e", "b", "d"}) {
    NewSharedJob job = Job(id, 10);
    job.state = static_cast<uint32_t>(*id - 'a');
    job.tenant = *id < 'c' ? "few" : "tenant";
    ASSERT_TRUE(store->jobs().Create(job).ok());
  }
  EXPECT_EQ(ids(store->jobs().List(~0U, std::nullopt, "", 10)), "edcba");
  EXPECT_EQ(ids(store->jobs().List(~0U, std::nullopt, "", 2)), "ed");
  EXPECT_EQ(ids(store->jobs().List(~0U, std::nullopt, "d", 2)), "cb");
  EXPECT_EQ(ids(store->jobs().List(~0U, "few", "", 10)), "ba");
  EXPECT_EQ(ids(store->jobs().List(0b10010, std::nullopt, "", 10)), "eb");
  EXPECT_EQ(ids(store->jobs().List(0b10010, "tenant", "", 10)), "e");
  EXPECT_EQ(ids(store->jobs().Claimable(3)), "abc");
  (void)store->chunks().Claim("a", 10, 1).value();
  ASSERT_TRUE(store->jobs()
                  .Change("c",
                          [](const SharedJob&) -> Result<SharedChange> {
                            SharedChange change;
                            change.ends = true;
                            return change;
                          })
                  .ok());
  EXPECT_EQ(ids(store->jobs().Claimable(9)), "bde");
  const auto versions = store->jobs().Versions().value();
  ASSERT_EQ(versions.size(), 5u);
  EXPECT_EQ(versions[0], (std::pair<std::string, uint64_t>("a", 1)));
  EXPECT_EQ(versions[2], (std::pair<std::string, uint64_t>("c", 2)));
}

TEST_F(SharedPostgresTest, NewsComeOfWhatHasChanged) {
  const Store one = Open("one");
  const Store two = Open("two");
  EXPECT_TRUE(
      two->news().Await(std::chrono::seconds(10)).empty());  // connected: look at everything
  ASSERT_TRUE(one->jobs().Create(Job("a", 10)).ok());
  EXPECT_EQ(two->news().Await(std::chrono::seconds(10)), std::vector<std::string>{"a"});
  const Chunk chunk = *one->chunks().Claim("a", 5, 1).value();
  EXPECT_TRUE(two->news().Await(std::chrono::milliseconds(1)).empty());
  ASSERT_TRUE(one->chunks().Commit("a", {Results(chunk)}, NoChange).ok());
  EXPECT_EQ(two->news().Await(std::chrono::seconds(10)), std::vector<std::string>{"a"});
  std::thread stopper([&two] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    two->news().Stop();
  });
  EXPECT_TRUE(two->news().Await(std::chrono::minutes(10)).empty());
  stopper.join();
  EXPECT_TRUE(two->news().Await(std::chrono::minutes(10)).empty());
}

// A host that waits for news tells its own together, at the pace of so many hosts.
TEST_F(SharedPostgresTest, ManyChangesAreFewNews) {
  const Store store = Open();
  Sql("INSERT INTO hosts(name, facts, entered, heard) SELECT 'other', '', now(), now() "
      "FROM generate_series(1, 99)");
  ASSERT_EQ(store->hosts().All()->size(), 100u);  // 200 ms
  const auto listener = PostgresConnection::Open(Settings("other")).value();
  ASSERT_TRUE(listener->Script(kListen).ok());
  EXPECT_TRUE(store->news().Await(std::chrono::seconds(10)).empty());
  std::atomic<bool> is_over{false};
  std::thread waiter([&store, &is_over] {
    while (!is_over) (void)store->news().Await(std::chrono::minutes(1));
  });
  const auto begin = std::chrono::steady_clock::now();
  for (const char* id : {"a", "b"}) ASSERT_TRUE(store->jobs().Create(Job(id, 10)).ok());
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(store->jobs().Change(i % 2 == 0 ? "a" : "b", NoChange).message(), "");
  }
  ASSERT_TRUE(store->jobs().Create(Job("last", 10)).ok());
  is_over = true;
  store->news().Stop();
  waiter.join();
  EXPECT_TRUE(store->news().Await(std::chrono::minutes(1)).empty());  // what is left is told
  std::vector<std::string> heard;
  while (std::find(heard.begin(), heard.end(), "last") == heard.end()) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const std::vector<std::string> ids = listener->AwaitNotices(-1, end).value();
    heard.insert(heard.end(), ids.begin(), ids.end());
  }
  EXPECT_EQ(std::set<std::string>(heard.begin(), heard.end()),
            (std::set<std::string>{"a", "b", "last"}));
  const auto paces = (std::chrono::steady_clock::now() - begin) / NewsPace(100);
  EXPECT_LE(heard.size(), 3 * (static_cast<uint64_t>(paces) + 2));  // three jobs each time
}

}  // namespace
}  // namespace wb
