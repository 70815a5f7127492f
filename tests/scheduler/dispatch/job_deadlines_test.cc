// JobDeadlines: which jobs end at what time, and which are left to the devices that have them.

#include "scheduler/dispatch/job_deadlines.h"

#include <algorithm>

#include "scheduler/job/host_calls/host_call_queue.h"
#include "tests/scheduler/job/active/fixture.h"

namespace wb::test {
namespace {

using std::chrono::seconds;

// Ends jobs as the coordinator does; nothing else is asked of it.
class EndedJobs final : public JobMoves {
 public:
  explicit EndedJobs(CoordinatedJobs& jobs) : jobs_(jobs) {}
  void StartOver(const ActiveJobRef&) override { FAIL(); }
  void PrepareAgain(const ActiveJobRef&) override { FAIL(); }
  void Place(const ActiveJobRef&, DeviceLoop*, const BuiltPipeline&) override { FAIL(); }
  void HandOver(const ActiveJobRef&, DeviceLoop*, const BuiltPipeline&) override { FAIL(); }
  void Join(const ActiveJobRef&, const std::vector<DeviceLoop*>&, const BuiltPipeline&) override {
    FAIL();
  }
  void Review(const ActiveJobRef&) override { FAIL(); }
  void GoOnAfterProbe(const ActiveJobRef&) override { FAIL(); }
  void TakeBetter(const ActiveJobRef&, DeviceLoop*, const BuiltPipeline&) override { FAIL(); }
  void End(ActiveJobRef job, const Status& status) override {
    EXPECT_TRUE(status.ok());
    jobs_.Erase(job);
    job->Finish(status);
    ended_.push_back(job);
  }

  bool Has(const ActiveJobRef& job) const {
    return std::find(ended_.begin(), ended_.end(), job) != ended_.end();
  }
  size_t count() const { return ended_.size(); }

 private:
  CoordinatedJobs& jobs_;
  std::vector<ActiveJobRef> ended_;
};

class JobDeadlinesTest : public ActiveJobTest {
 protected:
  ActiveJobRef AdmittedJob(const JobLimits& limits, std::shared_ptr<JobBefore> before = nullptr) {
    ActiveJobRef job = JobOf(2, 100, limits, std::move(before));
    job->limits.StartClock(clock_.Now());
    jobs_.Add(job);
    return job;
  }
  static JobLimits LimitOf(seconds time) {
    JobLimits limits;
    limits.max_total_time = time;
    return limits;
  }
  // A job whose only instance waits for its caller, with a seat on a device before.
  ActiveJobRef AskingJob() {
    JobSpec spec = NumberJob(NumberModule(), 1);
    spec.host_imports = {{"env.ask", FunctionType{{}, {}}, {}, false}};
    spec.host_calls = std::make_shared<HostCallQueue>(spec.host_imports);
    sink_ = std::make_shared<RecordingSink>(100);
    auto job = std::make_shared<ActiveJob>(2, PlanJob(std::move(spec), {}).value(), sink_, clock_);
    jobs_.Add(job);
    AskingInstance asking;
    asking.instance = InstancesOf(job->Seat(kCpu, {}, 1)).at(0);
    asking.if_failed.end = End::kTrapped;
    job->calls.Ask(kCpu, {asking});
    return job;
  }
  void GiveToDevice(const ActiveJobRef& job) {
    for (const JobEvent event : {JobEvent::kMayStart, JobEvent::kLowered, JobEvent::kHandedOver}) {
      jobs_.Advance(job, event);
    }
  }

