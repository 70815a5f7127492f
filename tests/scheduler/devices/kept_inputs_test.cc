// Inputs that a device keeps: what is read is the same on every engine, also beyond 4 GiB.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/devices/mapping.h"
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"

namespace wb::test {
namespace {

// `run(n)`: eight bytes of input 0 from its byte `n` * 2^20 + n on, and how many there were.
constexpr std::string_view kReader = R"((module
  (import "wasmburst" "input_size" (func $input_size (param i32) (result i64)))
  (import "wasmburst" "input_read" (func $input_read (param i32 i64 i32 i32) (result i32)))
  (memory 1)
  (func (export "run") (param $n i32) (result i64 i32 i64)
    (local $at i64) (local $read i32)
    (local.set $at (i64.mul (i64.extend_i32_u (local.get $n)) (i64.const 0x100001)))
    (local.set $read (call $input_read (i32.const 0) (local.get $at) (i32.const 5) (i32.const 8)))
    (i64.load (i32.const 5)) (local.get $read) (call $input_size (i32.const 0)))))";

uint8_t ByteAt(uint64_t at) { return static_cast<uint8_t>(at * 31 + (at >> 20) * 7 + 1); }

uint64_t At(uint64_t n) { return n * 0x100001; }

// Memory of zeros but where instances read.
class SparseInput {
 public:
  SparseInput(uint64_t bytes, const std::vector<uint32_t>& numbers)
      : memory_(Mapping::Reserve((bytes + 3) / 4 * 4).value()), bytes_(bytes) {
    for (const uint32_t n : numbers) {
      for (uint64_t at = At(n); at < At(n) + 8 && at < bytes; ++at)
        memory_.bytes()[at] = ByteAt(at);
    }
  }
  InputBytes bytes() const {
    InputBytes input;
    input.bytes = ByteView(memory_.bytes().data(), bytes_);
    input.digest.bytes[0] = 1;
    return input;
  }

 private:
  Mapping memory_;
  const uint64_t bytes_;
};

Work ReaderOf(const std::vector<uint32_t>& numbers, uint64_t bytes) {
  Work work = WorkOf(LowerText(kReader), static_cast<uint32_t>(numbers.size()));
  work.columns[0] = numbers;
  work.steps = {Call("run", {ColumnArg(0)})};
  work.kept_bytes = bytes;
  return work;
}

void ExpectRead(Dispatch& dispatch, const std::vector<uint32_t>& numbers, uint64_t bytes,
                const std::string& name) {
  const std::vector<uint32_t> records(dispatch.records().begin(), dispatch.records().end());
  for (uint32_t lane = 0; lane < numbers.size(); ++lane) {
    const Record record = RecordOf(records, dispatch.shape(), lane);
    ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << name << " " << lane;
    const uint64_t at = At(numbers[lane]);
    const uint64_t there = at < bytes ? std::min<uint64_t>(bytes - at, 8) : 0;
    uint64_t wanted = 0;
    for (uint64_t i = 0; i < there; ++i) wanted |= uint64_t{ByteAt(at + i)} << (8 * i);
    EXPECT_EQ(record.registers[0], static_cast<uint32_t>(wanted)) << name << " " << lane;
    EXPECT_EQ(record.registers[1], wanted >> 32) << name << " " << lane;
    EXPECT_EQ(record.registers[2], there) << name << " " << lane;
    EXPECT_EQ(record.registers[3], static_cast<uint32_t>(bytes)) << name;
    EXPECT_EQ(record.registers[4], bytes >> 32) << name;
  }
}

TEST(KeptInputsTest, EveryEngineReadsTheSameBytes) {
  const std::vector<uint32_t> numbers = {0, 1, 2, 3, 4};
  const uint64_t bytes = At(3) + 6;  // the last but one reads less, the last nothing
  const SparseInput input(bytes, numbers);
  for (const NamedDevice& engine : Engines()) {
    Work work = ReaderOf(numbers, bytes);
    work.kept = engine.device->Keep(input.bytes()).value();
    for (const Slicing& slicing : {Slicing{}, Slicing{1, 3}}) {
      const auto dispatch = Seat(*engine.device, LoadOn(*engine.device, work.module), work);
      RunToEnd(*engine.device, *dispatch, slicing);
      ExpectRead(*dispatch, numbers, bytes, engine.name);
    }
  }
}

TEST(KeptInputsTest, OffsetsGoBeyond4GiBWhereTheInputIsMapped) {
  const std::vector<uint32_t> numbers = {0, 4095, 4096, 5000, 6144};
  const uint64_t bytes = At(6144) + 3;
  const SparseInput input(bytes, numbers);
  for (const NamedDevice& engine : Engines()) {
    if (!engine.device->info().maps_inputs) continue;
    Work work = ReaderOf(numbers, bytes);
    work.kept = engine.device->Keep(input.bytes()).value();
    const auto dispatch = Seat(*engine.device, LoadOn(*engine.device, work.module), work);
    RunToEnd(*engine.device, *dispatch);
    ExpectRead(*dispatch, numbers, bytes, engine.name);
  }
}

