#include "tests/scheduler/devices/lane_moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace wb::test {
namespace {

std::vector<LanePlace> WithImages(const std::vector<Arrival>& arrivals) {
  std::vector<LanePlace> places;
  for (const Arrival& arrival : arrivals) {
    if (arrival.image != nullptr) places.push_back({arrival.seat, arrival.image});
  }
  return places;
}

void ImportInto(Device& device, Dispatch& dispatch, const std::vector<LanePlace>& places) {
  const auto put = device.ImportLanes(dispatch, places);
  EXPECT_TRUE(put.ok()) << device.info().id << ": " << put.status().ToString();
  if (!put.ok()) return;
  for (const Status& status : *put) {
    EXPECT_TRUE(status.ok()) << device.info().id << ": " << status.ToString();
  }
}

}  // namespace

std::span<uint32_t> RecordIn(Dispatch& dispatch, uint32_t seat) {
  const size_t words = dispatch.shape().RecordWords();
  return dispatch.records().subspan(seat * words, words);
}

LaunchLimits SliceOf(uint64_t fuel) {
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  limits.slice_fuel = fuel;
  return limits;
}

std::unique_ptr<Dispatch> SeatArrivals(Device& device, const PipelineRef& pipeline, Work work,
                                       const std::vector<Arrival>& arrivals) {
  for (auto& column : work.columns) column.clear();
  auto dispatch = Seat(device, pipeline, work);
  std::vector<bool> taken(dispatch->shape().Seats());
  for (const Arrival& arrival : arrivals) {
    taken[arrival.seat] = true;
    dispatch->columns()[arrival.seat] = arrival.input;
  }
  for (uint32_t seat = 0; seat < taken.size(); ++seat) {
    if (taken[seat]) continue;
    RecordIn(*dispatch, seat)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    RecordIn(*dispatch, seat)[abi::RECORD_QUEUED] = 0;
  }
  ImportInto(device, *dispatch, WithImages(arrivals));
  return dispatch;
}

std::vector<LanePlace> ExportAll(Device& device, Dispatch& dispatch) {
  std::vector<uint32_t> seats(dispatch.shape().Seats());
  std::iota(seats.begin(), seats.end(), 0u);
  auto images = device.ExportLanes(dispatch, seats);
  EXPECT_TRUE(images.ok()) << images.status().ToString();
  std::vector<LanePlace> places;
  if (!images.ok()) return places;
  for (const uint32_t seat : seats) {
    std::optional<LaneImage>& image = (*images)[seat];
    if (image && IsLeftMidway(RecordIn(dispatch, seat)))
      places.push_back({seat, std::make_shared<LaneImage>(*std::move(image))});
  }
  return places;
}

std::vector<LanePlace> LeftAfter(const Work& work, uint64_t slice_fuel) {
  const auto dispatch = Seat(Cpu(), LoadOn(Cpu(), work.module), work);
  EXPECT_TRUE(Cpu().Launch(*dispatch, SliceOf(slice_fuel)).ok());
  std::vector<LanePlace> places = ExportAll(Cpu(), *dispatch);
  EXPECT_EQ(places.size(), work.lanes);
  return places;
}

std::unique_ptr<Dispatch> SeatOnward(Device& device, const PipelineRef& pipeline, const Work& work,
                                     Dispatch& from, const std::vector<LanePlace>& places) {
  auto dispatch = Seat(device, pipeline, work);
  for (uint32_t seat = 0; seat < from.shape().Seats(); ++seat) {
    if (SeatState(from, seat) != abi::SEAT_DONE) continue;
    const auto record = RecordIn(from, seat);
    std::copy(record.begin(), record.end(), RecordIn(*dispatch, seat).begin());
  }
  ImportInto(device, *dispatch, places);
  return dispatch;
}

}  // namespace wb::test
