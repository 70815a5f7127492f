// What the daemon and an engine host say to each other about launches.

#include <gtest/gtest.h>

#include "scheduler/engine_host/messages.h"

namespace wb::test {
namespace {

LaunchLimits Carried(const LaunchLimits& limits) {
  wasmburst::engine::Launch message;
  Put(limits, message);
  wasmburst::engine::Launch arrived;
  EXPECT_TRUE(arrived.ParseFromString(message.SerializeAsString()));
  return LimitsOf(arrived);
}

TEST(EngineMessagesTest, WhatADeviceIsToldTravels) {
  wasmburst::engine::Hello hello;
  Put(CompilerLimits{std::chrono::milliseconds(1500), 123}, *hello.mutable_compile());
  EXPECT_EQ(CompilerLimitsOf(hello.compile()).max_time, std::chrono::milliseconds(1500));
  EXPECT_EQ(CompilerLimitsOf(hello.compile()).max_memory_bytes, 123u);
  Put(CudaLibraries{"driver", "nvrtc", "nvml"}, *hello.mutable_cuda_libraries());
  const CudaLibraries libraries = LibrariesOf(hello.cuda_libraries());
  EXPECT_EQ(libraries.driver, "driver");
  EXPECT_EQ(libraries.nvrtc, "nvrtc");
  EXPECT_EQ(libraries.nvml, "nvml");
  Put(MetalOptions{std::chrono::milliseconds(20), "/tmp/x.gputrace", 77}, *hello.mutable_metal());
  EXPECT_EQ(OptionsOf(hello.metal()).slice, std::chrono::milliseconds(20));
  EXPECT_EQ(OptionsOf(hello.metal()).capture, "/tmp/x.gputrace");
  EXPECT_EQ(OptionsOf(hello.metal()).max_text_bytes, 77u);
}

TEST(EngineMessagesTest, LimitsArriveAsTheyWere) {
  LaunchLimits limits;
  limits.max_duration = std::chrono::milliseconds(123);
  limits.slice_fuel = 1234567890123;
  limits.slice_step = 3;
  limits.quantum = 4567;
  limits.most_idle = 89;
  limits.occupancy = {67584, 64, true, true};
  limits.group_wait = 7;
  limits.seats_written = false;
  const LaunchLimits there = Carried(limits);
  EXPECT_EQ(there.max_duration, limits.max_duration);
  EXPECT_EQ(there.slice_fuel, limits.slice_fuel);
  EXPECT_EQ(there.slice_step, limits.slice_step);
  EXPECT_EQ(there.quantum, limits.quantum);
  EXPECT_EQ(there.most_idle, limits.most_idle);
  EXPECT_EQ(there.occupancy, limits.occupancy);
  EXPECT_EQ(there.group_wait, 7u);
  EXPECT_EQ(there.seats_written, limits.seats_written);
  EXPECT_EQ(Carried({}).occupancy, Occupancy());
}

TEST(EngineMessagesTest, WhatLanesSpentAndWhatAPipelineIsArrive) {
  LaunchReport report;
  report.lane_fuel = {.useful = 1ull << 40, .resident = 3ull << 40};
  wasmburst::engine::LaunchReport message;
  Put(report, message);
  EXPECT_EQ(ReportOf(message, std::chrono::seconds(1)).lane_fuel, report.lane_fuel);
  message.clear_lane_fuel();
  EXPECT_EQ(ReportOf(message, std::chrono::seconds(1)).lane_fuel, LaneFuel());
  const PipelineFacts facts = {1, 2, 3, 4, 5, 6};
  wasmburst::engine::PipelineFacts sent;
  Put(facts, sent);
  EXPECT_EQ(FactsOf(sent), facts);
}

TEST(EngineMessagesTest, ABlockThatNoGpuHasIsTheDevicesOwn) {
  for (const uint32_t wrong : {1u, 33u, 1056u, ~0u}) {
    LaunchLimits limits;
    limits.occupancy = {64, wrong};
    EXPECT_EQ(Carried(limits).occupancy, (Occupancy{64, 0})) << wrong;
  }
}

TEST(EngineMessagesTest, ProcessorsAreAtMostThreads) {
  DeviceInfo info;
  info.threads = 256;
  info.processors = 4;
  wasmburst::engine::Info message;
  Put(info, message);
  EXPECT_EQ(InfoOf(message)->processors, 4u);
  message.set_processors(1000);
  EXPECT_EQ(InfoOf(message)->processors, 256u);
  for (const auto& [said, taken] : {std::pair(0u, 1u), {3u, 3u}, {1u << 27, 16u}, {~0u, 16u}}) {
    message.set_launches_at_once(said);
    EXPECT_EQ(InfoOf(message)->launches_at_once, taken);
  }
}

TEST(EngineMessagesTest, ALaunchTakesNoLongerThanItWasAwaited) {
  using std::chrono::nanoseconds;
  wasmburst::engine::LaunchReport message;
  message.set_seats_left(7);
  for (const auto& [said, taken] : {std::pair(uint64_t{0}, 0),
                                    {999, 999},
                                    {1001, 1000},
                                    {uint64_t{1} << 63, 1000},
                                    {~uint64_t{0}, 1000}}) {
    message.set_busy_ns(said);
    const LaunchReport report = ReportOf(message, nanoseconds(1000));
    EXPECT_EQ(report.busy, nanoseconds(taken)) << said;
    EXPECT_EQ(report.seats_left, 7u);
  }
}

TEST(EngineMessagesTest, TheCallsOfATrapArriveAndNoMoreThanAreTraced) {
  LaunchReport report;
  report.seats_left = 3;
  report.busy = std::chrono::nanoseconds(77);
  for (uint32_t i = 0; i < kMostTraced + 5; ++i) report.trace.push_back({i, 2 * i});
  wasmburst::engine::LaunchReport message;
  Put(report, message);
  const LaunchReport arrived = ReportOf(message, std::chrono::seconds(1));
  EXPECT_EQ(arrived.seats_left, 3u);
  EXPECT_EQ(arrived.busy, report.busy);
  ASSERT_EQ(arrived.trace.size(), kMostTraced);
  EXPECT_EQ(arrived.trace.at(9), (TracedCall{9, 18}));
}

TEST(EngineMessagesTest, WhereFuelWentArrivesAsATree) {
  LaunchReport report;
  report.fuel = {{0, FuelNode::kNoFunction, 0, 0, 5}, {0, 7, 0, 2, 6}, {1, 7, 80, 3, 9}};
  wasmburst::engine::LaunchReport message;
  Put(report, message);
  EXPECT_EQ(ReportOf(message, std::chrono::seconds(1)).fuel, report.fuel);
  // A node whose parent does not come before it ends what is taken.
  message.mutable_fuel(2)->set_parent(2);
  EXPECT_EQ(ReportOf(message, std::chrono::seconds(1)).fuel.size(), 2u);
  message.mutable_fuel(0)->set_parent(1);
  EXPECT_TRUE(ReportOf(message, std::chrono::seconds(1)).fuel.empty());
  message.clear_fuel();
  for (size_t i = 0; i < 2 * kMostFuelNodes + 9; ++i) message.add_fuel();
  EXPECT_EQ(ReportOf(message, std::chrono::seconds(1)).fuel.size(), 2 * kMostFuelNodes);
}

TEST(EngineMessagesTest, TheLabelOfALaunchArrives) {
  LaunchLimits limits;
  limits.label = "jobs/1";
  wasmburst::engine::Launch launch;
  Put(limits, launch);
  EXPECT_EQ(LimitsOf(launch).label, "jobs/1");
}

TEST(EngineMessagesTest, WhereMemoriesLieArrives) {
  KernelSource source;
  source.layout.globals_at = 40;
  source.layout.memory_at = 1024;
  source.layout.memories = {{17, 65536}, {1, 7}, {3, 3}};
  wasmburst::engine::Build build;
  Put(Module(), source, build);
  EXPECT_EQ(SourceOf(build)->layout, source.layout);
}

TEST(EngineMessagesTest, HowMuchABuildIsToTakeArrives) {
  wasmburst::engine::Build build;
  for (const Effort effort : {Effort::kFull, Effort::kQuick, Effort::kBest}) {
    build.set_effort(static_cast<uint32_t>(effort));
    EXPECT_EQ(*EffortOf(build), effort);
  }
  build.set_effort(kEfforts);
  EXPECT_FALSE(EffortOf(build).ok());
  DeviceInfo info;
  info.best_text_below = uint64_t{1} << 40;
  wasmburst::engine::Info message;
  Put(info, message);
  EXPECT_EQ(InfoOf(message)->best_text_below, info.best_text_below);
}

TEST(EngineMessagesTest, WhatLanesReserveArrives) {
  DispatchShape shape;
  shape.capacity_pages = 64;
  shape.further_pages = 5;
  shape.mapped_pages = 3;
  shape.window = {8192, 4096};
  wasmburst::engine::Allocate allocate;
  Put(shape, allocate);
  EXPECT_EQ(ShapeOf(allocate).mapped_pages, 3u);
  EXPECT_EQ(ShapeOf(allocate).capacity_pages, 64u);
  EXPECT_EQ(ShapeOf(allocate).further_pages, 5u);
  EXPECT_EQ(ShapeOf(allocate).window, shape.window);
  DeviceInfo info;
  wasmburst::engine::Info message;
  Put(info, message);
  EXPECT_FALSE(InfoOf(message)->maps_memory);
  EXPECT_FALSE(InfoOf(message)->maps_inputs);
  EXPECT_FALSE(InfoOf(message)->few_registers);
  EXPECT_FALSE(InfoOf(message)->tiled);
  EXPECT_FALSE(InfoOf(message)->hot);
  info.maps_memory = info.maps_inputs = info.few_registers = info.tiled = info.hot = true;
  Put(info, message);
  EXPECT_TRUE(InfoOf(message)->maps_memory);
  EXPECT_TRUE(InfoOf(message)->maps_inputs);
  EXPECT_TRUE(InfoOf(message)->few_registers);
  EXPECT_TRUE(InfoOf(message)->tiled);
  EXPECT_TRUE(InfoOf(message)->hot);
  EXPECT_EQ(InfoOf(message)->options.windows, Windows::kNever);
  info.options.windows = Windows::kWhereLarge;
  Put(info, message);
  EXPECT_EQ(InfoOf(message)->options.windows, Windows::kWhereLarge);
  message.set_windows(7);
  EXPECT_FALSE(InfoOf(message).ok());
}

}  // namespace
}  // namespace wb::test
