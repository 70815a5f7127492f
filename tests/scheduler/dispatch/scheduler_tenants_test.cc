// Tenants: weights, how many of their jobs run and are accepted, how much memory they hold.

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "scheduler/base/memory_budget.h"
#include "scheduler/job/tenants.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

class TenantsTest : public SchedulerTest {
 protected:
  static JobSpec SpecOf(const std::string& tenant, uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.tenant = tenant;
    return spec;
  }
};

TEST(TenantMemory, ALimitIsOfTheTenantAndTheRestOfTheDevice) {
  MemoryBudget all;
  all.SetTotal(1000);
  TenantMemory a(all, "a", 300);
  TenantMemory b(all, "b", 0);
  EXPECT_EQ(a.Share(), 300u);
  EXPECT_EQ(b.Share(), 500u);
  EXPECT_TRUE(a.IsAllThereIs());
  a.Hold(200);
  EXPECT_EQ(a.left(), 100u);
  EXPECT_TRUE(a.IsLimited());
  EXPECT_FALSE(a.IsAllThereIs());
  EXPECT_EQ(b.left(), 800u);
  b.Hold(750);
  EXPECT_EQ(a.left(), 50u);
  EXPECT_FALSE(a.IsLimited());
  a.Free(200);
  EXPECT_FALSE(a.IsAllThereIs()) << "another tenant holds what it could get";
  EXPECT_EQ(all.HeldBy("a"), 0u);
}

// Compilers that work until the test lets them end, one after the other.
TEST_F(TenantsTest, BuildsTakeTurnsByTenant) {
  std::atomic<uint32_t> allowed{0};
  std::array<std::string, 8> texts;
  cpu_.on_build = [&, begun = 0u](const KernelSource& source) mutable -> Result<Bytes> {
    texts.at(begun++) = source.text;
    while (allowed < begun) std::this_thread::yield();
    return Bytes{1};
  };
  settings_.compile_parallel = 1;
  Start();
  const auto submit = [this](const std::string& tenant, int constant) {
    JobSpec spec = SpecOf(tenant, 5);
    spec.module = ModuleOf("(module (func (export \"run\") (param i32) (result i32) i32.const " +
                           std::to_string(constant) + "))");
    spec.placement = Placement::kCpu;
    const std::string digest = spec.module->digest().Hex();
    const SinkRef sink = Submit(std::move(spec));
    sink->AwaitProgress([](const JobProgress& progress) {
      return progress.waiting_for.find("cpu0") != std::string::npos;
    });
    return std::pair(sink, digest);
  };
  const auto first = submit("a", 0);
  cpu_.AwaitBuild(1);
  std::vector<SinkRef> others;
  for (int i = 1; i < 5; ++i) others.push_back(submit("a", i).first);
  const auto [newcomer, digest] = submit("b", 9);
  JobSpec next = SpecOf("b", 1);  // when it has ended the newcomer's build has its place
  next.placement = Placement::kInterpreter;
  ExpectNumbers(*Submit(std::move(next)), 1);
  allowed = 2;
  newcomer->AwaitEnd();
  EXPECT_NE(texts[1].find(digest), std::string::npos);
  EXPECT_EQ(others[0]->ends(), 0u);
  allowed = 100;
  for (const SinkRef& sink : others) sink->AwaitEnd();
}

TEST_F(TenantsTest, OneJobTooManyIsRefusedWithTheNumbers) {
  settings_.tenants.named["a"].max_jobs = 2;
  std::atomic<bool> may_build{false};
  cpu_.on_build = [&](const KernelSource&) -> Result<Bytes> {
    while (!may_build) std::this_thread::yield();
    return Bytes{1};
  };
  Start();
  const auto submit_to_cpu = [&] {  // where it waits for its build, so that it cannot end
    JobSpec spec = SpecOf("a", 10);
    spec.placement = Placement::kCpu;
    return Submit(std::move(spec));
  };
  const SinkRef first = submit_to_cpu();
  const SinkRef second = submit_to_cpu();
  auto sink = std::make_shared<RecordingSink>();
  const Status refused = scheduler_->Submit(50, SpecOf("a", 10), sink);
  EXPECT_EQ(refused.reason(), Reason::kQueueFull);
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  EXPECT_EQ(refused.message(), "The tenant [a] has [2] jobs that have not ended; it may have [2].");
  const SinkRef other = Submit(SpecOf("b", 10));
  may_build = true;
  for (const SinkRef& ended : {first, second, other}) ExpectNumbers(*ended, 10);
  while (!scheduler_->Submit(51, SpecOf("a", 10), sink).ok()) std::this_thread::yield();
  sink->AwaitEnd();
  EXPECT_EQ(sink->ends(), 1u);
}

