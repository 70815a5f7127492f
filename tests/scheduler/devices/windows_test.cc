// Lanes that hold a part of memory 0: what they hold is as in lanes that hold all, and whatever
// comes to the rest is told apart from a trap.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "scheduler/devices/cpu/cpu_device.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr MemoryWindow kWindow = {65536, 8192};
constexpr uint32_t kBytes = 4 * abi::PAGE_BYTES;

// Data lies across both borders of the window, and a second memory behind it. "touch" comes to `a`
// in the way of that number, and gives what it finds there.
constexpr std::string_view kTouchingGuest = R"((module
  (memory 4 6) (memory $more 1 2) (global $g (mut i32) (i32.const 7))
  (data (i32.const 65530) "across the first border of what lanes hold")
  (data (i32.const 73720) "and across the last one")
  (data (i32.const 9) "before") (data (i32.const 200000) "behind")
  (data (memory $more) (i32.const 3) "in another memory")
  (data $late "held back until it is asked for")
  (func (export "touch") (param $way i32) (param $a i32) (result i64)
    block block block block block block block block block block
      local.get $way br_table 0 1 2 3 4 5 6 7 8 9
    end local.get $a i64.load8_s return
    end local.get $a i64.load16_u offset=2 return
    end local.get $a i64.load32_u return
    end local.get $a i64.load offset=8 return
    end local.get $a i64.const -2 i64.store local.get $a i64.load return
    end local.get $a i32.const 0xe7 i32.store8 offset=5 local.get $a i64.load8_u offset=5 return
    end local.get $a i32.const 65 i32.const 100 memory.fill local.get $a i64.load return
    end local.get $a i32.const 70000 i32.const 60 memory.copy local.get $a i64.load offset=50 return
    end i32.const 70000 local.get $a i32.const 60 memory.copy i32.const 70000 i64.load return
    end
    local.get $a i32.const 4 i32.const 11 memory.init $late
    (memory.copy $more 0 (i32.const 40) (local.get $a) (i32.const 8))
    (i64.load $more (i32.const 40)))
  (func (export "sum") (param $n i32) (result i32) (local $i i32) (local $s i32)
    (local.set $i (i32.const 65552))
    loop $l
      (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
                             (i32.load8_u (local.get $i))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                          (local.get $n)))
    end
    local.get $s)
  (func (export "constant") (result i32) (i32.load (i32.const 70000)))
  (func (export "grow") (param $delta i32) (result i32) local.get $delta memory.grow)))";
constexpr uint32_t kWaysToTouch = 10;

Device& ContiguousCpu() {
  static const auto device = [] {
    CpuSettings settings;
    settings.threads = 2;
    settings.windows = Windows::kAnywhere;
    return CreateCpuDevice(settings).value();
  }();
  return *device;
}

class WindowsTest : public testing::TestWithParam<MemoryLayout> {
 protected:
  Device& device() {
    if (GetParam() == MemoryLayout::kContiguous) return ContiguousCpu();
    return *Engines()[GetParam() == MemoryLayout::kInterleaved ? 1 : 3].device;
  }
  PipelineRef Pipeline(const std::shared_ptr<const LoweredModule>& module) {
    static std::map<std::pair<Device*, const LoweredModule*>, PipelineRef> known;
    PipelineRef& pipeline = known[{&device(), module.get()}];
    if (pipeline == nullptr) pipeline = BuildOn(device(), module);
    return pipeline;
  }
  std::unique_ptr<Dispatch> SeatIn(const MemoryWindow& window, const Work& work) {
    DispatchShape shape = work.Shape();
    shape.window = window;
    auto dispatch = device().Allocate(Pipeline(work.module), shape);
    EXPECT_TRUE(dispatch.ok()) << dispatch.status().ToString();
    const uint32_t seats = shape.Seats();
    for (size_t c = 0; c < work.columns.size(); ++c) {
      std::copy(work.columns[c].begin(), work.columns[c].end(),
                dispatch.value()->columns().begin() + static_cast<ptrdiff_t>(c * seats));
    }
    for (uint32_t seat = 0; seat < seats; ++seat) {
      MarkStart(dispatch.value()->records().subspan(size_t{seat} * shape.RecordWords()));
    }
    return std::move(dispatch).value();
  }
  std::vector<uint32_t> RecordsIn(const MemoryWindow& window, const Work& work,
                                  const Slicing& slicing = {}) {
    const auto dispatch = SeatIn(window, work);
    RunToEnd(device(), *dispatch, slicing);
    return {dispatch->records().begin(), dispatch->records().end()};
  }
};

