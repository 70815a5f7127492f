// Dispatches: memory that is always a fresh instance's own, budgets, where host memory comes from.

#include <gtest/gtest.h>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

// `dirty` writes its argument all over `pages` pages; `sum` adds up what it finds there.
constexpr const char* kDirty = R"((module (memory 1 64)
  (data (i32.const 60) "seed")
  (func (export "dirty") (param $v i32) (param $pages i32) (local $end i32)
    local.get $pages i32.const 1 i32.sub memory.grow drop
    i32.const 0 local.get $v local.get $pages i32.const 16 i32.shl memory.fill)
  (func (export "sum") (param $pages i32) (result i64) (local $i i32) (local $sum i64)
    local.get $pages i32.const 1 i32.sub memory.grow drop
    loop $l
      local.get $sum local.get $i i64.load i64.add local.set $sum
      local.get $i i32.const 8 i32.add local.tee $i
      local.get $pages i32.const 16 i32.shl i32.lt_u br_if $l
    end
    local.get $sum)))";

class DispatchTest : public testing::TestWithParam<size_t> {
 protected:
  Device& device() { return *Engines()[GetParam()].device; }
};

void Reseat(Dispatch& dispatch) {
  for (uint32_t lane = 0; lane < dispatch.shape().lanes; ++lane) {
    MarkStart(dispatch.records().subspan(size_t{lane} * dispatch.shape().RecordWords()));
  }
}

// One program does both by its columns: a zero count of pages to dirty means a clean reader.
TEST_P(DispatchTest, AnInstanceNeverSeesAnEarlierOnesMemory) {
  for (uint32_t pages : {1u, 3u, 40u}) {
    Work work;
    work.module = LowerText(kDirty);
    work.max_pages = work.capacity_pages = 64;
    work.lanes = 5;
    work.steps = {Call("sum", {ColumnArg(0)}), Call("dirty", {Arg(0xa5), ColumnArg(0)})};
    work.columns = {std::vector<uint32_t>(work.lanes, pages)};
    const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
    RunToEnd(device(), *dispatch);
    const size_t words = dispatch->shape().RecordWords();
    const std::vector<uint32_t> first = OfInstances(dispatch->records(), words);
    EXPECT_EQ(RecordOf(first, work.Shape(), 2).registers[1], 0x64656573u) << "\"seed\" alone";
    for (int round = 0; round < 2; ++round) {
      Reseat(*dispatch);
      RunToEnd(device(), *dispatch, {10000, 500});
      EXPECT_EQ(OfInstances(dispatch->records(), words), first);
    }
  }
}

// Whose seat is emptied midway leaves nothing in its lane: not for another tenant's instance
// either.
TEST_P(DispatchTest, AnInstanceNeverSeesOneThatWasTakenOutMidway) {
  Work work;
  work.module = LowerText(kDirty);
  work.max_pages = work.capacity_pages = 64;
  work.lanes = 5;
  work.steps = {Call("sum", {ColumnArg(0)}), Call("dirty", {Arg(0xa5), ColumnArg(0)})};
  work.columns = {std::vector<uint32_t>(work.lanes, 3)};
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  RunToEnd(device(), *dispatch);
  const size_t words = dispatch->shape().RecordWords();
  const std::vector<uint32_t> first = OfInstances(dispatch->records(), words);
  LaunchLimits slice;
  slice.slice_fuel = 10'000;
  uint32_t left = 1;
  for (int slices = 1; left > 0; ++slices) {
    ASSERT_LT(slices, 200);
    Reseat(*dispatch);
    for (int i = 0; i < slices && left > 0; ++i) {
      left = device().Launch(*dispatch, slice)->seats_left;
    }
    for (uint32_t lane = 0; lane < work.lanes; ++lane) {
      dispatch->records()[lane * words] = abi::SEAT_EMPTY;
    }
    EXPECT_EQ(device().Launch(*dispatch, slice)->seats_left, 0u);
    Reseat(*dispatch);
    RunToEnd(device(), *dispatch);
    EXPECT_EQ(OfInstances(dispatch->records(), words), first);
  }
}

