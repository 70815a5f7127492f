// Lanes out of the metal device's dispatches and into them where their state lies in several
// buffers. From and to the other devices: moving_test.cc.

#include <gtest/gtest.h>

#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/metal_rig.h"

namespace wb::test {
namespace {

class MetalMovingTest : public MetalTest {
 protected:
  // A group of 32 lanes has a little over 2 MiB: 64 lanes a buffer.
  MetalMovingTest() { Open({.max_buffer_bytes = 6 << 20}); }

  static Work StateWork(uint32_t lanes, uint32_t seats) {
    Work work = WorkOf(kStateCases[0].wat, "run", 150);
    work.capacity_pages = work.max_pages = 1;
    work.output_bytes = kStateCases[0].output_bytes;
    work.steps.push_back(Read(0, work.output_bytes));
    work.lanes = lanes;
    work.seats = seats;
    return work;
  }

  // After a launch of so much fuel, in a dispatch of their own.
  std::unique_ptr<Dispatch> Onward(Dispatch& from, const PipelineRef& pipeline, const Work& to,
                                   uint64_t fuel) {
    LaunchLimits limits;
    limits.slice_fuel = fuel;
    EXPECT_TRUE(device_->Launch(from, limits).ok());
    const std::vector<LanePlace> places = ExportAll(*device_, from);
    moved_ += places.size();
    return SeatOnward(*device_, pipeline, to, from, places);
  }

  size_t moved_ = 0;
};

TEST_F(MetalMovingTest, OutOfSeveralBuffersAndIntoSeveral) {
  const size_t words = StateWork(150, 0).Shape().RecordWords();
  const auto wanted = OfInstances(Records(Cpu(), StateWork(150, 0)), words);
  const PipelineRef pipeline = BuildOn(*device_, StateWork(150, 0).module);
  for (const uint32_t lanes : {150u, 100u}) {
    const Work work = StateWork(lanes, lanes == 150 ? 0 : 150);
    auto dispatch = Seat(*device_, pipeline, work);
    for (const uint64_t fuel : {3, 10, 25}) {
      dispatch = Onward(*dispatch, pipeline, work, fuel);
      ASSERT_FALSE(HasFailure()) << lanes << " " << fuel;
    }
    RunToEnd(*device_, *dispatch, {7, 1});
    EXPECT_EQ(OfInstances(dispatch->records(), words), wanted) << lanes;
  }
  EXPECT_GE(moved_, 600u);
}

}  // namespace
}  // namespace wb::test
