// Hosts of a database that several daemons share: who is dropped, and what becomes of its chunks.

#include <set>
#include <thread>

#include "daemon/postgres/shared/postgres_hosts.h"
#include "tests/daemon/postgres/shared_home.h"

namespace wb {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLease{250};

class SharedHostsTest : public test::SharedTest {
 protected:
  // As its daemon does: is heard, and looks whether others are. How many were dropped, once any
  // were.
  static uint64_t DropOthers(const Store& store) {
    for (int tries = 0; tries < 2000; ++tries) {
      EXPECT_EQ(store->hosts().Beat("facts").message(), "");
      const Result<uint64_t> dropped = store->hosts().DropSilent(kLease);
      EXPECT_EQ(dropped.status().message(), "");
      if (!dropped.ok() || *dropped > 0) return dropped.ok() ? *dropped : 0;
      std::this_thread::sleep_for(milliseconds(10));
    }
    return 0;
  }
  std::string Ranges() const {
    return Sql(
        "SELECT string_agg(first || '+' || count || ' ' || attempt, ', ' ORDER BY first) "
        "FROM ranges");
  }
};

TEST(HeardSpanTest, ItCoversALeaseOnlyWithoutAGap) {
  HeardSpan span;
  const auto heard = [&span](int from, int to, int step) {
    for (int at = from; at <= to; at += step) span.Heard(milliseconds(at));
  };
  EXPECT_FALSE(span.Covers(milliseconds(100)));
  heard(0, 90, 30);
  EXPECT_FALSE(span.Covers(milliseconds(100)));
  heard(120, 120, 30);
  EXPECT_TRUE(span.Covers(milliseconds(100)));
  EXPECT_FALSE(span.Covers(milliseconds(121)));
  heard(230, 290, 30);
  EXPECT_FALSE(span.Covers(milliseconds(100)));  // nothing between 120 and 230
  heard(320, 350, 30);
  EXPECT_TRUE(span.Covers(milliseconds(100)));
  heard(300, 300, 30);  // the clock was set back
  EXPECT_FALSE(span.Covers(milliseconds(100)));
  heard(330, 450, 30);
  EXPECT_TRUE(span.Covers(milliseconds(100)));
  span.Missed();
  EXPECT_FALSE(span.Covers(milliseconds(100)));
  heard(0, 100'000, 1);
  EXPECT_TRUE(span.Covers(milliseconds(100)));
}

TEST_F(SharedHostsTest, WhatASilentHostHasClaimedComesBack) {
  const Store one = Open("one");
  const Store two = Open("two");
  ASSERT_TRUE(one->jobs().Create(Job("a", 100)).ok());
  ASSERT_TRUE(one->jobs().Create(Job("closed", 100)).ok());
  const Chunk chunk = *one->chunks().Claim("a", 40, 1).value();
  const Chunk closed = *one->chunks().Claim("closed", 40, 1).value();
  ASSERT_TRUE(one->chunks().Commit("a", {Results(chunk, {{5, 3}, {20, 20}})}, NoChange).ok());
  const Chunk other = *two->chunks().Claim("a", 10, 1).value();
  const auto close = [](const SharedJob& /*job*/) -> Result<SharedChange> {
    SharedChange change;
    change.closes_ranges = true;
    return change;
  };
  ASSERT_TRUE(two->jobs().Change("closed", close).ok());
  EXPECT_EQ(DropOthers(two), 1u);

  EXPECT_EQ(Ranges(), "5+3 2, 20+20 2, 50+50 1");
  const SharedJob job = Found(two, "a");
  EXPECT_EQ(job.open, 73u);
  EXPECT_EQ(job.claimed, 10u);
  EXPECT_EQ(job.version, 3u);
  EXPECT_EQ(Found(two, "closed").claimed, 0u);
  EXPECT_EQ(two->chunks().Claim("a", 100, 1).value()->attempt, 2u);
  EXPECT_EQ(two->chunks().Commit("a", {Results(other)}, NoChange).message(), "");

  // Its chunks are not its own any more when it is back.
  ASSERT_TRUE(one->hosts().Enter().ok());
  Chunk rest = chunk;
  rest.instances = {20, 20};
  EXPECT_EQ(one->chunks().Commit("a", {Results(rest, {}, 2)}, NoChange).reason(),
            Reason::kNotFound);
  EXPECT_EQ(one->chunks().GiveBack(closed.id).reason(), Reason::kNotFound);
  EXPECT_FALSE(one->hosts().is_dropped());
  EXPECT_EQ(one->chunks().Claim("a", 1, 1).value()->attempt, 2u);
}

TEST_F(SharedHostsTest, AHostThatWasDroppedStoresNothingBeforeItEntersAgain) {
  const StateParts parts = Parts("one");
  const Store one = parts.shared;
  const Store two = Open("two");
  ASSERT_TRUE(one->jobs().Create(Job("a", 100)).ok());
  const Chunk chunk = *one->chunks().Claim("a", 40, 1).value();
  EXPECT_EQ(DropOthers(two), 1u);
  EXPECT_FALSE(one->hosts().is_dropped());  // it has not heard of it
  const Status late = one->chunks().Commit("a", {Results(chunk)}, NoChange);
  EXPECT_EQ(late.reason(), Reason::kMachineFault);
  EXPECT_NE(late.message().find("does not have this daemon among its hosts"), std::string::npos)
      << late.message();
  EXPECT_TRUE(one->hosts().is_dropped());
  for (const Status& refused :
       {one->chunks().Claim("a", 1, 1).status(), one->jobs().Change("a", NoChange),
        one->chunks().GiveBack(chunk.id), one->jobs().Drop("a", 10), one->jobs().Forget("a"),
        one->jobs().ForgetExpired().status(), one->jobs().Create(Job("b", 1)).status(),
        one->hosts().Beat(""), parts.registry->AddCordon({"cpu0", 1}),
        parts.modules->Put(Sha256(AsBytes("x")), AsBytes("x"))}) {
    EXPECT_EQ(refused.reason(), Reason::kMachineFault) << refused.message();
    EXPECT_NE(refused.message().find("among its hosts"), std::string::npos) << refused.message();
  }
  EXPECT_EQ(Found(one, "a").version, 2u);
  EXPECT_EQ(Sql("SELECT count(*) FROM cordons") + Sql("SELECT count(*) FROM blobs"), "00");

  const int64_t before = one->hosts().id();
  ASSERT_TRUE(one->hosts().Enter().ok());
  EXPECT_GT(one->hosts().id(), before);
  EXPECT_FALSE(one->hosts().is_dropped());
  EXPECT_TRUE(parts.registry->AddCordon({"cpu0", 1}).ok());
}

TEST_F(SharedHostsTest, HostsAreToldAndOneThatLeavesGivesBackWhatItHas) {
  const Store one = Open("one");
  const Store two = Open("two");
  ASSERT_TRUE(one->hosts().Beat("one's").ok());
  ASSERT_TRUE(one->jobs().Create(Job("a", 100)).ok());
  (void)one->chunks().Claim("a", 40, 1).value();
  EXPECT_TRUE(two->news().Await(std::chrono::seconds(10)).empty());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(one->hosts().Leave().ok());
  EXPECT_EQ(two->news().Await(std::chrono::seconds(10)), std::vector<std::string>{"a"});
  EXPECT_EQ(Ranges(), "0+40 1, 40+60 1");
  const std::vector<HostRow> hosts = two->hosts().All().value();
  ASSERT_EQ(hosts.size(), 2u);
  EXPECT_EQ(hosts[0].id, one->hosts().id());
  EXPECT_EQ(hosts[0].name, "one");
  EXPECT_EQ(hosts[0].facts, "one's");
  EXPECT_TRUE(hosts[0].is_dropped);
  EXPECT_EQ(hosts[1].id, two->hosts().id());
  EXPECT_FALSE(hosts[1].is_dropped);
  EXPECT_LT(hosts[1].silent_for, std::chrono::minutes(1));
  EXPECT_EQ(one->hosts().Beat("").reason(), Reason::kMachineFault);
  EXPECT_TRUE(one->hosts().is_dropped());
  Sql("UPDATE hosts SET dropped = dropped - interval '2 minutes' WHERE dropped IS NOT NULL");
  EXPECT_EQ(two->hosts().All()->size(), 1u);
  // Its row goes later, and its id is not used again.
  Sql("UPDATE hosts SET dropped = dropped - interval '2 days' WHERE dropped IS NOT NULL");
  two->Tidy();
  EXPECT_EQ(Sql("SELECT string_agg(name, ' ') FROM hosts"), "two");
  EXPECT_EQ(one->chunks().Claim("a", 1, 1).status().reason(), Reason::kMachineFault);
}

TEST_F(SharedHostsTest, AHostThatIsHeardIsNotDroppedAndNothingIsBeforeItHasEntered) {
  StateParts parts = OpenSharedPostgresState(Settings("none")).value();
  EXPECT_EQ(parts.shared->jobs().Create(Job("a", 1)).status().reason(), Reason::kMachineFault);
  EXPECT_TRUE(parts.shared->hosts().is_dropped());
  const Store one = Open("one");
  const Store two = Open("two");
  // Each is heard before the other looks; on a busy machine that may take a lease, and counts as
  // silence then.
  int looks = 0;
  const auto end = std::chrono::steady_clock::now() + 2 * kLease;
  while (looks == 0 || std::chrono::steady_clock::now() < end) {
    const auto before = std::chrono::steady_clock::now();
    for (const auto& [heard, looking] : {std::pair(one, two), std::pair(two, one)}) {
      (void)heard->hosts().Beat("");
      const uint64_t dropped = looking->hosts().DropSilent(kLease).value();
      if (std::chrono::steady_clock::now() - before < kLease) {
        ASSERT_EQ(dropped, 0u);
        ++looks;
      } else if (dropped > 0) {
        ASSERT_TRUE(heard->hosts().Enter().ok());
      }
    }
  }
}

// Others could not be heard either.
TEST_F(SharedHostsTest, NobodyIsDroppedRightAfterTheServerWasAway) {
  const Store one = Open("one");
  const Store two = Open("two");
  const auto end = std::chrono::steady_clock::now() + 2 * kLease;
  while (std::chrono::steady_clock::now() < end) {
    ASSERT_TRUE(one->hosts().Beat("").ok());
    ASSERT_TRUE(two->hosts().Beat("").ok());
  }
  server_->Stop();
  server_->Run();
  std::this_thread::sleep_for(2 * kLease);  // its own start is not what tells
  const auto until_heard = [](const Store& store) {
    for (int tries = 0; tries < 600 && !store->hosts().Beat("").ok(); ++tries) {
      std::this_thread::sleep_for(milliseconds(20));
    }
  };
  until_heard(two);
  EXPECT_EQ(two->hosts().DropSilent(kLease).value(), 0u);
  EXPECT_EQ(Sql("SELECT count(*) FROM hosts WHERE heard < now() - interval '250 ms'"), "1");
  until_heard(one);
  EXPECT_EQ(Sql("SELECT count(*) FROM hosts WHERE dropped IS NULL"), "2");
  // The server's own start counts too.
  Sql("UPDATE hosts SET heard = now() - interval '2 days' WHERE name = 'one'");
  EXPECT_EQ(Sql("SELECT count(*) FROM drop_silent(" + std::to_string(two->hosts().id()) +
                ", interval '1 day')"),
            "0");
  EXPECT_EQ(DropOthers(two), 1u);
}

// Its session would keep locks for as long as it is paused.
TEST_F(SharedHostsTest, ATransactionOfAPausedHostIsEnded) {
  const Store one = Open("one");
  const Store two = Open("two");
  ASSERT_TRUE(one->jobs().Create(Job("a", 100)).ok());
  (void)one->chunks().Claim("a", 40, 1).value();
  const auto paused = PostgresConnection::Open(Settings("one")).value();
  ASSERT_TRUE(paused
                  ->Script("BEGIN; SELECT hold_host(" + std::to_string(one->hosts().id()) +
                           "); SELECT 1 FROM shared_jobs FOR UPDATE")
                  .ok());
  EXPECT_EQ(DropOthers(two), 1u);
  EXPECT_EQ(Ranges(), "0+40 2, 40+60 1");
  EXPECT_FALSE(paused->Script("COMMIT").ok());
}

}  // namespace
}  // namespace wb
