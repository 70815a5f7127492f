#include "tests/scheduler/devices/lane_moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace wb::test {

std::vector<LanePlace> ExportAll(Device& device, Dispatch& dispatch) {
  std::vector<uint32_t> seats(dispatch.shape().Seats());
  std::iota(seats.begin(), seats.end(), 0u);
  auto images = device.ExportLanes(dispatch, seats);
  EXPECT_TRUE(images.ok()) << images.status().ToString();
  std::vector<LanePlace> places;
  if (!images.ok()) return places;
  for (const uint32_t seat : seats) {
    std::optional<LaneImage>& image = (*images)[seat];
    if (image) places.push_back({seat, std::make_shared<LaneImage>(*std::move(image))});
  }
  return places;
}

std::vector<LanePlace> LeftAfter(const Work& work, uint64_t slice_fuel) {
  const auto dispatch = Seat(Cpu(), LoadOn(Cpu(), work.module), work);
  LaunchLimits limits;
  limits.slice_fuel = slice_fuel;
  EXPECT_TRUE(Cpu().Launch(*dispatch, limits).ok());
  std::vector<LanePlace> places = ExportAll(Cpu(), *dispatch);
  EXPECT_EQ(places.size(), work.lanes);
  return places;
}

std::unique_ptr<Dispatch> SeatOnward(Device& device, const PipelineRef& pipeline, const Work& work,
                                     Dispatch& from, const std::vector<LanePlace>& places) {
  auto dispatch = Seat(device, pipeline, work);
  const size_t words = work.Shape().RecordWords();
  for (uint32_t seat = 0; seat < from.shape().Seats(); ++seat) {
    if (SeatState(from, seat) != abi::SEAT_DONE) continue;
    const auto record = from.records().subspan(seat * words, words);
    std::copy(record.begin(), record.end(), dispatch->records().subspan(seat * words).begin());
  }
  const auto put = device.ImportLanes(*dispatch, places);
  EXPECT_TRUE(put.ok()) << put.status().ToString();
  if (!put.ok()) return dispatch;
  for (const Status& status : *put) EXPECT_TRUE(status.ok()) << status.ToString();
  return dispatch;
}

}  // namespace wb::test