  CoordinatedJobs jobs_;
  EndedJobs ended_{jobs_};
  std::vector<TimePoint> due_;
  JobDeadlines deadlines_{jobs_, {clock_, [this](TimePoint at) { due_.push_back(at); }}, ended_};
};

TEST_F(JobDeadlinesTest, AJobThatWaitsEndsAtItsDeadline) {
  const TimePoint start = clock_.Now();
  const ActiveJobRef job = AdmittedJob(LimitOf(seconds(5)));
  const ActiveJobRef later = AdmittedJob(LimitOf(seconds(9)));
  deadlines_.Watch(job);
  EXPECT_EQ(due_, std::vector<TimePoint>{start + seconds(5)});
  clock_.Advance(seconds(4));
  deadlines_.EndOverdue();
  EXPECT_EQ(ended_.count(), 0u);
  due_.clear();
  clock_.Advance(seconds(1));
  deadlines_.EndOverdue();
  EXPECT_TRUE(ended_.Has(job));
  EXPECT_FALSE(ended_.Has(later));
  EXPECT_EQ(due_, std::vector<TimePoint>{start + seconds(9)}) << "the next one is due then";
}

TEST_F(JobDeadlinesTest, AJobWithoutALimitIsNotWatched) {
  const ActiveJobRef job = AdmittedJob({});
  deadlines_.Watch(job);
  clock_.Advance(std::chrono::hours(1000));
  deadlines_.EndOverdue();
  EXPECT_TRUE(due_.empty());
  EXPECT_EQ(ended_.count(), 0u);
}

TEST_F(JobDeadlinesTest, ADeviceEndsTheJobsThatItHas) {
  const ActiveJobRef job = AdmittedJob(LimitOf(seconds(5)));
  GiveToDevice(job);
  clock_.Advance(seconds(6));
  deadlines_.EndOverdue();
  EXPECT_EQ(ended_.count(), 0u);
  EXPECT_FALSE(job->AllFinished());
}

TEST_F(JobDeadlinesTest, AJobWithSeatedInstancesEndsWithThem) {
  const ActiveJobRef job = AdmittedJob(LimitOf(seconds(5)));
  const std::vector<InstanceRef> seated = InstancesOf(job->Seat(kCpu, {}, 1));
  clock_.Advance(seconds(6));
  deadlines_.EndOverdue();
  EXPECT_EQ(ended_.count(), 0u);
  job->Deliver(kCpu, ResultsOf(seated));
  deadlines_.EndOverdue();
  EXPECT_TRUE(ended_.Has(job));
}

TEST_F(JobDeadlinesTest, ANewJobHasAllOfItsInstancesLeft) {
  const ActiveJobRef job = AdmittedJob(LimitOf(seconds(1)));
  clock_.Advance(seconds(1));
  EXPECT_FALSE(deadlines_.EndIfNothingIsLeft(job)) << "EndOverdue() ends it";
  EXPECT_EQ(ended_.count(), 0u);
}

TEST_F(JobDeadlinesTest, AJobThatGoesOnEndsAtOnceWhereItWasDoneOrHasUsedItsLimits) {
  auto half = std::make_shared<JobBefore>();
  half->finished.Add(0, 1);
  half->fuel = 1000;
  EXPECT_FALSE(deadlines_.EndIfNothingIsLeft(AdmittedJob({}, half)));
  JobLimits limits;
  limits.max_total_fuel = 1000;
  const ActiveJobRef over = AdmittedJob(limits, half);
  EXPECT_TRUE(deadlines_.EndIfNothingIsLeft(over));
  EXPECT_TRUE(ended_.Has(over));
  auto all = std::make_shared<JobBefore>();
  all->finished.Add(0, 2);
  const ActiveJobRef done = AdmittedJob({}, all);
  EXPECT_TRUE(deadlines_.EndIfNothingIsLeft(done));
  EXPECT_TRUE(ended_.Has(done));
}

TEST_F(JobDeadlinesTest, AHostCallThatWaitsForTooLongEndsItsInstanceAndThatTheJob) {
  const ActiveJobRef job = AskingJob();
  const TimePoint at = clock_.Now() + job->plan.spec.host_call_timeout;
  EXPECT_FALSE(deadlines_.EndCalls());
  EXPECT_EQ(due_, std::vector<TimePoint>{at});
  clock_.Advance(job->plan.spec.host_call_timeout);
  EXPECT_TRUE(deadlines_.EndCalls());
  EXPECT_TRUE(ended_.Has(job));
  EXPECT_FALSE(deadlines_.EndCalls());
}

TEST_F(JobDeadlinesTest, AJobOfADeviceIsLeftToItWhenItsCallsEnd) {
  const ActiveJobRef job = AskingJob();
  GiveToDevice(job);
  clock_.Advance(job->plan.spec.host_call_timeout);
  EXPECT_TRUE(deadlines_.EndCalls());
  EXPECT_TRUE(job->AllFinished());
  EXPECT_EQ(ended_.count(), 0u);
}

}  // namespace
}  // namespace wb::test
