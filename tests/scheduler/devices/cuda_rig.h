#pragma once

// The cuda device over a GPU made of this machine's processor, and small works for it.

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "tests/fakes/fake_gpu.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {

inline constexpr const char* kSpin = R"((module
  (func (export "forever") (param i32) loop $l br $l end)
  (func (export "twice") (param i32) (result i32) local.get 0 i32.const 2 i32.mul)))";

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

  static Work WorkOf(std::string_view wat, const char* function, uint32_t lanes = 33) {
    Work work;
    work.module = LowerText(wat);
    work.steps = {Call(function, {ColumnArg(0)}, true)};
    work.columns.resize(1);
    work.lanes = lanes;
    for (uint32_t lane = 0; lane < lanes; ++lane) work.columns[0].push_back(lane);
    return work;
  }
  std::unique_ptr<Dispatch> SeatOf(const Work& work) {
    return Seat(*device_, BuildOn(*device_, work.module), work);
  }
  uint64_t launches() const { return GetParam() ? gpu_.posts() : gpu_.launches(); }
  static uint32_t SeatState(Dispatch& dispatch, uint32_t lane) {
    return dispatch.records()[size_t{lane} * dispatch.shape().RecordWords()];
  }

  FakeGpu gpu_;
  std::unique_ptr<Device> device_;
};

}  // namespace wb::test
