// Small jobs in batches on a simulated CPU device: threads that take one lane after the other,
// those left midway first, as lane_pool does. Time is counted, not waited for.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/base/helper_threads.h"
#include "scheduler/control/fair_queue.h"
#include "scheduler/run/device_job.h"
#include "scheduler/run/launches/batcher.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/plain_dispatch.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// An instance's first column word is its number in `left`.
class SimulatedDevice final : public Device {
 public:
  SimulatedDevice(uint32_t threads, std::vector<nanoseconds> lengths) : left_(std::move(lengths)) {
    info_.id = "cpu0";
    info_.threads = threads;
    info_.memory_bytes = uint64_t{1} << 34;
  }
  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule&, const KernelSource&, Effort) override {
    return Bytes();
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule>, ByteView) override {
    return PipelineRef();
  }
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef&,
                                             const DispatchShape& shape) override {
    return std::unique_ptr<Dispatch>(new PlainDispatch(shape));
  }
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override {
    report_ = Run(dispatch, limits);
    return {};
  }
  Result<LaunchReport> Await() override { return report_; }
  void Stop() override {}
  Telemetry Sample() override { return {}; }

 private:
  LaunchReport Run(Dispatch& dispatch, const LaunchLimits& limits);

  DeviceInfo info_;
  std::vector<nanoseconds> left_;
  LaunchReport report_;
};

LaunchReport SimulatedDevice::Run(Dispatch& dispatch, const LaunchLimits& limits) {
  const size_t words = dispatch.shape().RecordWords();
  std::vector<nanoseconds> threads(info_.threads);
  for (const uint32_t state : {uint32_t{abi::SEAT_RUNNING}, uint32_t{abi::SEAT_START}}) {
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < dispatch.shape().lanes; ++lane) {
      if (dispatch.records()[lane * words] == state) lanes.push_back(lane);
    }
    for (const uint32_t lane : lanes) {
      nanoseconds& thread = *std::min_element(threads.begin(), threads.end());
      if (thread >= limits.max_duration) break;
      nanoseconds& left = left_[dispatch.columns()[lane]];
      const nanoseconds spent = std::min(left, limits.max_duration - thread);
      thread += spent;
      left -= spent;
      uint32_t* record = &dispatch.records()[lane * words];
      record[abi::RECORD_SEAT] = left.count() == 0 ? abi::SEAT_DONE : abi::SEAT_RUNNING;
      record[abi::RECORD_STEP] = dispatch.shape().steps + 1;
    }
  }
  LaunchReport report;
  report.busy = *std::max_element(threads.begin(), threads.end()) + microseconds(100);
  return report;
}

struct SmallJob {
  nanoseconds comes{};
  std::string tenant;
  std::vector<nanoseconds> lengths;  // of its instances
  nanoseconds ended{};
  nanoseconds device_time{};
};

// A device's turns, as DeviceLoop takes them, until all jobs have ended.
class Simulation {
 public:
  Simulation(uint32_t threads, bool shares, std::vector<SmallJob>& jobs)
      : jobs_(jobs), shares_(shares), device_(threads, LengthsOf(jobs)), helpers_(0) {
    settings_.cooldown = milliseconds(0);
    memory_.SetTotal(device_.info().memory_bytes);
    auto lowered = std::make_shared<LoweredModule>();
    lowered->layout.memory_at = 1024;
    prepared_.module = lowered;
    controller_ = std::make_shared<SliceController>(BurstShape());
  }