TEST_P(DispatchTest, MemoryBeyondTheReserveIsAskedFor) {
  Work work;
  work.module = LowerText(kDirty);
  work.max_pages = 8;
  work.capacity_pages = 2;
  work.steps = {Call("sum", {Arg(4)})};
  const auto dispatch = Seat(device(), LoadOn(device(), work.module), work);
  RunToEnd(device(), *dispatch);
  EXPECT_EQ(dispatch->records()[0], abi::SEAT_NEEDS_MEMORY);
  // The same seats go on in a dispatch with more.
  work.capacity_pages = 8;
  EXPECT_EQ(RecordOf(Records(device(), work), work.Shape(), 0).seat, abi::SEAT_DONE);
}

TEST_P(DispatchTest, TwoDispatchesTakeTurns) {
  Work one, two;
  one.module = LowerText(kDirty);
  one.steps = {Call("dirty", {ColumnArg(0), Arg(2)}), Call("sum", {Arg(2)})};
  one.columns.resize(1);
  for (uint32_t lane = 0; lane < one.lanes; ++lane) one.columns[0].push_back(lane);
  two = one;
  two.lanes = 7;
  two.steps.pop_back();
  two.columns[0].resize(7, 3);
  const auto wanted_one = Records(device(), one);
  const auto wanted_two = Records(device(), two);
  const PipelineRef pipeline = LoadOn(device(), one.module);
  const auto first = Seat(device(), pipeline, one);
  const auto second = Seat(device(), pipeline, two);
  LaunchLimits limits;
  limits.slice_fuel = 999;
  uint32_t left = 1;
  for (int i = 0; i < 100000 && left != 0; ++i) {
    left = device().Launch(*first, limits)->seats_left;
    left += device().Launch(*second, limits)->seats_left;
  }
  ASSERT_EQ(left, 0u);
  EXPECT_TRUE(std::equal(wanted_one.begin(), wanted_one.end(), first->records().begin()));
  EXPECT_TRUE(std::equal(wanted_two.begin(), wanted_two.end(), second->records().begin()));
}

