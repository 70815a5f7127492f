// Jobs that several daemons share: what is closed, ends, comes back and goes.

#include <string>
#include <thread>
#include <vector>

#include "daemon/postgres/postgres_connection.h"
#include "tests/daemon/postgres/shared_home.h"

namespace wb {
namespace {

class SharedEndsTest : public test::SharedTest {
 protected:
  // Until a session of this database waits for another.
  void AwaitWaiter() const {
    while (Sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND "
               "datname = current_database()") == "0") {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
};

TEST_F(SharedEndsTest, OfAClosedJobNothingIsClaimedAndWhatComesBackIsGone) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 30)).ok());
  const Chunk first = *store->chunks().Claim("a", 10, 1).value();
  const Chunk second = *store->chunks().Claim("a", 10, 1).value();
  const auto close = [](const SharedJob& job) -> Result<SharedChange> {
    SharedChange change;
    change.closes_ranges = true;
    change.ends = job.claimed == 0;
    return change;
  };
  ASSERT_TRUE(store->jobs().Change("a", close).ok());
  SharedJob job = Found(store, "a");
  EXPECT_EQ(job.open, 0u);
  EXPECT_EQ(job.claimed, 20u);
  EXPECT_FALSE(job.ended);
  EXPECT_EQ(store->chunks().Claim("a", 10, 1).value(), std::nullopt);
  ASSERT_TRUE(store->chunks().GiveBack(first.id).ok());
  job = Found(store, "a");
  EXPECT_EQ(job.open, 0u);
  EXPECT_EQ(job.claimed, 10u);
  // Its end takes the chunks away.
  const auto end = [](const SharedJob& /*job*/) -> Result<SharedChange> {
    SharedChange change;
    change.ends = true;
    change.kept_for = std::chrono::milliseconds(1);
    return change;
  };
  ASSERT_TRUE(store->jobs().Change("a", end).ok());
  job = Found(store, "a");
  EXPECT_TRUE(job.ended);
  EXPECT_EQ(job.claimed, 0u);
  EXPECT_EQ(store->chunks().Commit("a", {Results(second)}, NoChange).reason(), Reason::kNotFound);
  EXPECT_EQ(store->chunks().GiveBack(second.id).reason(), Reason::kNotFound);
}

TEST_F(SharedEndsTest, WhatIsBroughtWithAChunkThatGoesBackCountsOnce) {
  const Store store = Open();
  const Store other = Open("other");
  ASSERT_TRUE(store->jobs().Create(Job("a", 30)).ok());
  const Chunk chunk = *store->chunks().Claim("a", 20, 1).value();
  ASSERT_TRUE(store->chunks().Commit("a", {Results(chunk, {{5, 15}})}, NoChange).ok());
  const int64_t before = Found(store, "a").changed_unix_ns;
  EXPECT_GT(before, 1'700'000'000'000'000'000);
  const auto decide = [](const SharedJob& job) -> Result<SharedChange> {
    SharedChange change;
    change.record = job.record + " " + std::to_string(job.open) + "+" + std::to_string(job.claimed);
    return change;
  };
  EXPECT_EQ(other->chunks().GiveBackWith("a", chunk.id, decide).reason(), Reason::kNotFound);
  EXPECT_EQ(store->chunks().GiveBackWith("b", chunk.id, decide).reason(), Reason::kNotFound);
  EXPECT_EQ(store->chunks().GiveBackWith("a", chunk.id, decide).message(), "");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(store->chunks().GiveBackWith("a", chunk.id, decide).reason(), Reason::kNotFound);
  }
  const SharedJob job = Found(store, "a");
  EXPECT_EQ(job.record, "record 25+0");
  EXPECT_EQ(job.open, 25u);
  EXPECT_GT(job.changed_unix_ns, before);
  // What is refused leaves the chunk where it is.
  const Chunk next = *store->chunks().Claim("a", 10, 1).value();
  const auto refuse = [](const SharedJob& /*job*/) -> Result<SharedChange> {
    return Status(Reason::kIoError, "It is damaged.");
  };
  EXPECT_EQ(store->chunks().GiveBackWith("a", next.id, refuse).reason(), Reason::kIoError);
  EXPECT_EQ(Found(store, "a").claimed, next.instances.count);
}

TEST_F(SharedEndsTest, ResultsOfAnEndedJobGoOnceNobodyReadsThem) {
  const Store store = Open();
  const Store reader = Open("reader");
  ASSERT_TRUE(store->jobs().Create(Job("a", 10)).ok());
  const Chunk chunk = *store->chunks().Claim("a", 10, 1).value();
  const auto end = [](const SharedJob& job) -> Result<SharedChange> {
    SharedChange change;
    change.ends = job.open + job.claimed == 0;
    return change;
  };
  EXPECT_FALSE(store->jobs().DropUnread("a").value());  // it runs
  ASSERT_TRUE(store->chunks().Commit("a", {Results(chunk)}, end).ok());
  EXPECT_FALSE(store->jobs().DropUnread("a").value());  // it has ended just now
  EXPECT_FALSE(store->jobs().DropUnread("b").value());
  const auto pass = [this] { Sql("UPDATE shared_jobs SET read_until = now() - interval '1 s'"); };
  pass();
  EXPECT_TRUE(reader->jobs().NoteReaders({}, std::chrono::hours(1)).ok());
  EXPECT_EQ(reader->jobs().NoteReaders({"b", "a"}, std::chrono::hours(1)).message(), "");
  EXPECT_FALSE(store->jobs().DropUnread("a").value());
  EXPECT_GT(Found(store, "a").bytes, 0u);
  pass();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(store->jobs().DropUnread("a").value());
  const SharedJob job = Found(store, "a");
  EXPECT_EQ(job.bytes, 0u);
  EXPECT_EQ(job.oldest, 10u);
  EXPECT_EQ(Sql("SELECT count(*) FROM bodies"), "0");
}