  nanoseconds Run() {
    std::vector<size_t> order(jobs_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return jobs_[a].comes < jobs_[b].comes; });
    size_t next = 0;
    while (next < order.size() || !here_.empty()) {
      if (here_.empty()) clock_.Advance(std::max(jobs_[order[next]].comes - Now(), nanoseconds(0)));
      while (next < order.size() && jobs_[order[next]].comes <= Now()) Come(order[next++]);
      newcomer_ = next < order.size() ? jobs_[order[next]].comes : nanoseconds::max();
      Turn();
    }
    return Now();
  }

 private:
  struct Here {
    std::unique_ptr<DeviceJob> resident;
    std::shared_ptr<RecordingSink> sink;
    size_t number;
  };

  static std::vector<nanoseconds> LengthsOf(const std::vector<SmallJob>& jobs) {
    std::vector<nanoseconds> lengths;
    for (const SmallJob& job : jobs)
      lengths.insert(lengths.end(), job.lengths.begin(), job.lengths.end());
    return lengths;
  }
  nanoseconds Now() { return clock_.Now() - begin_; }

  void Come(size_t number);
  void Turn();
  LaunchReport Launch(Dispatch& dispatch, LaunchLimits limits);
  void End(DeviceJob& resident);

  std::vector<SmallJob>& jobs_;
  const bool shares_;
  FakeClock clock_;
  const TimePoint begin_ = clock_.Now();
  SimulatedDevice device_;
  MemoryBudget memory_;
  KeptInputs inputs_{50, memory_};
  HelperThreads helpers_;
  DeviceSettings settings_;
  PreparedPipeline prepared_;
  std::shared_ptr<SliceController> controller_;
  std::weak_ptr<Batcher> batcher_;
  FairQueue<DeviceJob*> queue_;
  std::vector<Here> here_;
  nanoseconds newcomer_{};                   // when the next one comes
  nanoseconds hurried_{-milliseconds(100)};  // when a launch was last ended for one
};

void Simulation::Come(size_t number) {
  uint32_t first = 0;
  for (size_t i = 0; i < number; ++i) first += static_cast<uint32_t>(jobs_[i].lengths.size());
  JobSpec spec = NumberJob(NumberModule(), jobs_[number].lengths.size());
  spec.columns[0].start = Value::I32(first);
  spec.tenant = jobs_[number].tenant;
  auto sink = std::make_shared<RecordingSink>();
  auto job =
      std::make_shared<ActiveJob>(number, PlanJob(std::move(spec), {}).value(), sink, clock_);
  job->Join("cpu0");
  auto resident =
      std::make_unique<DeviceJob>(job, prepared_, "cpu0", settings_, memory_, inputs_, helpers_);
  std::shared_ptr<Batcher> batcher = shares_ ? batcher_.lock() : nullptr;
  if (shares_ && batcher == nullptr) {
    batcher = std::make_shared<Batcher>(job->plan, PipelineRef(), prepared_.module->layout,
                                        controller_, settings_, device_.info(), memory_);
    batcher_ = batcher;
  }
  resident->SetPipeline({PipelineRef(), controller_, nullptr, nullptr, std::move(batcher)},
                        device_.info());
  queue_.Add(resident.get(), {job->plan.spec.tenant, 1, 0}, clock_.Now());
  here_.push_back({std::move(resident), std::move(sink), number});
}

void Simulation::End(DeviceJob& resident) {
  const auto here = std::find_if(here_.begin(), here_.end(), [&](const Here& other) {
    return other.resident.get() == &resident;
  });
  SmallJob& told = jobs_[here->number];
  told.ended = Now();
  resident.job()->Record(
      [&](JobProgress& progress) { told.device_time = progress.usage.device_time; });
  const auto results = here->sink->Results();
  ASSERT_EQ(results.size(), told.lengths.size());
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].instance, i);
  queue_.Remove(&resident);
  here_.erase(here);
}

// It is ended for a newcomer, at most every 100 ms.
LaunchReport Simulation::Launch(Dispatch& dispatch, LaunchLimits limits) {
  const bool is_ended =
      newcomer_ - Now() < limits.max_duration && newcomer_ - hurried_ >= milliseconds(100);
  if (is_ended) {
    limits.max_duration = newcomer_ - Now();
    hurried_ = newcomer_;
  }
  LaunchReport report = *device_.Launch(dispatch, limits);
  clock_.Advance(report.busy);
  return report;
}