TEST_P(DispatchTest, ShapesThatCannotBeAreRefused) {
  Work work;
  work.module = LowerText(kDirty);
  work.steps = {Call("sum", {Arg(1)})};
  const PipelineRef pipeline = LoadOn(device(), work.module);
  DispatchShape shape = work.Shape();
  shape.lanes = 1u << 31;
  shape.capacity_pages = shape.max_pages = 65536;
  EXPECT_EQ(device().Allocate(pipeline, shape).status().reason(), Reason::kNoDeviceFits);
  shape = work.Shape();
  shape.lanes = 5;
  shape.seats = 4;  // fewer than lanes
  EXPECT_EQ(device().Allocate(pipeline, shape).status().reason(), Reason::kInvalidArgument);
  shape.seats = 5;
  EXPECT_TRUE(device().Allocate(pipeline, shape).ok());
  shape = work.Shape();
  shape.steps = 1000;
  EXPECT_EQ(device().Allocate(pipeline, shape).status().reason(), Reason::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Engines, DispatchTest, testing::Range(size_t{0}, kEngines),
                         [](const auto& test) { return Engines()[test.param].name; });

// With each access of the only function said to be aligned and inside the memory.
std::shared_ptr<const LoweredModule> WithFacts(const std::string& wat, bool aligned, bool inside) {
  LoweredModule module = *LowerText(wat);
  for (ir::Function& function : module.program.functions) {
    function.aligned.assign(function.insts.size(), aligned);
    function.inside.assign(function.insts.size(), inside);
  }
  return std::make_shared<const LoweredModule>(std::move(module));
}

// What tests of every kind rely on where they run on the interpreter of the rig.
TEST(FactsDeathTest, AWrongFactStopsTheInterpreterOfTests) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr const char* kLoads =
      "(module (memory 1) (func (export \"run\") (param i32) (result i32)"
      " (i32.load offset=4 (local.get 0))))";
  const auto run = [&](uint32_t address, bool aligned, bool inside) {
    Work work;
    work.lanes = 1;
    work.module = WithFacts(kLoads, aligned, inside);
    work.steps = {Call("run", {Arg(address)})};
    return RecordOf(Records(Interpreter(), work), work.Shape(), 0).end;
  };
  EXPECT_EQ(run(8, true, true), static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(run(65528, true, true), static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(run(2, false, true), static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(run(65529, false, false), static_cast<uint32_t>(End::kTrapped));
  EXPECT_DEATH(run(2, true, false), "is_aligned");
  EXPECT_DEATH(run(65529, false, true), "is_inside");
}

TEST(FactsDeathTest, AByteInAnotherPlaceStopsTheInterpreterOfTests) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  LoweredModule module = *LowerText(
      "(module (memory 1) (func (export \"run\") (param i32) (result i32)"
      " (i32.load8_u offset=1 (local.get 0))))");
  ir::Function& function = module.program.functions[0];
  function.places.assign(function.insts.size(), {.bits = 2, .value = 3});
  Work work;
  work.lanes = 1;
  work.module = std::make_shared<const LoweredModule>(std::move(module));
  const auto run = [&](uint32_t address) {
    work.steps = {Call("run", {Arg(address)})};
    return RecordOf(Records(Interpreter(), work), work.Shape(), 0).end;
  };
  EXPECT_EQ(run(7), static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(run(15), static_cast<uint32_t>(End::kReturned));
  EXPECT_DEATH(run(6), "is_in_place");
  EXPECT_DEATH(run(5), "is_in_place");
}

TEST(Budget, IsSharedByDispatchesAndGivenBack) {
  InterpreterSettings settings;
  settings.threads = 1;
  settings.memory_bytes = 10 << 20;
  const auto device = CreateInterpreterDevice(settings);
  Work work;
  work.module = LowerText(kDirty);
  work.steps = {Call("sum", {Arg(1)})};
  work.lanes = 6;  // of 1 MiB each
  const PipelineRef pipeline = BuildOn(*device, work.module);
  auto first = device->Allocate(pipeline, work.Shape());
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(device->Allocate(pipeline, work.Shape()).status().reason(), Reason::kNoDeviceFits);
  first->reset();
  EXPECT_TRUE(device->Allocate(pipeline, work.Shape()).ok());
}

// Host memory from a vector, so that the test sees what the device sees.
class VectorMemory : public HostMemory {
 public:
  struct Region : HostRegion {
    explicit Region(std::vector<uint8_t>& bytes) : bytes_(bytes) {}
    std::span<uint8_t> bytes() override { return bytes_; }
    std::vector<uint8_t>& bytes_;
  };
  Result<std::unique_ptr<HostRegion>> Map(size_t size) override {
    bytes.assign(size, 0);
    return std::unique_ptr<HostRegion>(new Region(bytes));
  }
  std::vector<uint8_t> bytes;
};

TEST(HostMemoryTest, RecordsColumnsAndBlobLieInTheOneRegion) {
  InterpreterSettings settings;
  settings.threads = 2;
  const auto memory = std::make_shared<VectorMemory>();
  settings.host_memory = memory;
  const auto device = CreateInterpreterDevice(settings);
  Work work;
  work.module = LowerText(kDirty);
  work.steps = {Call("sum", {ColumnArg(0)})};
  work.columns = {std::vector<uint32_t>(work.lanes, 1)};
  DispatchShape shape = work.Shape();
  shape.blob_bytes = 100;
  auto dispatch = device->Allocate(BuildOn(*device, work.module), shape);
  ASSERT_TRUE(dispatch.ok());
  const HostLayout layout = HostLayout::Of(shape);
  EXPECT_EQ(layout.bytes, memory->bytes.size());
  const auto at = [&](const void* place) {
    return static_cast<uint64_t>(static_cast<const uint8_t*>(place) - memory->bytes.data());
  };
  EXPECT_EQ(at((*dispatch)->records().data()), layout.records_at);
  EXPECT_EQ(at((*dispatch)->columns().data()), layout.columns_at);
  EXPECT_EQ(at((*dispatch)->blob().data()), layout.blob_at);
  EXPECT_EQ((*dispatch)->records().size(), uint64_t{shape.lanes} * shape.RecordWords());
  EXPECT_EQ((*dispatch)->columns().size(), shape.lanes);
  EXPECT_EQ((*dispatch)->blob().size(), 100u);
  EXPECT_EQ(layout.columns_at % 64, 0u);
  EXPECT_EQ(layout.blob_at % 64, 0u);
}

}  // namespace
}  // namespace wb::test
