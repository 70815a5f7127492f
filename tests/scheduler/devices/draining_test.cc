// Records with room for a part of the output: the host takes what they hold between launches. Ends,
// fuel, results and output are those of records with room for all, on every engine and in slices,
// also for lanes that move from one engine to another meanwhile.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/job/drained_output.h"
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"

namespace wb::test {
namespace {

constexpr uint32_t kBuffer = 32;

// Lengths around one buffer and several, then of all kinds.
constexpr std::string_view kWriter = R"((module
  (import "wasmburst" "output_write" (func $write (param i32 i32 i32) (result i32)))
  (import "wasmburst" "output_values" (func $values (param i32 i32 i64 i64 i64 i64) (result i32)))
  (memory 1)
  (data (i32.const 0) "\00\01\1f\20\21\67\1b\1c\1d\40")
  (func $length (param $n i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $n) (i32.const 10))
      (then (i32.load8_u (local.get $n)))
      (else (i32.mul (local.get $n) (i32.const 7)))))
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (i32.store8 (i32.add (local.get $i) (i32.const 100))
        (i32.add (i32.mul (local.get $i) (i32.const 31)) (local.get $n)))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 400))))
    (i32.add
      (call $write (i32.const 1) (i32.const 100) (call $length (local.get $n)))
      (i32.add
        (call $write (i32.const 2) (i32.const 101) (i32.and (local.get $n) (i32.const 3)))
        (i32.add
          (call $write (i32.const 2) (i32.const 102) (call $length (local.get $n)))
          (i32.add
            (call $write (i32.const 3) (i32.const 65536) (i32.const 0))
            (call $values (i32.const 4) (i32.const 4) (i64.extend_i32_u (local.get $n))
              (i64.const -1) (i64.const 5) (i64.const 6))))))))
  )";

constexpr std::string_view kPlain = R"((module (memory 1)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (i32.store8 (i32.add (local.get $i) (i32.const 100))
        (i32.add (i32.mul (local.get $i) (i32.const 31)) (local.get $n)))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 400))))
    (i32.mul (local.get $n) (i32.const 5)))))";

// What an instance came to, however it got there.
struct Outcome {
  std::vector<uint32_t> head;  // of its record, up to its output
  Bytes output;
  bool operator==(const Outcome&) const = default;
};