// Reads most of the input in pieces that take several slices each.
constexpr std::string_view kSummer = R"((module
  (import "wasmburst" "input_read" (func $input_read (param i32 i64 i32 i32) (result i32)))
  (memory 1)
  (func (export "run") (param $n i32) (result i64 i32) (local $at i32) (local $i i32)
    (local $read i32) (local $sum i64)
    (loop $pieces
      (local.set $read (i32.add (local.get $read)
        (call $input_read (i32.const 0) (i64.extend_i32_u (local.get $at)) (i32.const 3)
          (i32.const 20001))))
      (local.set $i (i32.const 0))
      (loop $words
        (local.set $sum (i64.add (i64.mul (local.get $sum) (i64.const 31))
          (i64.load (local.get $i))))
        (br_if $words (i32.lt_u
          (local.tee $i (i32.add (local.get $i) (i32.const 200))) (i32.const 20000))))
      (br_if $pieces (i32.lt_u
        (local.tee $at (i32.add (local.get $at)
          (i32.add (i32.const 19000) (i32.mul (local.get $n) (i32.const 411)))))
        (i32.const 140000))))
    (local.get $sum) (local.get $read))))";

// One launch on each engine in turn, to the end.
std::vector<uint32_t> RecordsOfJourney(Work work, const InputBytes& input,
                                       const std::vector<NamedDevice>& engines) {
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  limits.slice_fuel = 700;
  std::vector<PipelineRef> pipelines;
  for (const NamedDevice& engine : engines) pipelines.push_back(PipelineOn(engine, work));
  std::unique_ptr<Dispatch> dispatch;
  uint32_t moved = 0;
  uint32_t left = work.lanes;
  for (size_t i = 0; left > 0 && i < 1000; ++i) {
    const NamedDevice& engine = engines[i % engines.size()];
    const PipelineRef& pipeline = pipelines[i % engines.size()];
    std::vector<LanePlace> places;
    if (i > 0) places = ExportAll(*engines[(i - 1) % engines.size()].device, *dispatch);
    moved += static_cast<uint32_t>(places.size());
    work.kept = engine.device->Keep(input).value();
    dispatch = i == 0 ? Seat(*engine.device, pipeline, work)
                      : SeatOnward(*engine.device, pipeline, work, *dispatch, places);
    left = engine.device->Launch(*dispatch, limits).value().seats_left;
  }
  EXPECT_EQ(left, 0u);
  EXPECT_GT(moved, 100u);
  return {dispatch->records().begin(), dispatch->records().end()};
}

// Lanes take nothing of the input along: where they go on it is, too.
TEST(KeptInputsTest, LanesThatMoveReadOn) {
  std::vector<uint8_t> bytes(130'000);
  for (size_t at = 0; at < bytes.size(); ++at) bytes[at] = ByteAt(at);
  InputBytes input;
  input.bytes = bytes;
  Work work = WorkOf(LowerText(kSummer), 9);
  work.steps = {Call("run", {ColumnArg(0)})};
  work.kept_bytes = bytes.size();
  work.kept = Cpu().Keep(input).value();
  const size_t words = work.Shape().RecordWords();
  Gpu gpu;
  EXPECT_EQ(OfInstances(RecordsOfJourney(work, input, MovingEngines(gpu)), words),
            OfInstances(Records(Cpu(), work), words));
}

class KeptOnGpuTest : public testing::TestWithParam<bool> {
 protected:
  KeptOnGpuTest() {
    CudaSettings settings;
    settings.resident = GetParam();
    device_ = CreateCudaDevice(settings, gpu_.Parts()).value();
  }
  FakeGpu gpu_;
  std::unique_ptr<Device> device_;
};

TEST_P(KeptOnGpuTest, DispatchesShareOneCopyThatIsFreedBehindTheLast) {
  const std::vector<uint32_t> numbers = {0, 1, 2};
  const uint64_t bytes = At(2) + 5;
  const SparseInput input(bytes, numbers);
  Work work = ReaderOf(numbers, bytes);
  const PipelineRef pipeline = BuildOn(*device_, work.module);
  const uint64_t before = gpu_.used_bytes();
  const uint64_t uploads = gpu_.uploads();
  work.kept = device_->Keep(input.bytes()).value();
  EXPECT_EQ(gpu_.uploads(), uploads + 1);
  EXPECT_EQ(gpu_.used_bytes(), before + (bytes + 3) / 4 * 4);
  {
    work.max_pages = work.capacity_pages = 1;
    auto one = Seat(*device_, pipeline, work);
    const uint64_t with_one = gpu_.used_bytes();
    auto other = Seat(*device_, pipeline, work);
    const uint64_t a_dispatch = gpu_.used_bytes() - with_one;
    EXPECT_EQ(with_one, before + (bytes + 3) / 4 * 4 + a_dispatch);
    EXPECT_LT(one->blob().size(), bytes);
    work.kept.reset();
    for (Dispatch* dispatch : {one.get(), other.get()}) {
      RunToEnd(*device_, *dispatch);
      ExpectRead(*dispatch, numbers, bytes, "cuda");
    }
  }
  EXPECT_EQ(gpu_.used_bytes(), before);
}

TEST_P(KeptOnGpuTest, AnInputBeyondTheMemoryIsRefusedAndCostsNothing) {
  const SparseInput input(uint64_t{2} << 30, {});
  const uint64_t before = gpu_.used_bytes();
  const auto kept = device_->Keep(input.bytes());
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.status().reason(), Reason::kNoDeviceFits);
  EXPECT_NE(kept.status().message().find("[2147483648] bytes"), std::string::npos);
  EXPECT_EQ(gpu_.used_bytes(), before);
}

INSTANTIATE_TEST_SUITE_P(Transports, KeptOnGpuTest, testing::Bool());

}  // namespace
}  // namespace wb::test
