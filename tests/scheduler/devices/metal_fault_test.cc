// What becomes of Metal's errors, delays and refusals: a lost device or a compile that failed, with
// words that say what happened. That nothing is lost by it:
// tests/scheduler/engine_host/metal_loss_test.cc.

#include <gtest/gtest.h>

#include <thread>

#include "tests/scheduler/devices/metal_rig.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

struct FaultCase {
  const char* name;
  int64_t code;
  const char* words;
};
constexpr FaultCase kFaults[] = {
    {"Internal", 1, "internal error"},
    {"Timeout", 2, "watchdog"},
    {"PageFault", 3, "memory that is not there"},
    {"AccessRevoked", 4, "ignores this process"},
    {"NotPermitted", 7, "may not use the GPU"},
    {"OutOfMemory", 8, "not enough memory"},
    {"InvalidResource", 9, "memory that was freed"},
    {"Memoryless", 10, "internal memory"},
    {"DeviceRemoved", 11, "was removed"},
    {"StackOverflow", 12, "stack overflowed"},
    {"Interactivity", standin::kInteractivity, "display waited"},
    {"Unknown", 99, "does not know"},
};

class MetalFaultTest : public MetalTest, public testing::WithParamInterface<FaultCase> {};

TEST_P(MetalFaultTest, IsALostDeviceInWords) {
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  standin::Fail({.code = GetParam().code, .after = 3});
  const auto report = device_->Launch(*dispatch, limits);
  EXPECT_EQ(report.status().reason(), Reason::kDeviceLost);
  EXPECT_NE(report.status().message().find(GetParam().words), std::string::npos)
      << report.status().ToString();
  // All of the device is dead from now on, without a look at the GPU.
  const uint64_t before = standin::Counted().committed;
  EXPECT_EQ(device_->Launch(*dispatch, limits).status().reason(), Reason::kDeviceLost);
  EXPECT_EQ(standin::Counted().committed, before);
}

INSTANTIATE_TEST_SUITE_P(Codes, MetalFaultTest, testing::ValuesIn(kFaults),
                         [](const auto& test) { return std::string(test.param.name); });

class MetalRefusalTest : public MetalTest {
 protected:
  Status BuildOf(const std::string& text) {
    const Work work = WorkOf(kSpin, "twice");
    KernelSource source = *EmitKernel(*work.module, device_->info().options);
    source.text = text;
    return device_->Build(*work.module, source).status();
  }
};

TEST_F(MetalRefusalTest, ASliceThatDoesNotEndIsGivenUp) {
  traits_.command_time = milliseconds(700);
  standin::Set(traits_);
  Open({.options = {.slice = milliseconds(5)}, .patience = milliseconds(100)});
  auto dispatch = SeatOf(WorkOf(kSpin, "twice"));
  const auto report = device_->Launch(*dispatch, {});
  EXPECT_EQ(report.status().reason(), Reason::kDeviceLost);
  EXPECT_NE(report.status().message().find("[100] ms"), std::string::npos);
  // What the GPU still works on outlives its owners.
  dispatch.reset();
  device_.reset();
  while (standin::Counted().in_flight != 0) std::this_thread::yield();
}

TEST_F(MetalRefusalTest, ATextThatMetalDoesNotCompileIsSaidSo) {
  const Status status = BuildOf("#include <metal_stdlib>\nkernel void wb_main( { nonsense }\n");
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("kernel.metal:2"), std::string::npos) << status.ToString();
}

TEST_F(MetalRefusalTest, ATextTooLongIsNotTried) {
  Open({.options = {.max_text_bytes = 1000}});
  const uint64_t before = standin::Counted().compiled;
  const Status status = BuildOf(std::string(1001, '\n'));
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("[1001]"), std::string::npos) << status.ToString();
  EXPECT_EQ(standin::Counted().compiled, before);
}

TEST_F(MetalRefusalTest, ACompilerThatHangsIsNotAwaited) {
  const Work work = WorkOf(kSpin, "twice");
  const KernelSource source = *EmitKernel(*work.module, device_->info().options);
  const Bytes binary = *device_->Build(*work.module, source);
  for (const bool in_library : {true, false}) {
    traits_ = {};
    (in_library ? traits_.library_time : traits_.pipeline_time) = milliseconds(400);
    standin::Set(traits_);
    Open({.compile = {.max_time = milliseconds(50)}});
    const Status build = device_->Build(*work.module, source).status();
    EXPECT_EQ(build.reason(), Reason::kCompileTimeout) << build.ToString();
    EXPECT_NE(build.message().find("[50] ms"), std::string::npos);
    if (in_library) {
      EXPECT_FALSE(device_->Load(work.module, binary).ok());
      continue;
    }
    // A pipeline from an archive needs no compiler, so a machine that is slow has time for it.
    Open({});
    const uint64_t hits = standin::Counted().archive_hits;
    EXPECT_TRUE(device_->Load(work.module, binary).ok());
    EXPECT_EQ(standin::Counted().archive_hits, hits + 1);
  }
  std::this_thread::sleep_for(milliseconds(500));  // until the threads left behind have ended
}

}  // namespace
}  // namespace wb::test
