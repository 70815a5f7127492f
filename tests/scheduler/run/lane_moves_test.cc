// Which lanes leave with their state, how many at once, and what becomes of those that arrive.

#include "scheduler/run/seats/lane_moves.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/forwarding_device.h"
#include "tests/fakes/plain_dispatch.h"

namespace wb::test {
namespace {

// Moves lanes, and does nothing else. An image is the record.
class MovesAlone final : public ForwardingDevice {
 public:
  MovesAlone() : ForwardingDevice(nullptr) {}
  const DeviceInfo& info() const override { return info_; }
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override {
    at_once.push_back(seats.size());
    std::vector<std::optional<LaneImage>> images;
    for (const uint32_t seat : seats) {
      const std::span<const uint32_t> record = RecordAt(dispatch, seat);
      images.push_back(LaneImage{{}, {record.begin(), record.end()}, {}});
    }
    return images;
  }
  Result<std::vector<Status>> ImportLanes(Dispatch&, std::span<const LanePlace> lanes) override {
    if (!of_imports.ok()) return of_imports;
    at_once.push_back(lanes.size());
    std::vector<Status> put(lanes.size());
    put[0] = of_first;
    return put;
  }

  Status of_imports;            // all together
  Status of_first;              // of each call
  std::vector<size_t> at_once;  // lanes of each call

