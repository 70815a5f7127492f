#include "scheduler/devices/nvtx_device.h"

#include <gtest/gtest.h>

#include "scheduler/base/dynamic_library.h"

namespace wb::test {
namespace {

// Launches that do nothing, or do not even begin.
class IdleDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule&, const KernelSource&, Effort) override {
    return Bytes{7};
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule>, ByteView) override {
    return PipelineRef();
  }
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef&, const DispatchShape&) override {
    return std::unique_ptr<Dispatch>();
  }
  Status Begin(Dispatch&, const LaunchLimits& limits) override {
    if (limits.quantum == 0) return Status(Reason::kDeviceLost, "It is lost.");
    return {};
  }
  Result<LaunchReport> Await() override { return LaunchReport{5, {}}; }
  void Stop() override { ++stops; }
  Telemetry Sample() override { return {}; }

  int stops = 0;

 private:
  DeviceInfo info_;
};

class NoSeats final : public Dispatch {
 public:
  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override { return {}; }
  std::span<uint32_t> columns() override { return {}; }
  std::span<uint8_t> blob() override { return {}; }

 private:
  DispatchShape shape_;
};

class NvtxDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto inner = std::make_unique<IdleDevice>();
    idle_ = inner.get();
    device_ = WithRanges(std::move(inner), NvtxLibrary::Open(WB_FAKE_NVTX).value());
    (void)Notes();
  }
  static std::string Notes() {
    const auto library = DynamicLibrary::Open("the fake", {WB_FAKE_NVTX}).value();
    return reinterpret_cast<const char* (*)()>(library.Find("fake_nvtx_notes"))();
  }
  Status Begin(const std::string& job) {
    LaunchLimits limits;
    limits.label = job;
    return device_->Begin(seats_, limits);
  }
  // The numbers of ranges go on from test to test.
  static std::string WithoutNumbers(const std::string& notes) {
    std::string text;
    for (const char c : notes) {
      if (c < '0' || c > '9') text += c;
    }
    return text;
  }

  IdleDevice* idle_ = nullptr;
  std::unique_ptr<Device> device_;
  NoSeats seats_;
};

TEST_F(NvtxDeviceTest, BurstsLaunchesAndJobsAreRanges) {
  ASSERT_TRUE(Begin("a").ok());
  ASSERT_TRUE(Begin("a").ok());
  EXPECT_EQ(
      WithoutNumbers(Notes()),
      "start  job a\nstart  burst of a\npush launch\npop\nstart  burst of a\npush launch\npop\n");
  EXPECT_EQ(device_->Await()->seats_left, 5u);
  EXPECT_EQ(WithoutNumbers(Notes()), "end \n");
  ASSERT_TRUE(Begin("b").ok());
  EXPECT_EQ(WithoutNumbers(Notes()), "end \nstart  job b\nstart  burst of b\npush launch\npop\n");
  ASSERT_TRUE(Begin("").ok());
  EXPECT_EQ(WithoutNumbers(Notes()), "end \nstart  burst of several jobs\npush launch\npop\n");
  for (int i = 0; i < 3; ++i) (void)device_->Await();
  EXPECT_EQ(WithoutNumbers(Notes()), "end \nend \nend \n");
}

TEST_F(NvtxDeviceTest, EveryRangeEnds) {
  ASSERT_TRUE(Begin("a").ok());
  LaunchLimits lost;
  lost.label = "a";
  lost.quantum = 0;
  EXPECT_EQ(device_->Begin(seats_, lost).reason(), Reason::kDeviceLost);
  (void)device_->Await();
  device_.reset();
  const std::string notes = Notes();
  const auto count = [&notes](const std::string& word) {
    size_t found = 0;
    for (size_t at = notes.find(word); at != std::string::npos; at = notes.find(word, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("start "), 3u);
  EXPECT_EQ(count("end "), 3u);
  EXPECT_EQ(count("push "), count("pop"));
}

TEST_F(NvtxDeviceTest, AllElseIsTheDevicesOwn) {
  device_->Stop();
  EXPECT_EQ(idle_->stops, 1);
  EXPECT_EQ(&device_->info(), &idle_->info());
  EXPECT_TRUE(Notes().empty());
}

TEST(NvtxLibraryTest, ALibraryThatIsNotThereIsNamed) {
  const Status status = NvtxLibrary::Open("/nowhere/libnvToolsExt.so.1").status();
  EXPECT_EQ(status.reason(), Reason::kConfigInvalid);
  EXPECT_NE(status.message().find("/nowhere/libnvToolsExt.so.1"), std::string::npos);
}

}  // namespace
}  // namespace wb::test
