// Room in memory for results on their way to the disk, and what earlier daemons used.

#include "daemon/store/durable/open_jobs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wb {
namespace {

constexpr uint64_t kMemory = 40'000;  // a job has a quarter

JobInfo JobOf(const std::string& id, JobId number) {
  JobRequest request;
  request.most_result_bytes = 1000;
  request.most_part_bytes = 1000;
  JobInfo job;
  job.id = id;
  job.number = number;
  job.request = std::make_shared<const JobRequest>(std::move(request));
  return job;
}

std::vector<InstanceResult> Results(uint64_t count) {
  std::vector<InstanceResult> results(count);
  for (uint64_t i = 0; i < count; ++i) results[i].instance = i;
  return results;
}

TEST(OpenJobs, AJobWithoutRoomIsNamedOnceItHasSome) {
  OpenJobs jobs(kMemory);
  jobs.Add(JobOf("a", 7), {});
  const uint64_t room = jobs.Room("a");
  ASSERT_GT(room, 1u);
  EXPECT_EQ(jobs.Reserve("a", room + 5), room);
  EXPECT_EQ(jobs.Room("a"), 0u);
  EXPECT_EQ(jobs.Free("a", Results(room)), 7u);
  EXPECT_GE(jobs.Room("a"), room);
  EXPECT_EQ(jobs.Reserve("a", 1), 1u);
  EXPECT_EQ(jobs.Free("a", Results(1)), 0u) << "it had room all the time";
}

TEST(OpenJobs, WhatIsReleasedOrErasedIsFree) {
  OpenJobs jobs(kMemory);
  jobs.Add(JobOf("a", 1), {});
  const uint64_t room = jobs.Room("a");
  jobs.Reserve("a", room);
  jobs.Release("a", 2);
  EXPECT_EQ(jobs.Room("a"), 2u);
  jobs.Erase("a");
  EXPECT_EQ(jobs.Room("a"), 0u);
  EXPECT_EQ(jobs.Reserve("a", 1), 0u);
  EXPECT_EQ(jobs.WholeRoom("a"), 0u);
  EXPECT_EQ(jobs.Free("a", Results(1)), 0u);
  jobs.Add(JobOf("a", 2), {});
  EXPECT_EQ(jobs.Room("a"), room);
}

TEST(OpenJobs, TheWholeUsageHasThatOfEarlierDaemons) {
  OpenJobs jobs(kMemory);
  JobUsage before;
  before.bursts = 3;
  before.fuel = 100;
  before.joules = 1.5;
  jobs.Add(JobOf("a", 1), before);
  JobUsage now;
  now.bursts = 2;
  now.fuel = 150;
  EXPECT_EQ(jobs.WholeUsage("a", now).bursts, 5u);
  EXPECT_EQ(jobs.WholeUsage("a", now).fuel, 150u) << "the scheduler's has it already";
  EXPECT_EQ(jobs.WholeUsage("a", now).joules, 1.5);
  EXPECT_EQ(jobs.WholeUsage("b", now).bursts, 2u);
}

}  // namespace
}  // namespace wb