// A claim is in no other's way, so one may be under way when nobody may claim any more.
TEST_F(SharedEndsTest, AJobDoesNotEndBesideAClaim) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 30)).ok());
  const auto other = PostgresConnection::Open(Settings("one")).value();
  const std::string host = std::to_string(store->hosts().id());
  ASSERT_TRUE(
      other->Script("BEGIN; SELECT claim(" + host + ", " + host + "::bigint << 32, 'a', 10, 1)")
          .ok());
  std::vector<uint64_t> claimed;
  std::thread closer([&] {
    EXPECT_EQ(store->jobs()
                  .Change("a",
                          [&claimed](const SharedJob& job) -> Result<SharedChange> {
                            EXPECT_EQ(job.open + job.claimed, 30u);
                            claimed.push_back(job.claimed);
                            SharedChange change;
                            change.closes_ranges = true;
                            change.ends = job.claimed == 0;
                            return change;
                          })
                  .message(),
              "");
  });
  AwaitWaiter();
  EXPECT_TRUE(other->Script("COMMIT").ok());
  closer.join();
  EXPECT_EQ(claimed, (std::vector<uint64_t>{0, 10}));
  const SharedJob job = Found(store, "a");
  EXPECT_FALSE(job.ended);
  EXPECT_EQ(job.claimed, 10u);
  EXPECT_EQ(job.open, 0u);
}

// What becomes of a claim whose answer was lost: it may still be under way, or yet to come.
TEST_F(SharedEndsTest, AClaimWithoutAnAnswerIsGivenBackOrNeverMade) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 30)).ok());
  const std::string host = std::to_string(store->hosts().id());
  const auto settle = [&](int chunk) {
    return "SELECT count(*) FROM settle_claim(" + host + ", " + host + "::bigint << 32 | " +
           std::to_string(chunk) + ")";
  };
  const auto claim = [&](int chunk) {
    return "SELECT count(*) FROM claim(" + host + ", " + host + "::bigint << 32 | " +
           std::to_string(chunk) + ", 'a', 10, 1)";
  };
  const auto other = PostgresConnection::Open(Settings("one")).value();
  ASSERT_TRUE(other->Script("BEGIN; " + claim(1'000'000)).ok());
  std::thread settler([&] { EXPECT_EQ(Sql(settle(1'000'000)), "1"); });
  AwaitWaiter();
  EXPECT_EQ(Found(store, "a").open, 30u);
  EXPECT_TRUE(other->Script("COMMIT").ok());
  settler.join();
  EXPECT_EQ(Found(store, "a").open, 30u);
  EXPECT_EQ(Found(store, "a").claimed, 0u);
  EXPECT_EQ(Sql(settle(1'000'001)), "0");
  EXPECT_EQ(other->Script(claim(1'000'001)).reason(), Reason::kIoError);
  EXPECT_EQ(Found(store, "a").open, 30u);
}

TEST_F(SharedEndsTest, OldResultsAndOldJobsGo) {
  const Store store = Open();
  ASSERT_TRUE(store->jobs().Create(Job("a", 300)).ok());
  ASSERT_TRUE(store->jobs().Create(Job("b", 1)).ok());
  const Chunk chunk = *store->chunks().Claim("a", 300, 1).value();
  ASSERT_TRUE(store->chunks().Commit("a", {Results(chunk, {}, 1, 10)}, NoChange).ok());
  const uint64_t all = Found(store, "a").bytes;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(store->jobs().Drop("a", 25).ok());
    const SharedJob job = Found(store, "a");
    EXPECT_EQ(job.oldest, 30u);
    EXPECT_EQ(job.version, 3u);
    EXPECT_LT(job.bytes, all);
  }
  EXPECT_EQ(store->jobs().ReadBlock("a", 29).status().reason(), Reason::kBlobCorrupt);
  EXPECT_EQ(store->jobs().ReadBlock("a", 35)->first, 30u);
  ASSERT_TRUE(store->jobs().Drop("a", 1000).ok());
  EXPECT_EQ(Found(store, "a").oldest, 300u);
  EXPECT_EQ(Found(store, "a").bytes, 0u);

  const auto end = [](const SharedJob& job) -> Result<SharedChange> {
    SharedChange change;
    change.ends = true;
    change.kept_for = job.id == "a" ? std::chrono::hours(0) : std::chrono::hours(1);
    return change;
  };
  EXPECT_EQ(store->jobs().ForgetExpired().value(), 0u);
  ASSERT_TRUE(store->jobs().Change("a", end).ok());
  ASSERT_TRUE(store->jobs().Change("b", end).ok());
  EXPECT_EQ(store->jobs().ForgetExpired().value(), 1u);
  EXPECT_EQ(store->jobs().Find("a").value(), std::nullopt);
  EXPECT_EQ(store->jobs().ReadBlock("a", 290).status().reason(), Reason::kBlobCorrupt);
  EXPECT_EQ(Sql("SELECT count(*) FROM blocks"), "30");
  store->Tidy();
  EXPECT_EQ(Sql("SELECT count(*) FROM blocks"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM trash"), "0");
  ASSERT_TRUE(store->jobs().Forget("b").ok());
  ASSERT_TRUE(store->jobs().Forget("b").ok());
  EXPECT_EQ(Sql("SELECT count(*) FROM shared_jobs"), "0");
}

}  // namespace
}  // namespace wb