TEST_F(TenantsTest, JobsBeyondThoseThatMayRunWaitAndSayBehindWhom) {
  settings_.tenants.others.max_running_jobs = 1;
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef first = Submit(SpecOf("a", 10));
  cpu_.AwaitLaunch(1);
  const SinkRef second = Submit(SpecOf("a", 10));
  const SinkRef third = Submit(SpecOf("a", 10));
  third->AwaitProgress([](const JobProgress& p) { return !p.waiting_for.empty(); });
  EXPECT_EQ(third->progress().waiting_for,
            "its tenant [a], which has [1] jobs under way, as many as it may have; [1] wait before "
            "it");
  EXPECT_EQ(third->progress().phase, JobPhase::kQueued);
  scheduler_->Cancel(2);
  second->AwaitEnd();
  EXPECT_TRUE(second->cancelled());
  cpu_.ReleaseLaunches();
  ExpectNumbers(*first, 10);
  ExpectNumbers(*third, 10);
}

TEST_F(TenantsTest, ThousandsThatWaitAreCancelledAtOnce) {
  settings_.tenants.others.max_running_jobs = 1;
  cpu_.blocks_until_stop = true;
  Start();
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 5000; ++i) sinks.push_back(Submit(SpecOf("a", 1)));
  scheduler_->Drain(std::chrono::nanoseconds(0), {});
  for (const SinkRef& sink : sinks) EXPECT_EQ(sink->ends(), 1u);
}

// Three times the weight: three times the device's time, while both want it.
TEST_F(TenantsTest, WeightsShareADevice) {
  settings_.tenants.named["heavy"].weight = 3;
  settings_.cpu.burst_instances = 1;
  cpu_.busy = std::chrono::milliseconds(100);
  std::atomic<bool> both_are_there{false};  // else the first might have ended by then
  cpu_.act = [&](const FakeLane&) { return both_are_there ? LaneAct::kDone : LaneAct::kStay; };
  Start();
  JobSpec light = SpecOf("light", 400);
  light.steps.push_back(light.steps[0]);  // so that its launches are known by their steps
  const SinkRef first = Submit(std::move(light));
  const SinkRef second = Submit(SpecOf("heavy", 400));
  second->AwaitProgress([](const JobProgress& p) { return p.running > 0; });
  both_are_there = true;
  second->AwaitEnd();
  first->AwaitEnd();
  uint32_t heavy = 0;
  const auto launches = cpu_.launches();
  const auto of_heavy = [](const FakeLaunch& launch) { return launch.steps == 1; };
  const auto both = std::find_if(launches.begin(), launches.end(), of_heavy);
  ASSERT_GE(launches.end() - both, 250);
  for (auto it = both + 20; it != both + 220; ++it) heavy += of_heavy(*it) ? 1 : 0;
  EXPECT_GE(heavy, 140u);
  EXPECT_LE(heavy, 160u);
}

TEST_F(TenantsTest, ATenantHoldsNoMoreMemoryThanItMay) {
  settings_.tenants.named["a"].max_device_memory_bytes = 3 << 20;
  JobSpec spec = SpecOf("a", 500);
  spec.limits.max_memory_bytes = 1 << 20;
  Start();
  const SinkRef sink = Submit(std::move(spec));
  ExpectNumbers(*sink, 500);
  for (const FakeLaunch& launch : cpu_.launches()) {
    EXPECT_LE(uint64_t{launch.seats} * launch.capacity_pages * 65536, uint64_t{3} << 20);
  }
  JobSpec large = SpecOf("a", 1);
  large.limits.max_memory_bytes = 7 << 20;
  auto refused = std::make_shared<RecordingSink>();
  const Status status = scheduler_->Submit(9, std::move(large), refused);
  EXPECT_EQ(status.reason(), Reason::kNoDeviceFits);
  EXPECT_NE(status.message().find("the tenant [a] may have [3145728] on a device"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace wb::test