std::vector<uint32_t> Addresses() {
  std::vector<uint32_t> addresses = {0,      9,          100000,     200000,     kBytes - 8,
                                     kBytes, kBytes + 1, 0x7fffffff, 0xfffffff0, 0xffffffff};
  for (const uint32_t border : {kWindow.from, static_cast<uint32_t>(kWindow.end())}) {
    for (uint32_t by = 0; by < 72; ++by) addresses.push_back(border - 40 + by);
  }
  for (const uint32_t by : {100u, 2047u, 4089u, 5000u}) addresses.push_back(kWindow.from + by);
  return addresses;
}

Work Touches() {
  Work work = WorkOf(LowerText(kTouchingGuest));
  work.columns.assign(2, {});
  for (uint32_t way = 0; way < kWaysToTouch; ++way) {
    for (const uint32_t address : Addresses()) {
      work.columns[0].push_back(way);
      work.columns[1].push_back(address);
    }
  }
  work.lanes = static_cast<uint32_t>(work.columns[0].size());
  work.steps = {Call("touch", {ColumnArg(0), ColumnArg(1)}),
                Call("sum", {Arg(static_cast<uint32_t>(kWindow.end()))})};
  return work;
}

// Each way comes to fewer than so many bytes from its address on.
constexpr uint32_t kMostBytes = 100;

TEST_P(WindowsTest, WhatLanesHoldIsAsInLanesThatHoldAll) {
  const Work work = Touches();
  const auto whole = RecordsIn({}, work), part = RecordsIn(kWindow, work, {30, 1});
  uint32_t missed = 0;
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record all = RecordOf(whole, work.Shape(), lane),
                 its = RecordOf(part, work.Shape(), lane);
    SCOPED_TRACE("way " + std::to_string(work.columns[0][lane]) + " at " +
                 std::to_string(work.columns[1][lane]));
    const uint64_t from = work.columns[1][lane];
    if (from >= kWindow.low() && from + kMostBytes <= kWindow.end()) {
      EXPECT_EQ(its.seat, abi::SEAT_DONE);
    }
    if (all.end == static_cast<uint32_t>(End::kTrapped)) {
      EXPECT_EQ(its.seat, abi::SEAT_DONE);
    }
    if (its.seat == abi::SEAT_DONE) {
      EXPECT_EQ(its.end, all.end);
      EXPECT_EQ(its.trap, all.trap);
      EXPECT_EQ(its.fuel, all.fuel);
      EXPECT_EQ(its.registers, all.registers);
      continue;
    }
    ++missed;
    ASSERT_EQ(its.seat, abi::SEAT_NEEDS_MEMORY);
    const uint32_t* record = &part[size_t{lane} * work.Shape().RecordWords()];
    EXPECT_EQ(record[abi::RECORD_WANTED_PAGES], 0u);
    const uint64_t block = uint64_t{its.offset} << abi::MISSED_SHIFT;
    EXPECT_GE(block + 1, from >> abi::MISSED_SHIFT << abi::MISSED_SHIFT);
    EXPECT_LE(block, from + kMostBytes + 2 * (1u << abi::MISSED_SHIFT));
    EXPECT_TRUE(from < kWindow.low() || from + kMostBytes > kWindow.end());
  }
  EXPECT_GT(missed, kWaysToTouch * 20);
  EXPECT_LT(missed, work.lanes - kWaysToTouch * 40);
}

TEST_P(WindowsTest, StepsMissToo) {
  Work work = WorkOf(LowerText(kTouchingGuest), 6);
  work.columns = {{70000, 0, 65552, 73728 - 4, 73728 - 3, kBytes}};
  work.output_bytes = 64;
  work.steps = {StoreStep{ColumnArg(0), Arg(0x01020304)}, ReadStep{ColumnArg(0), Arg(4), "out"}};
  const auto records = RecordsIn(kWindow, work);
  const std::vector<uint32_t> states = {abi::SEAT_DONE, abi::SEAT_NEEDS_MEMORY, abi::SEAT_DONE,
                                        abi::SEAT_DONE, abi::SEAT_NEEDS_MEMORY, abi::SEAT_DONE};
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    EXPECT_EQ(RecordOf(records, work.Shape(), lane).seat, states[lane]) << lane;
  }
  EXPECT_EQ(RecordOf(records, work.Shape(), 0).registers[2], 0x01020304u);
  EXPECT_EQ(RecordOf(records, work.Shape(), 5).end, static_cast<uint32_t>(End::kTrapped));
}

