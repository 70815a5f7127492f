// Lanes that come to a dispatch whose memory is mapped as they grow, and that leave it.

#include <gtest/gtest.h>

#include "tests/scheduler/devices/cuda_mapping_rig.h"
#include "tests/scheduler/devices/lane_moves.h"

namespace wb::test {
namespace {

class CudaMappingMovesTest : public CudaMappingTest {
 protected:
  std::vector<LanePlace> Grown(const Work& work) {
    std::vector<LanePlace> places = LeftAfter(work, 1000);
    for (const LanePlace& place : places) EXPECT_EQ(place.image->record[abi::RECORD_PAGES], 9u);
    return places;
  }
};

TEST_P(CudaMappingMovesTest, WhoComesLargerThanWhatIsMappedGetsIt) {
  const Work work = Mapped(kGrowsAtOnce, 40);
  const std::vector<LanePlace> places = Grown(work);
  const auto dispatch = SeatOf(work);
  const uint64_t before = gpu_.used_bytes();
  const auto put = device_->ImportLanes(*dispatch, places);
  ASSERT_TRUE(put.ok()) << put.status().ToString();
  for (const Status& status : *put) EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(gpu_.used_bytes(), before + 2 * 16 * kMiB);
  // ... and from there on to another one.
  LaunchOnce(*dispatch, 10, true);
  const std::vector<LanePlace> further = ExportAll(*device_, *dispatch);
  ASSERT_EQ(further.size(), work.lanes);
  const auto last = SeatOf(work);
  ASSERT_TRUE(device_->ImportLanes(*last, further).ok());
  RunToEnd(*device_, *last);
  ExpectRecords(*last, work);
}

// It has what its group has, not the addresses for more.
TEST_P(CudaMappingMovesTest, WhoCameGrowsAsWhoWasThere) {
  const Work work = Mapped(kGrowsOften, 40);
  const std::vector<LanePlace> places = LeftAfter(work, 600);
  const auto dispatch = SeatOf(work);
  ASSERT_TRUE(device_->ImportLanes(*dispatch, places).ok());
  while (LaunchOnce(*dispatch, uint64_t{1} << 62, true).seats_left > 0) continue;
  for (uint32_t seat = 0; seat < work.lanes; ++seat) {
    if (SeatState(*dispatch, seat) == abi::SEAT_NEEDS_MEMORY) continue;  // to start again
    ExpectRecord(*dispatch, work, seat);
  }
}

TEST_P(CudaMappingMovesTest, WithoutMemoryForThemTheyStartAgain) {
  Open({.memory_bytes = 32 * kMiB});
  const Work work = Mapped(kGrowsAtOnce, 64);
  const std::vector<LanePlace> places = Grown(work);
  const auto dispatch = SeatOf(work);
  const auto put = device_->ImportLanes(*dispatch, places);
  ASSERT_TRUE(put.ok());
  EXPECT_TRUE((*put)[31].ok());
  EXPECT_EQ((*put)[32].reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(SeatState(*dispatch, 31), abi::SEAT_RUNNING);
  EXPECT_EQ(SeatState(*dispatch, 32), abi::SEAT_START);
}

INSTANTIATE_TEST_SUITE_P(Ways, CudaMappingMovesTest, testing::Bool(), kWay);

}  // namespace
}  // namespace wb::test