class Draining {
 public:
  explicit Draining(const Work& work) : work_(work), shape_(work.Shape()), outcomes_(work.lanes) {
    for (uint32_t i = 0; i < work.lanes; ++i) {
      numbers_.push_back(i);
      outputs_.emplace_back(work.module->program.asks);
    }
  }
  bool over() const { return numbers_.empty(); }
  uint32_t drained() const { return drained_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

  // All instances on one dispatch, to the end.
  void RunAt(Device& device, const PipelineRef& pipeline, const LaunchLimits& limits) {
    const auto dispatch = Seated(device, pipeline);
    for (int launch = 0; !over() && launch < 3000; ++launch) {
      ASSERT_TRUE(device.Launch(*dispatch, limits).ok());
      for (size_t i = 0; i < seats_.size(); ++i) Look(*dispatch, i, true);
      Leave(*dispatch);
    }
  }

  // One launch there, for instances that came from elsewhere and leave again. `drains`: or else
  // those that wait leave as they are.
  void VisitAt(Device& device, const PipelineRef& pipeline, const LaunchLimits& limits,
               bool drains) {
    const auto dispatch = Seated(device, pipeline);
    ASSERT_TRUE(device.Launch(*dispatch, limits).ok());
    for (size_t i = 0; i < seats_.size(); ++i) Look(*dispatch, i, drains);
    auto images = device.ExportLanes(*dispatch, seats_);
    ASSERT_TRUE(images.ok());
    images_.clear();
    for (size_t i = 0; i < seats_.size(); ++i) {
      const bool ended = SeatState(*dispatch, seats_[i]) == abi::SEAT_DONE;
      ASSERT_EQ((*images)[i].has_value(), !ended || dispatch->shape().seats == 0);
      if (!ended) images_.push_back(std::make_shared<LaneImage>(*(*images)[i]));
    }
    Leave(*dispatch);
  }

 private:
  std::unique_ptr<Dispatch> Seated(Device& device, const PipelineRef& pipeline) {
    seats_.resize(numbers_.size());
    std::iota(seats_.begin(), seats_.end(), 0u);
    std::vector<Arrival> arrivals;
    for (const uint32_t seat : seats_) {
      arrivals.push_back(
          {seat, work_.columns[0][numbers_[seat]], images_.empty() ? nullptr : images_[seat]});
    }
    return SeatArrivals(device, pipeline, work_, arrivals);
  }

  void Look(Dispatch& dispatch, size_t index, bool drains) {
    const uint32_t seat = seats_[index];
    const std::span<uint32_t> record = RecordIn(dispatch, seat);
    const uint32_t number = numbers_[index];
    const bool ended = record[abi::RECORD_SEAT] == abi::SEAT_DONE;
    if (!ended && !drains) return;
    const size_t head = abi::RECORD_REGISTERS + shape_.register_words;
    const auto* bytes = reinterpret_cast<const uint8_t*>(record.data() + head);
    const uint32_t held = std::exchange(record[abi::RECORD_OUT_BYTES], 0);
    ASSERT_LE(held, shape_.OutputBuffer());
    ASSERT_TRUE(outputs_[number].Join(ByteView(bytes, held), shape_.output_bytes));
    if (!ended && held > 0) ++drained_;
    if (!ended) return;
    outcomes_[number].head = OfInstances(record.first(head), head);
    outcomes_[number].output = outputs_[number].bytes();
  }

  void Leave(Dispatch& dispatch) {
    std::vector<uint32_t> numbers, seats;
    for (size_t i = 0; i < seats_.size(); ++i) {
      if (SeatState(dispatch, seats_[i]) == abi::SEAT_DONE) continue;
      numbers.push_back(numbers_[i]);
      seats.push_back(seats_[i]);
    }
    numbers_ = std::move(numbers);
    seats_ = std::move(seats);
  }

  const Work work_;
  const DispatchShape shape_;
  std::vector<uint32_t> numbers_;  // of the instances that have not ended
  std::vector<uint32_t> seats_;    // theirs
  std::vector<std::shared_ptr<const LaneImage>> images_;
  std::vector<DrainedOutput> outputs_;  // by number, as are the next
  std::vector<Outcome> outcomes_;
  uint32_t drained_ = 0;
};

constexpr uint64_t kWhole = uint64_t{1} << 62;

Work WriterWork() {
  Work work = WorkOf(LowerText(kWriter));
  work.steps = {Call("run", {ColumnArg(0)}), Read(100, 75), Read(0, 0), Call("run", {Arg(5)})};
  work.output_bytes = 4096;
  return work;
}

std::vector<Outcome> Whole(const Work& work) {
  Draining whole(work);
  whole.RunAt(Interpreter(), LoadOn(Interpreter(), work.module), SliceOf(kWhole));
  EXPECT_EQ(whole.drained(), 0u);
  return whole.outcomes();
}

void ExpectSameWithBuffers(Work work, const std::vector<uint32_t>& buffers) {
  const std::vector<Outcome> wanted = Whole(work);
  for (const uint32_t buffer : buffers) {
    work.output_buffer = buffer;
    for (const NamedDevice& engine : Engines()) {
      for (const uint32_t seats : {0u, 40u}) {
        for (const uint64_t slice : {kWhole, uint64_t{97}}) {
          work.seats = seats;
          Draining run(work);
          run.RunAt(*engine.device, LoadOn(*engine.device, work.module), SliceOf(slice));
          ASSERT_TRUE(run.over()) << engine.name << " " << buffer << " " << slice << " " << seats;
          EXPECT_GT(run.drained(), 0u);
          EXPECT_EQ(run.outcomes(), wanted) << engine.name << " " << buffer << " " << slice;
        }
      }
    }
  }
}

TEST(DrainingTest, OutputInFramesIsTheSameForEveryBuffer) {
  ExpectSameWithBuffers(WriterWork(), {8, 12, 13, kBuffer, 101});
}

TEST(DrainingTest, BytesOfReadStepsAreTheSameForEveryBuffer) {
  Work work = WorkOf(LowerText(kPlain));
  Operand length;
  length.source = Operand::Source::kResult;
  work.steps = {Call("run", {ColumnArg(0)}), ReadStep{Arg(100), length, "out"}, Read(101, 75)};
  work.output_bytes = 4096;
  ExpectSameWithBuffers(work, {8, 9, kBuffer, 75});
}

TEST(DrainingTest, TheLimitIsThatOfTheWholeOutput) {
  Work work = WriterWork();
  for (const uint32_t limit : {33u, 64u, 70u, 95u, 100u, 107u, 150u, 222u}) {
    work.output_bytes = limit;
    work.output_buffer = ~0u;
    const std::vector<Outcome> wanted = Whole(work);
    work.output_buffer = kBuffer;
    Draining run(work);
    run.RunAt(Interpreter(), LoadOn(Interpreter(), work.module), SliceOf(kWhole));
    EXPECT_EQ(run.outcomes(), wanted) << limit;
    EXPECT_EQ(wanted[32].head[abi::RECORD_END], static_cast<uint32_t>(End::kOutputLimit));
  }
}

TEST(DrainingTest, ALimitOfFuelIsMetAtTheSameWrite) {
  Work work = WriterWork();
  const std::vector<Outcome> ended = Whole(work);
  const uint32_t fuel = ended[20].head[abi::RECORD_FUEL_LO];
  for (const uint32_t less : {1u, 12u, 30u, 5000u, 8000u}) {
    work.max_fuel = fuel - less;
    work.output_buffer = ~0u;
    const std::vector<Outcome> wanted = Whole(work);
    work.output_buffer = kBuffer;
    Draining run(work);
    run.RunAt(Interpreter(), LoadOn(Interpreter(), work.module), SliceOf(kWhole));
    EXPECT_EQ(run.outcomes(), wanted) << less;
  }
}

// A write that waits is made again elsewhere, with what it has done and its arguments.
TEST(DrainingTest, LanesThatWaitMove) {
  Work work = WriterWork();
  const std::vector<Outcome> wanted = Whole(work);
  work.output_buffer = kBuffer;
  Gpu gpu;
  std::vector<NamedDevice> engines = MovingEngines(gpu);
  std::vector<PipelineRef> pipelines;
  for (const NamedDevice& engine : engines) pipelines.push_back(PipelineOn(engine, work));
  Draining run(work);
  for (size_t i = 0; !run.over() && i < 1000; ++i) {
    const size_t at = i / 2 % engines.size();
    const bool drains = i % 3 != 0;
    run.VisitAt(*engines[at].device, pipelines[at], SliceOf(i % 5 == 0 ? 200 : kWhole), drains);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << engines[at].name;
  }
  EXPECT_TRUE(run.over());
  EXPECT_GT(run.drained(), 100u);
  EXPECT_EQ(run.outcomes(), wanted);
}

TEST(DrainingTest, ABufferTooSmallForAFrameIsRefused) {
  Work work = WriterWork();
  work.output_buffer = abi::LEAST_BUFFER - 1;
  const auto dispatch = Cpu().Allocate(LoadOn(Cpu(), work.module), work.Shape());
  EXPECT_EQ(dispatch.status().reason(), Reason::kInvalidArgument);
}

}  // namespace
}  // namespace wb::test
