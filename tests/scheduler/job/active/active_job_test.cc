// What a job's devices share: backlog, room, sink.

#include "scheduler/job/active/active_job.h"

#include <thread>

#include "tests/scheduler/job/active/fixture.h"

namespace wb::test {
namespace {

TEST_F(ActiveJobTest, AClaimGivesReturnedInstancesBeforeFreshOnes) {
  const ActiveJobRef job = JobOf(10, 100);
  std::vector<InstanceRef> first = InstancesOf(job->Seat(kCpu, {}, 3));
  first[1].attempt = 2;
  job->Unseat(kCpu, {first[1]});
  const std::vector<InstanceRef> then = InstancesOf(job->Seat(kCpu, {}, 3));
  ASSERT_EQ(then.size(), 3u);
  EXPECT_EQ(then[0].instance, 1u);
  EXPECT_EQ(then[0].attempt, 2u);
  EXPECT_EQ(then[1].instance, 3u);
  EXPECT_EQ(then[2].instance, 4u);
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{{}, 5}}));
}

TEST_F(ActiveJobTest, InstancesThatOutgrewTheirRecordsAreSeatedWithRoomForAll) {
  const ActiveJobRef job = JobOf(4, 100);
  const SeatClass whole{0, 0, 0, 0, true};
  std::vector<InstanceRef> outgrown = InstancesOf(job->Seat(kCpu, {}, 4));
  for (InstanceRef& instance : outgrown) instance.seat_class = whole;
  sink_->SetWholeRoom(0);
  job->Unseat(kCpu, outgrown);
  EXPECT_EQ(job->Waiting(kCpu), Backlog::Sizes());
  EXPECT_EQ(job->Seat(kCpu, whole, 4).size(), 0u);
  EXPECT_EQ(sink_->reserved(), 0u);
  EXPECT_TRUE(job->HeldUpByReader());
  sink_->SetWholeRoom(3);
  EXPECT_FALSE(job->HeldUpByReader());
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{whole, 4}}));
  {
    const std::vector<InstanceRef> seated = InstancesOf(job->Seat(kCpu, whole, 4));
    ASSERT_EQ(seated.size(), 3u);
    for (const InstanceRef& instance : seated) EXPECT_TRUE(instance.room);
    EXPECT_EQ(sink_->reserved(), 3u);
    EXPECT_EQ(sink_->widened(), 3u);
    job->Deliver(kCpu, ResultsOf({seated[0]}));
    job->Unseat(kCpu, {seated[1], seated[2]});
  }
  EXPECT_EQ(sink_->widened(), 0u) << "who waits for a seat keeps no room from others";
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{whole, 3}}));
}

TEST_F(ActiveJobTest, WhileManyWaitForRoomNobodyElseStarts) {
  constexpr uint64_t kMany = ActiveJob::kMostOutgrown;
  const ActiveJobRef job = JobOf(kMany + 10, kMany * 2);
  const SeatClass whole{0, 0, 0, 0, true};
  std::vector<InstanceRef> outgrown = InstancesOf(job->Seat(kCpu, {}, kMany));
  for (InstanceRef& instance : outgrown) instance.seat_class = whole;
  sink_->SetWholeRoom(0);
  job->Unseat(kCpu, outgrown);
  EXPECT_EQ(job->Waiting(kCpu), Backlog::Sizes());
  EXPECT_EQ(job->Seat(kCpu, {}, 5).size(), 0u);
  EXPECT_TRUE(job->HeldUpByReader());
  sink_->SetWholeRoom(1);
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{whole, kMany}}));
  const Claim seated = job->Seat(kCpu, whole, 5);
  EXPECT_EQ(seated.size(), 1u);
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{{}, 10}})) << "and no room is left for others";
}

TEST_F(ActiveJobTest, WhoHadRoomForAllNeedsItAgain) {
  const ActiveJobRef job = JobOf(2, 100);
  std::vector<InstanceRef> instances = InstancesOf(job->Seat(kCpu, {}, 2));
  instances[1].room = job->TakeWholeRoom();
  job->Unseat(kCpu, instances);
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{{}, 1}, {{0, 0, 0, 0, true}, 1}}));
}

TEST_F(ActiveJobTest, SeatedInstancesOfAllDevicesCountAgainstTheRoom) {
  const ActiveJobRef job = JobOf(100, 10);
  const Claim here = job->Seat(kCpu, {}, 8);
  const Claim there = job->Seat(kCpu, {}, 8);
  EXPECT_EQ(here.size(), 8u);
  EXPECT_EQ(there.size(), 2u);
  EXPECT_EQ(job->Room(), 0u);
  job->Unseat(kCpu, InstancesOf(there));
  EXPECT_EQ(job->Room(), 2u);
  job->Deliver(kCpu, ResultsOf(InstancesOf(here)));
  EXPECT_EQ(job->Room(), 2u);  // the sink has eight less
}

// Under the thread sanitizer too: devices that seat, lose and deliver at once.
TEST_F(ActiveJobTest, ManyDevicesSeatEveryInstanceOnce) {
  constexpr uint64_t kInstances = 20000;
  const ActiveJobRef job = JobOf(kInstances, 200 + kInstances);
  const auto device = [&](uint64_t at_once) {
    for (uint64_t turn = 1; !job->AllFinished(); ++turn) {
      std::vector<InstanceRef> instances = InstancesOf(job->Seat(kCpu, {}, at_once));
      if (turn % 7 == 0) {
        job->Unseat(kCpu, instances);
      } else {
        job->Deliver(kCpu, ResultsOf(std::move(instances)));
      }
    }
  };
  std::vector<std::thread> devices;
  for (const uint64_t at_once : {1, 13, 64}) devices.emplace_back(device, at_once);
  for (std::thread& thread : devices) thread.join();
  job->Finish({});
  const std::vector<InstanceResult> results = sink_->Results();
  ASSERT_EQ(results.size(), kInstances);
  for (uint64_t i = 0; i < kInstances; ++i) ASSERT_EQ(results[i].instance, i);
  EXPECT_FALSE(sink_->overflowed());
  EXPECT_FALSE(sink_->cancelled());
}

}  // namespace
}  // namespace wb::test
