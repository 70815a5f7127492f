// Devices and their jobs as operators see them, alone and over the wire.

#include "daemon/services/device_jobs.h"
#include "client/services/devices.h"
#include "client/services/jobs.h"

#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

JobInfo JobOn(const std::string& device, Placement placement) {
  JobInfo job;
  JobRequest request;
  request.placement = placement;
  job.request = std::make_shared<const JobRequest>(request);
  job.id = "X";
  job.device = device;
  job.counts.running = 3;
  job.waiting_for = "rain";
  return job;
}

DeviceStatus DeviceOf(const std::string& id, Engine engine, Gate gate) {
  DeviceStatus status;
  status.info.id = id;
  status.info.engine = engine;
  status.gate = gate;
  return status;
}

TEST(DeviceJobs, ADrainIsOverWhenNobodyIsLeft) {
  DeviceStatus status = DeviceOf("cpu0", Engine::kCpu, Gate::kDraining);
  status.gate_age = std::chrono::seconds(2);
  status.drain_left = std::chrono::seconds(5);
  status.jobs = 1;
  v1::Device shown;
  GateToProto(status, 10'000'000'000, &shown);
  EXPECT_EQ(shown.gate(), "draining");
  EXPECT_EQ(shown.gate_time().seconds(), 8);
  EXPECT_EQ(shown.drain_deadline().seconds(), 15);
  status.jobs = 0;
  shown.Clear();
  GateToProto(status, 10'000'000'000, &shown);
  EXPECT_EQ(shown.gate(), "drained");
  EXPECT_FALSE(shown.has_drain_deadline());
}

TEST(DeviceJobs, OfLaunchesInFlightACallerReadsTheJobsThatItMaySee) {
  DeviceStatus status = DeviceOf("cuda0", Engine::kCuda, Gate::kOpen);
  LaunchInFlight launch;
  launch.lanes = 64;
  launch.seated = 40;
  launch.build = KernelBuild::kQuick;
  launch.age = std::chrono::seconds(2);
  launch.longest = std::chrono::milliseconds(1500);
  launch.jobs = 9;
  launch.shown = {{"A", "anna"}, {"B", "bert"}};
  LaunchInFlight behind;
  behind.build = KernelBuild::kFull;
  status.in_flight = {launch, behind};
  v1::Device shown;
  LaunchesToProto(status, {"user:anna", "anna", Role::kViewer}, &shown);
  ASSERT_EQ(shown.launches_in_flight_size(), 2);
  const v1::LaunchInFlight& first = shown.launches_in_flight(0);
  EXPECT_EQ(first.age().seconds(), 2);
  EXPECT_EQ(first.longest().seconds(), 1);
  EXPECT_EQ(first.longest().nanos(), 500'000'000);
  EXPECT_EQ(first.lanes(), 64u);
  EXPECT_EQ(first.instances(), 40u);
  EXPECT_EQ(first.build(), v1::QUICK);
  EXPECT_EQ(first.job_count(), 9u);
  ASSERT_EQ(first.jobs_size(), 1);
  EXPECT_EQ(first.jobs(0), "jobs/A");
  EXPECT_EQ(shown.DebugString().find("bert"), std::string::npos);
  EXPECT_EQ(shown.launches_in_flight(1).build(), v1::FULL);
  shown.Clear();
  LaunchesToProto(status, {"user:olga", "ops", Role::kOperator}, &shown);
  EXPECT_EQ(shown.launches_in_flight(0).jobs_size(), 2);
}

TEST(DeviceJobs, AtMostTwentyAreNamedAndAllAreCounted) {
  std::vector<JobInfo> jobs(30, JobOn("cpu0", Placement::kAuto));
  jobs.push_back(JobOn("cuda0", Placement::kGpu));
  v1::Device shown;
  AddJobsOf("cpu0", jobs, &shown);
  EXPECT_EQ(shown.job_count(), 30u);
  ASSERT_EQ(shown.jobs_size(), 20);
  EXPECT_EQ(shown.jobs(0).running(), 3u);
  EXPECT_EQ(shown.jobs(0).waiting_for(), "rain");
}

TEST(DeviceJobs, AJobOnSeveralDevicesIsShownOnEach) {
  const std::vector<JobInfo> jobs = {JobOn("cuda0, cuda1", Placement::kGpu),
                                     JobOn("cuda11", Placement::kGpu)};
  for (const char* device : {"cuda0", "cuda1", "cuda11"}) {
    v1::Device shown;
    AddJobsOf(device, jobs, &shown);
    EXPECT_EQ(shown.job_count(), 1u) << device;
  }
}

TEST(DeviceJobs, StrandedIsWhoMayRunOnClosedDevicesOnly) {
  const std::vector<JobInfo> jobs = {JobOn("", Placement::kAuto), JobOn("", Placement::kCpu),
                                     JobOn("", Placement::kGpu),
                                     JobOn("", Placement::kInterpreter)};
  const auto stranded = [&](Gate cpu, Gate gpu, Gate interpreter) {
    v1::ChangeDeviceResponse response;
    AddStranded({DeviceOf("cpu0", Engine::kCpu, cpu), DeviceOf("cuda0", Engine::kCuda, gpu),
                 DeviceOf("interpreter0", Engine::kInterpreter, interpreter)},
                jobs, &response);
    return response.stranded_count();
  };
  EXPECT_EQ(stranded(Gate::kOpen, Gate::kOpen, Gate::kOpen), 0u);
  EXPECT_EQ(stranded(Gate::kCordoned, Gate::kOpen, Gate::kOpen), 1u);
  EXPECT_EQ(stranded(Gate::kOpen, Gate::kDraining, Gate::kOpen), 1u);
  EXPECT_EQ(stranded(Gate::kCordoned, Gate::kOpen, Gate::kCordoned), 2u);
  EXPECT_EQ(stranded(Gate::kCordoned, Gate::kCordoned, Gate::kCordoned), 4u);
}

TEST(DeviceJobs, WithoutACpuDeviceAGpuServesEverybody) {
  const std::vector<DeviceStatus> devices = {
      DeviceOf("cuda0", Engine::kCuda, Gate::kOpen),
      DeviceOf("interpreter0", Engine::kInterpreter, Gate::kCordoned)};
  v1::ChangeDeviceResponse response;
  AddStranded(devices, {JobOn("", Placement::kAuto)}, &response);
  EXPECT_EQ(response.stranded_count(), 0u);
}

TEST(DeviceJobs, WhoIsOnAnOpenDeviceIsNotStranded) {
  const std::vector<DeviceStatus> devices = {
      DeviceOf("cpu0", Engine::kCpu, Gate::kCordoned),
      DeviceOf("cuda0", Engine::kCuda, Gate::kOpen),
      DeviceOf("interpreter0", Engine::kInterpreter, Gate::kCordoned)};
  v1::ChangeDeviceResponse response;
  AddStranded(devices, {JobOn("cuda0", Placement::kCpu), JobOn("", Placement::kCpu)}, &response);
  EXPECT_EQ(response.stranded_count(), 1u);
}

TEST_F(DaemonTest, DevicesAreCordonedDrainedAndOpened) {
  Start();
  const std::string spinning = Create("spin", 2);
  EXPECT_EQ(CordonDevice(*client_, "devices/none").status().reason(), Reason::kNotFound);
  EXPECT_EQ(CordonDevice(*client_, "fake0").status().reason(), Reason::kInvalidArgument);
  v1::ChangeDeviceResponse said = CordonDevice(*client_, "devices/fake0").value();
  EXPECT_TRUE(said.changed());
  EXPECT_EQ(said.device().gate(), "cordoned");
  ASSERT_EQ(said.stranded_jobs_size(), 1);
  EXPECT_EQ(said.stranded_jobs(0), spinning);
  EXPECT_FALSE(CordonDevice(*client_, "devices/fake0").value().changed());
  said = DrainDevice(*client_, "devices/fake0", std::chrono::seconds(90)).value();
  EXPECT_EQ(said.device().gate(), "draining");
  EXPECT_TRUE(said.device().has_drain_deadline());
  EXPECT_EQ(ListDevices(*client_).value().devices(0).gate(), "draining");
  said = UncordonDevice(*client_, "devices/fake0").value();
  EXPECT_TRUE(said.changed());
  EXPECT_EQ(said.device().gate(), "open");
  EXPECT_EQ(said.stranded_count(), 0u);
  EXPECT_TRUE(CancelJob(*client_, spinning).ok());
}

}  // namespace
}  // namespace wb