void Simulation::Turn() {
  const TimePoint now = clock_.Now();
  const auto next = queue_.Next(now, [&](const DeviceJob* job) { return job->CanGo(now); });
  ASSERT_TRUE(next) << "jobs wait and none can go";
  const auto turn = (*next)->Next(device_, now, {nanoseconds(0), milliseconds(500)});
  ASSERT_TRUE(turn.ok());
  if (turn->seats == nullptr && turn->batch == nullptr) return;  // by itself from now on
  std::vector<DeviceJob*> members{*next};
  if (turn->batch != nullptr) {
    members.clear();
    for (const BatchMember* member : turn->batch->members) members.push_back(member->owner());
    const LaunchReport report = Launch(turn->batch->seats.dispatch(), turn->limits);
    const std::shared_ptr<Batcher> batcher = (*next)->batcher();
    const BatchOutcome outcome = batcher->Complete(*turn->batch, turn->limits, report);
    for (const BatchOutcome::CostShare& share : outcome.cost_shares)
      queue_.Charge(share.member->owner(), share.busy);
    batcher->DropIfIdle(*turn->batch, clock_.Now());
  } else {
    (*next)->own().Begin(*turn->seats);
    const LaunchReport report = Launch(turn->seats->seats.dispatch(), turn->limits);
    ASSERT_TRUE((*next)->own().Complete(*turn->seats, turn->limits, report, device_.info()).ok());
    queue_.Charge(*next, report.busy);
  }
  for (DeviceJob* resident : members) {
    if (resident->state().IsEnded()) End(*resident);
  }
}

std::vector<SmallJob> RandomJobs(uint32_t seed) {
  std::mt19937 random(seed);
  std::lognormal_distribution<double> length(std::log(2e-3), 2);  // seconds; 1 % above 200 ms
  std::exponential_distribution<double> pause(200);
  std::vector<SmallJob> jobs(400);
  double now = 0;
  for (SmallJob& job : jobs) {
    now += random() % 8 == 0 ? 10 * pause(random) : 0;
    job.comes = nanoseconds(static_cast<int64_t>(now * 1e9));
    job.tenant = "tenant" + std::to_string(random() % 3);
    do {
      job.lengths.push_back(nanoseconds(1 + static_cast<int64_t>(length(random) * 1e9)));
    } while (random() % 4 == 0);
  }
  return jobs;
}

// Of the jobs whose instances take at most a millisecond, from coming to the end.
double ShortOnesTime(const std::vector<SmallJob>& jobs) {
  double sum = 0;
  double count = 0;
  for (const SmallJob& job : jobs) {
    if (*std::max_element(job.lengths.begin(), job.lengths.end()) > milliseconds(1)) continue;
    sum += Seconds(job.ended - job.comes);
    ++count;
  }
  return sum / count;
}

// Both over five seeds, shared and apart.
struct Outcome {
  double seconds = 0;
  double short_ones = 0;
};
std::pair<Outcome, Outcome> Compare(uint32_t threads) {
  Outcome shared, apart;
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    for (Outcome* outcome : {&shared, &apart}) {
      std::vector<SmallJob> jobs = RandomJobs(seed);
      outcome->seconds += Seconds(Simulation(threads, outcome == &shared, jobs).Run()) / 5;
      outcome->short_ones += ShortOnesTime(jobs) / 5;
    }
  }
  return {shared, apart};
}

TEST(SharedBatchSimulation, SharingIsNoSlowerAndShortOnesEndSooner) {
  for (const uint32_t threads : {1u, 2u, 8u, 64u}) {
    SCOPED_TRACE(threads);
    const auto [shared, apart] = Compare(threads);
    EXPECT_LE(shared.seconds, apart.seconds * 1.02);
    EXPECT_LE(shared.short_ones, apart.short_ones);
    if (threads == 1) continue;
    EXPECT_LE(shared.short_ones, apart.short_ones / 2);
    EXPECT_LE(shared.seconds, apart.seconds * 0.8);
  }
}

// One tenant floods with long ones, another has few: those get their share nevertheless.
TEST(SharedBatchSimulation, AFloodOfOneTenantDoesNotKeepAnotherFromItsShare) {
  for (const uint32_t threads : {1u, 2u, 4u, 16u}) {
    SCOPED_TRACE(threads);
    std::vector<SmallJob> jobs(threads * 50);
    for (size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].tenant = i % 10 == 9 ? "few" : "flood";
      jobs[i].lengths = {milliseconds(300)};
    }
    const double seconds = Seconds(Simulation(threads, true, jobs).Run());
    double few = 0;
    for (const SmallJob& job : jobs) {
      if (job.tenant == "few") few = std::max(few, Seconds(job.ended));
    }
    EXPECT_LE(seconds, 15 * 1.02) << "all threads work all the time";
    // A tenth of the work at half of the device: a fifth of the time.
    EXPECT_LE(few, seconds * 0.22);
  }
}

}  // namespace
}  // namespace wb::test
