// What is put into a dispatch: refused where it does not fit, and alone in its lane where it does.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"
#include "tests/scheduler/run/growing_guests.h"

namespace wb::test {
namespace {

class MovingGrows : public testing::Test {
 protected:
  MovingGrows() {
    work_.module = LowerText(kGrowsFromNothing);
    work_.steps = {Call("run", {ColumnArg(0)})};
    work_.columns.resize(1);
    for (uint32_t lane = 0; lane < work_.lanes; ++lane) work_.columns[0].push_back(lane + 1);
  }
  void StartAll(Dispatch& dispatch) {
    const size_t words = dispatch.shape().RecordWords();
    for (size_t at = 0; at < dispatch.records().size(); at += words) {
      const std::span<uint32_t> record = dispatch.records().subspan(at, words);
      std::fill(record.begin() + abi::RECORD_END, record.end(), 0);
      MarkStart(record);
    }
  }
  Gpu gpu_;
  Work work_;
};

// A driver's error is the device's end, whichever way a lane goes.
TEST_F(MovingGrows, AGpuThatFails) {
  Device& gpu = *gpu_.device();
  const std::vector<LanePlace> places = LeftAfter(work_, 100);
  const auto dispatch = Seat(gpu, BuildOn(gpu, work_.module), work_);
  gpu_.fake().Fail("copy_to_device", 700);
  EXPECT_EQ(gpu.ImportLanes(*dispatch, places).status().reason(), Reason::kDeviceLost);
  gpu_.fake().Fail("copy_to_host", 700);
  const std::vector<uint32_t> seats = {0, 1};
  EXPECT_EQ(gpu.ExportLanes(*dispatch, seats).status().reason(), Reason::kDeviceLost);
  gpu_.fake().Fail("", 0);
}

// Neither an imported instance nor a later one finds anything of those that were there before.
TEST_F(MovingGrows, IntoLanesWhereOthersWere) {
  const size_t words = work_.Shape().RecordWords();
  const auto wanted = OfInstances(Records(Cpu(), work_), words);
  for (const NamedDevice& engine : MovingEngines(gpu_)) {
    for (const uint64_t fuel : {uint64_t{1}, uint64_t{100}, uint64_t{250}}) {
      const std::vector<LanePlace> places = LeftAfter(work_, fuel);
      const auto dispatch = Seat(*engine.device, PipelineOn(engine, work_), work_);
      for (const bool moved : {false, true, true, false, true, false, false}) {
        StartAll(*dispatch);
        if (moved) {
          const auto put = engine.device->ImportLanes(*dispatch, places);
          ASSERT_TRUE(put.ok() && (*put)[0].ok()) << put.status().ToString();
        }
        RunToEnd(*engine.device, *dispatch);
        const std::vector<uint32_t> got(dispatch->records().begin(), dispatch->records().end());
        ASSERT_EQ(OfInstances(got, words), wanted) << engine.name << moved << fuel;
      }
    }
  }
}

// What a broken engine might export is refused, and its instance starts again.
TEST_F(MovingGrows, WhatDoesNotFitIsRefused) {
  const auto wanted = Records(Cpu(), work_);
  const std::vector<LanePlace> places = LeftAfter(work_, 200);
  const LaneImage& sound = *places[0].image;
  const auto frame = 1 + work_.module->layout.frames_at;
  const auto header = [](uint32_t word) { return 1 + word; };
  const std::vector<std::function<void(LaneImage&)>> harms = {
      [](LaneImage& image) { image.form.bytes[0] ^= 1; },
      [](LaneImage& image) { image.record.clear(); },
      [](LaneImage& image) { image.record.push_back(0); },
      [](LaneImage& image) { image.state.clear(); },
      [](LaneImage& image) { image.state.pop_back(); },
      [](LaneImage& image) { image.state.push_back(0); },
      [](LaneImage& image) { image.state.resize(10); },
      [](LaneImage& image) { image.state[0] = 1; },
      [](LaneImage& image) { image.state[0] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_PAGES)] = 17; },
      [=](LaneImage& image) { image.state[header(abi::LANE_PAGES)] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_STEP)] = 9; },
      [=](LaneImage& image) { image.state[header(abi::LANE_STEP)] = 0; },
      [=](LaneImage& image) { image.state[header(abi::LANE_RESUME)] = 2; },
      [=](LaneImage& image) { image.state[header(abi::LANE_OUT_BYTES)] = 1; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_FUNCTION)] = 1; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_FUNCTION)] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_BASE)] = 3; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_BASE)] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_ROOM)] -= 1; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_FRESH)] = 1; },
      [=](LaneImage& image) { image.state[frame] = 0; },
      [=](LaneImage& image) { image.state[frame] = 99; },
  };
  for (const NamedDevice& engine : MovingEngines(gpu_)) {
    const auto dispatch = Seat(*engine.device, PipelineOn(engine, work_), work_);
    for (size_t i = 0; i < harms.size(); ++i) {
      auto image = std::make_shared<LaneImage>(sound);
      harms[i](*image);
      const std::vector<LanePlace> harmed = {{0, image}};
      const auto put = engine.device->ImportLanes(*dispatch, harmed);
      ASSERT_TRUE(put.ok());
      EXPECT_EQ((*put)[0].reason(), Reason::kInvalidArgument) << engine.name << i;
    }
    const std::vector<LanePlace> nowhere = {{99, places[0].image}};
    EXPECT_FALSE((*engine.device->ImportLanes(*dispatch, nowhere))[0].ok());
    RunToEnd(*engine.device, *dispatch);
    const std::vector<uint32_t> got(dispatch->records().begin(), dispatch->records().end());
    ASSERT_EQ(got, wanted) << engine.name;
  }
}

TEST_F(MovingGrows, LargerThanTheReserve) {
  const std::vector<LanePlace> places = LeftAfter(work_, 300);
  work_.capacity_pages = 1;
  const auto dispatch = Seat(Cpu(), LoadOn(Cpu(), work_.module), work_);
  const auto put = Cpu().ImportLanes(*dispatch, places);
  ASSERT_TRUE(put.ok());
  EXPECT_EQ((*put)[0].reason(), Reason::kInvalidArgument);
}

}  // namespace
}  // namespace wb::test
