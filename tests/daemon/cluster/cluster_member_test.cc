// Daemons that run jobs together: who has what, and who takes it over. Over PostgreSQL:
// tests/e2e/cases_cluster.sh.

#include "tests/daemon/cluster/cluster_home.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

class ClusterMemberTest : public ClusterTest {};

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

TEST_F(ClusterMemberTest, WhatASilentDaemonHadGoesOnElsewhere) {
  Host one(model_, "one");
  one.scheduler.Hold();
  const std::string id = one.Create("identity", 300);
  EXPECT_TRUE(Await([&] { return HasClaimed(one); }));
  const int64_t before = one.store->hosts().id();
  {
    const std::lock_guard lock(model_->mutex);
    model_->hosts.at(before).silent = true;
  }
  Host two(model_, "two");
  EXPECT_EQ(AwaitEnd(two, id).state, JobState::kSucceeded);
  ExpectEachOnce(two, id, 300);
  // What it brings now is thrown away, and it is a host again.
  one.scheduler.Release();
  EXPECT_TRUE(Await([&] { return one.store->hosts().id() != before; }));
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
    model_->hosts.at(one.store->hosts().id()).silent = true;
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

TEST_F(ClusterMemberTest, HostsAreHeard) {
  Host one(model_, "one");
  Host two(model_, "two");
  EXPECT_TRUE(Await([&] { return one.member->Hosts().size() == 2; }));
  EXPECT_EQ(one.member->Hosts()[1].facts, "devices of two");
}

}  // namespace
}  // namespace wb::test
