// What an observer of the scheduler is told of bursts and builds.

#include <mutex>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class RecordingObserver : public SchedulerObserver {
 public:
  void OnBurst(const BurstRecord& burst) override {
    std::lock_guard lock(mutex_);
    bursts_.push_back(burst);
  }
  void OnBuild(const BuildRecord& build) override {
    std::lock_guard lock(mutex_);
    builds_.push_back(build);
  }
  std::vector<BurstRecord> bursts() const {
    std::lock_guard lock(mutex_);
    return bursts_;
  }
  std::vector<BuildRecord> builds() const {
    std::lock_guard lock(mutex_);
    return builds_;
  }
  std::vector<BurstRecord> AwaitBursts(size_t count) const {
    while (bursts().size() < count) std::this_thread::yield();
    return bursts();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<BurstRecord> bursts_;
  std::vector<BuildRecord> builds_;
};

class BurstsTest : public SchedulerTest {
 protected:
  BurstsTest() {
    cpu_.busy = 100ms;
    settings_.observer = observer_;
  }
  void TearDown() override { scheduler_.reset(); }
  static JobSpec Named(const std::string& name, const std::string& tenant, uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.name = name;
    spec.tenant = tenant;
    return spec;
  }

  const std::shared_ptr<RecordingObserver> observer_ = std::make_shared<RecordingObserver>();
};

TEST_F(BurstsTest, AFullBurstAndWhatIsLeftAfterItsRest) {
  settings_.cpu.cooldown = 1s;
  Start();
  const SinkRef sink = Submit(Named("J1", "anna", 8 * 64));
  clock_.AwaitWaiter(1s);
  clock_.Advance(1s);
  ExpectNumbers(*sink, 8 * 64);
  const auto bursts = observer_->AwaitBursts(2);
  EXPECT_EQ(bursts[0].device, "cpu0");
  EXPECT_EQ(bursts[0].end, BurstEnd::kFull);
  EXPECT_EQ(bursts[0].launches, 5u);
  EXPECT_EQ(bursts[0].busy, 500ms);
  EXPECT_EQ(bursts[0].instances, 5 * 64u);
  EXPECT_EQ(bursts[0].rest_after, 1s);
  EXPECT_EQ(bursts[0].rest_after_cause, RestCause::kCooldown);
  EXPECT_DOUBLE_EQ(bursts[0].lanes_resident, 64);
  EXPECT_DOUBLE_EQ(bursts[0].lanes_useful, 64);
  ASSERT_EQ(bursts[0].shares.size(), 1u);
  EXPECT_EQ(bursts[0].shares[0].name, "J1");
  EXPECT_EQ(bursts[0].shares[0].tenant, "anna");
  EXPECT_EQ(bursts[0].shares[0].build, KernelBuild::kFull);
  EXPECT_EQ(bursts[1].number, 2u);
  EXPECT_EQ(bursts[1].end, BurstEnd::kIdle);
  EXPECT_EQ(bursts[1].launches, 3u);
  EXPECT_EQ(bursts[1].rest_before_cause, RestCause::kCooldown);
  EXPECT_EQ(bursts[0].fuel + bursts[1].fuel, sink->usage().fuel);
}

TEST_F(BurstsTest, WithoutRestsBurstsFollowOneAnother) {
  cpu_.sensors = [] {
    Telemetry telemetry;
    telemetry.celsius = 50.0F;
    telemetry.watts = 12.0F;
    return telemetry;
  };
  Start();
  ExpectNumbers(*Submit(Named("J1", "", 12 * 64)), 12 * 64);
  const auto bursts = observer_->AwaitBursts(3);
  EXPECT_EQ(bursts[0].end, BurstEnd::kFull);
  EXPECT_EQ(bursts[1].end, BurstEnd::kFull);
  EXPECT_EQ(bursts[1].rest_before_cause, RestCause::kNone);
  EXPECT_EQ(bursts[2].end, BurstEnd::kIdle);
  EXPECT_EQ(bursts[2].launches, 2u);
  EXPECT_EQ(bursts[2].celsius, 50.0F);
  EXPECT_EQ(bursts[2].watts, 12.0F);
}

TEST_F(BurstsTest, EachJobOfASharedLaunchHasItsPart) {
  Start();
  std::vector<SinkRef> sinks;
  cpu_.blocks_until_stop = true;  // the others come while the first one's launch runs
  sinks.push_back(Submit(Named("J0", "anna", 1)));
  cpu_.AwaitLaunch(1);
  for (int job = 1; job < 4; ++job) {
    sinks.push_back(Submit(Named("J" + std::to_string(job), "bert", 2)));
  }
  cpu_.ReleaseLaunches();
  for (const SinkRef& sink : sinks) sink->AwaitEnd();
  scheduler_.reset();  // what has begun is told
  uint64_t of_bert = 0;
  uint64_t fuel = 0;
  for (const BurstRecord& burst : observer_->bursts()) {
    uint64_t instances = 0;
    for (const BurstShare& share : burst.shares) {
      instances += share.instances;
      fuel += share.fuel;
      if (share.tenant == "bert") of_bert += share.instances;
    }
    EXPECT_EQ(instances, burst.instances);
  }
  EXPECT_EQ(of_bert, 6u);
  uint64_t used = 0;
  for (const SinkRef& sink : sinks) used += sink->usage().fuel;
  EXPECT_EQ(fuel, used);
}

TEST_F(BurstsTest, BuildsAreToldWithTheirJobAndWhetherTheyWereCached) {
  Start();
  ExpectNumbers(*Submit(Named("J1", "", 64)), 64);
  ExpectNumbers(*Submit(Named("J2", "", 64)), 64);
  const auto builds = observer_->builds();
  ASSERT_EQ(builds.size(), 2u);
  EXPECT_EQ(builds[0].job_name, "J1");
  EXPECT_EQ(builds[0].build, KernelBuild::kFull);
  EXPECT_FALSE(builds[0].cached);
  EXPECT_EQ(builds[1].job_name, "J2");
  EXPECT_TRUE(builds[1].cached);
}

}  // namespace
}  // namespace wb::test