 private:
  const DeviceInfo info_{.id = "mover0", .moves_lanes = true};
};

constexpr uint32_t kMidway = 5;

// Instances 10 .. 14 in as many seats, left midway.
class LaneMovesTest : public testing::Test {
 protected:
  LaneMovesTest() : contents_(std::make_unique<PlainDispatch>(Shape())) {
    layout_.memory_at = 1024;
    for (uint32_t seat = 0; seat < kMidway; ++seat) {
      contents_.instances.Put(seat, InstanceRef{10 + seat});
      contents_.RecordOf(seat)[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
      contents_.RecordOf(seat)[abi::RECORD_FUEL_LO] = 1'000'000 + seat;
      contents_.RecordOf(seat)[abi::RECORD_PAGES] = 1;
    }
  }
  static DispatchShape Shape() {
    DispatchShape shape;
    shape.lanes = kMidway;
    shape.capacity_pages = shape.max_pages = 1024;
    return shape;
  }
  MovingTerms Terms(double fuel_per_s) {
    return {layout_, false, fuel_per_s, rule_, budget_, clock_};
  }
  static std::shared_ptr<MovedLane> Lane(bool fast32) {
    auto lane = std::make_shared<MovedLane>();
    lane->fast32 = fast32;
    lane->fuel = 50;
    return lane;
  }
  void Arrive(uint32_t seat, std::shared_ptr<const MovedLane> lane) {
    contents_.instances.Edit(seat).moved = std::move(lane);
    contents_.instances.Edit(seat).brought = 50;
    moves_.Arrive(seat);
  }

  LaneLayout layout_;
  SeatContents contents_;
  MigrationRule rule_;
  ImageBudget budget_{uint64_t{1} << 30};
  FakeClock clock_;
  MovesAlone device_;
  LaneMoves moves_;
  const std::vector<uint32_t> all_{0, 1, 2, 3, 4};
};

TEST_F(LaneMovesTest, OneCallMovesABoundedNumberOfBytesAndOneImageAtLeast) {
  EXPECT_EQ(FirstImages(layout_, contents_, all_).size(), kMidway);
  for (const uint32_t seat : all_) contents_.RecordOf(seat)[abi::RECORD_PAGES] = 200;  // 12.5 MiB
  EXPECT_EQ(FirstImages(layout_, contents_, all_).size(), 3u);
  for (const uint32_t seat : all_) contents_.RecordOf(seat)[abi::RECORD_PAGES] = 1000;
  EXPECT_EQ(FirstImages(layout_, contents_, all_).size(), 1u);
  ASSERT_TRUE(LaneMoves::Export(device_, Terms(1), all_, contents_).ok());
  EXPECT_EQ(device_.at_once, (std::vector<size_t>{1, 1, 1, 1, 1}));
}

TEST_F(LaneMovesTest, WhoLeavesTakesStateAndOutputAlongWhereThatPays) {
  contents_.RecordOf(1)[abi::RECORD_SEAT] = abi::SEAT_DONE;
  contents_.instances.Edit(2).brought = 1'000'000;
  DrainedOutput written(false);
  ASSERT_TRUE(written.Join(AsBytes("out"), 10));
  contents_.drained.Put(3, written);
  const auto fuel = LaneMoves::Export(device_, Terms(1), all_, contents_);
  ASSERT_TRUE(fuel.ok());
  EXPECT_EQ(*fuel, 3'000'000u + 0 + 2 + 3 + 4) << "what others have run is not of this dispatch";
  EXPECT_FALSE(contents_.instances.At(1).moved);
  ASSERT_TRUE(contents_.instances.At(3).moved);
  EXPECT_EQ(contents_.instances.At(3).moved->fuel, 1'000'003u);
  EXPECT_EQ(AsText(contents_.instances.At(3).moved->drained->bytes()), "out");
  EXPECT_EQ(contents_.drained.bytes(3), 0u);
}

TEST_F(LaneMovesTest, NobodyDoesWhereStartingAgainIsQuickerOrThereIsNoRoom) {
  EXPECT_EQ(LaneMoves::Export(device_, Terms(1e18), all_, contents_).value(), 0u);
  EXPECT_TRUE(device_.at_once.empty());
  ImageBudget none(0);
  const MovingTerms terms{layout_, false, 1, rule_, none, clock_};
  EXPECT_EQ(LaneMoves::Export(device_, terms, all_, contents_).value(), 0u);
  for (const uint32_t seat : all_) EXPECT_FALSE(contents_.instances.At(seat).moved);
}

TEST_F(LaneMovesTest, WhoWaitsForMemoryIsLeftMidwayAndAsksNobody) {
  for (const uint32_t seat : {1u, 2u, 3u}) {
    contents_.RecordOf(seat)[abi::RECORD_SEAT] = abi::SEAT_NEEDS_MEMORY;
  }
  contents_.RecordOf(1)[abi::RECORD_WANTED_PAGES] = 2000;
  contents_.RecordOf(2)[abi::RECORD_WANTED_PAGES] = abi::ASKS_HOST;
  EXPECT_EQ(LaneMoves::WaitingForMemory(contents_), (std::vector<uint32_t>{1}));
}

TEST_F(LaneMovesTest, WhoArrivesGoesOnWhereItsStateFits) {
  device_.of_first = {Reason::kInvalidArgument, "It is too large."};
  for (const uint32_t seat : {1u, 2u, 3u}) Arrive(seat, Lane(seat == 2));
  const auto seated = moves_.Import(device_, ArrivalTerms(), contents_);
  ASSERT_TRUE(seated.ok());
  EXPECT_EQ(device_.at_once, (std::vector<size_t>{2})) << "seat 2 has a state of another kind";
  EXPECT_EQ(seated->running, 1u);
  EXPECT_EQ(seated->fuel, 50u);
  EXPECT_EQ(contents_.instances.At(1).brought, 0u);
  EXPECT_EQ(contents_.instances.At(2).brought, 0u);
  EXPECT_EQ(contents_.instances.At(3).brought, 50u);
  for (const uint32_t seat : {1u, 2u, 3u}) EXPECT_FALSE(contents_.instances.At(seat).moved);
  EXPECT_EQ(moves_.Import(device_, ArrivalTerms(), contents_)->running, 0u) << "each arrives once";
}

TEST_F(LaneMovesTest, ALostDeviceIsToldOfAndNoOtherError) {
  Arrive(0, Lane(false));
  device_.of_imports = {Reason::kMachineFault, "There is no memory."};
  EXPECT_TRUE(moves_.Import(device_, ArrivalTerms(), contents_).ok()) << "it starts again";
  Arrive(0, Lane(false));
  device_.of_imports = {Reason::kDeviceLost, "It died."};
  EXPECT_EQ(moves_.Import(device_, ArrivalTerms(), contents_).status().reason(),
            Reason::kDeviceLost);
}

}  // namespace
}  // namespace wb::test
