#pragma once

// The cuda device over a GPU made of this machine's processor.

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/fakes/fake_gpu.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {

// The parameter: whether a kernel stays on the GPU.
class CudaDeviceTest : public testing::TestWithParam<bool> {
 protected:
  CudaDeviceTest() { Open({}); }
  void Open(CudaSettings settings) {
    settings.resident = GetParam();
    device_.reset();
    auto device = CreateCudaDevice(settings, gpu_.Parts());
    ASSERT_TRUE(device.ok()) << device.status().ToString();
    device_ = std::move(device).value();
  }

  std::unique_ptr<Dispatch> SeatOf(const Work& work) {
    return Seat(*device_, BuildOn(*device_, work.module), work);
  }
  uint64_t launches() const { return GetParam() ? gpu_.posts() : gpu_.launches(); }

  FakeGpu gpu_;
  std::unique_ptr<Device> device_;
};

}  // namespace wb::test