// Memory that has grown is as far away as the rest.
TEST_P(WindowsTest, MemoryGrowsBehindTheWindow) {
  Work work = WorkOf(LowerText(kTouchingGuest), 3);
  work.columns = {{70000, kBytes + 8, kBytes + 65532}};
  work.steps = {Call("grow", {Arg(1)}), Call("touch", {Arg(4), ColumnArg(0)})};
  const auto records = RecordsIn(kWindow, work);
  EXPECT_EQ(RecordOf(records, work.Shape(), 0).seat, abi::SEAT_DONE);
  EXPECT_EQ(RecordOf(records, work.Shape(), 0).pages, 5u);
  EXPECT_EQ(RecordOf(records, work.Shape(), 1).seat, abi::SEAT_NEEDS_MEMORY);
  EXPECT_EQ(RecordOf(records, work.Shape(), 2).end, static_cast<uint32_t>(End::kTrapped));
}

TEST_P(WindowsTest, TheNextInALaneFindsNothingOfTheOneBefore) {
  Work work = WorkOf(LowerText(kTouchingGuest));
  const uint32_t seats = 300;
  work.lanes = 3;
  work.seats = seats;
  work.columns.assign(2, {});
  std::mt19937 random(3);
  for (uint32_t i = 0; i < seats; ++i) {
    work.columns[0].push_back(random() % kWaysToTouch);
    work.columns[1].push_back(random() % 5 == 0 ? random() % kBytes
                                                : kWindow.from + random() % kWindow.bytes);
  }
  work.steps = {Call("sum", {Arg(static_cast<uint32_t>(kWindow.end()))}),
                Call("touch", {ColumnArg(0), ColumnArg(1)})};
  const auto dispatch = SeatIn(kWindow, work);
  RunToEnd(device(), *dispatch, {500, 3, 200});
  const std::vector<uint32_t> records(dispatch->records().begin(), dispatch->records().end());
  std::set<uint32_t> sums;
  for (uint32_t seat = 0; seat < seats; ++seat) {
    sums.insert(RecordOf(records, work.Shape(), seat).registers[0]);
  }
  EXPECT_EQ(sums.size(), 1u);
}

TEST_P(WindowsTest, LanesThatHoldAPartDoNotMove) {
  Work work = WorkOf(LowerText(kTouchingGuest), 2);
  work.steps = {Call("sum", {Arg(kBytes)})};
  const auto dispatch = SeatIn({65536, 196608}, work);
  ASSERT_TRUE(device().Launch(*dispatch, {.slice_fuel = 1000}).ok());
  ASSERT_EQ(SeatState(*dispatch, 0), abi::SEAT_RUNNING);
  const std::vector<uint32_t> seats = {0, 1};
  const auto images = device().ExportLanes(*dispatch, seats);
  ASSERT_TRUE(images.ok());
  EXPECT_FALSE((*images)[0].has_value());
  RunToEnd(device(), *dispatch);
  EXPECT_EQ(SeatState(*dispatch, 0), abi::SEAT_DONE);
}

TEST_P(WindowsTest, ShapesAreChecked) {
  Work work = WorkOf(LowerText(kTouchingGuest), 1);
  work.steps = {Call("constant")};
  for (const MemoryWindow bad :
       {MemoryWindow{4096, 0}, MemoryWindow{100, 4096}, MemoryWindow{4096, 100},
        MemoryWindow{0xfffff000, 8192}, MemoryWindow{kBytes, 4096}, MemoryWindow{0, 4096}}) {
    DispatchShape shape = work.Shape();
    shape.window = bad;
    EXPECT_EQ(device().Allocate(Pipeline(work.module), shape).status().reason(),
              Reason::kInvalidArgument);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, WindowsTest,
                         testing::Values(MemoryLayout::kContiguous, MemoryLayout::kInterleaved,
                                         MemoryLayout::kTiled),
                         [](const auto& test) { return std::string(LayoutName(test.param)); });

}  // namespace
}  // namespace wb::test
