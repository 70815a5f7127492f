#pragma once

// A metal device over the stand-in for Metal.

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "scheduler/devices/metal/metal_device.h"
#include "tests/scheduler/devices/rig.h"
#include "tests/standin/metal/standin.h"

namespace wb::test {

class MetalTest : public testing::Test {
 protected:
  MetalTest() {
    standin::Reset();
    traits_ = standin::Now();
    Open({});
  }
  ~MetalTest() override { standin::Reset(); }

  void Open(const MetalSettings& settings) {
    device_.reset();
    auto device = CreateMetalDevice(settings);
    ASSERT_TRUE(device.ok()) << device.status().ToString();
    device_ = std::move(device).value();
  }

  std::unique_ptr<Dispatch> SeatOf(const Work& work) {
    return Seat(*device_, BuildOn(*device_, work.module), work);
  }
  Bytes BuildBytes(const Work& work) {
    return *device_->Build(*work.module, *EmitKernel(*work.module, device_->info().options));
  }

  static constexpr std::string_view binary_of_nothing_ = "WBMETAL1 and then nothing that fits";
  standin::Traits traits_;
  std::unique_ptr<Device> device_;
};

}  // namespace wb::test
