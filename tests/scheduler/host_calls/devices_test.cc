// Host calls on every engine of this machine's processor, whole and in slices, and from one engine
// to the next: the call as it lies in the image of an instance, and the answer in it.

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/link/bindings.h"
#include "scheduler/job/host_calls/host_image.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

using Way = Binding::Way;

// Three times: sums of what is answered, and of what was written to memory, in a recursive
// function.
constexpr std::string_view kAsks = R"((module
  (import "env" "ask" (func $ask (param i32 i64 f32 f64) (result i64 i32)))
  (import "env" "text" (func $text (param i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 65530) "hello, world")
  (func $rounds (param $n i32) (param $left i32) (result i64) (local $a i64) (local $b i32)
    (if (i32.eqz (local.get $left)) (then (return (i64.const 0))))
    (call $ask (local.get $n) (i64.extend_i32_s (i32.sub (i32.const 0) (local.get $left)))
      (f32.const 1.5) (f64.convert_i32_s (local.get $n)))
    (local.set $b) (local.set $a)
    (drop (call $text (i32.const 65530) (i32.const 12)))
    (i64.add (i64.add (local.get $a) (i64.extend_i32_u (local.get $b)))
      (i64.add (i64.load (i32.const 70000))
        (call $rounds (local.get $n) (i32.sub (local.get $left) (i32.const 1))))))
  (func (export "run") (param i32) (result i64) (call $rounds (local.get 0) (i32.const 3))))
)";

struct Bound {
  BoundModules modules;
  Work work;
};

Bound BoundWork() {
  const NamedModules modules = {{"", Module::Decode(MustAssemble(kAsks)).value()}};
  Bound bound;
  bound.modules =
      BindModules(modules, {{"env.ask", Way::kHost, {}, {}},
                            {"env.text", Way::kHost, {}, {{0, CallBytes::Length::kArgument, 1}}}})
          .value();
  bound.work =
      WorkOf(Lower(Link(PartsOf(bound.modules), {}, Instantiation::kAtStart).value()).value());
  AddRoomForFrames(bound.work);
  bound.work.steps = {Call("run", {ColumnArg(0)})};
  return bound;
}

// Built once for each engine.
const Bound& TheWork() {
  static const Bound bound = BoundWork();
  return bound;
}

// The answer depends on all that the call brings.
HostAnswer AnswerTo(const HostImport& import, const HostCall& call) {
  HostAnswer answer{call.instance, call.number, {}, {}, ""};
  if (import.name == "env.text") {
    const Bytes& text = call.bytes.at(0);
    answer.results = {Value::I32(static_cast<uint32_t>(text.size()))};
    answer.writes = {{70000, {text.at(0), text.at(11), static_cast<uint8_t>(call.number)}},
                     {131071, {1}}};
    return answer;
  }
  answer.results = {Value::I64(call.args.at(0).bits() * 1000 - call.args.at(1).bits()),
                    Value::I32(call.args.at(2).words[0] ^ call.args.at(3).words[1])};
  return answer;
}

class Answering {
 public:
  Answering(const Bound& bound, const Slicing& slicing) : bound_(bound), slicing_(slicing) {}

  // Engines take turns: each goes on with what the one before it has left for a call.
  std::vector<uint32_t> Over(const std::vector<Device*>& devices) {
    std::vector<LanePlace> places;
    std::vector<uint32_t> records;
    for (size_t turn = 0; turn < 100; ++turn) {
      Device& device = *devices[turn % devices.size()];
      const auto dispatch = Seat(device, LoadOn(device, bound_.work.module), bound_.work);
      Keep(records, *dispatch);
      const auto put = device.ImportLanes(*dispatch, places);
      EXPECT_TRUE(put.ok()) << put.status().ToString();
      if (!put.ok()) break;
      for (const Status& status : *put) EXPECT_TRUE(status.ok()) << status.ToString();
      Launch(device, *dispatch);
      places = Answered(device, *dispatch);
      records.assign(dispatch->records().begin(), dispatch->records().end());
      if (places.empty()) break;
    }
    return OfInstances(records, bound_.work.Shape().RecordWords());
  }
  uint64_t calls() const { return calls_; }

 private:
  // Instances that have ended stay so.
  void Keep(const std::vector<uint32_t>& records, Dispatch& dispatch) {
    const size_t words = bound_.work.Shape().RecordWords();
    for (size_t at = 0; at < records.size(); at += words) {
      if (records[at + abi::RECORD_SEAT] != abi::SEAT_DONE) continue;
      std::copy_n(records.begin() + static_cast<ptrdiff_t>(at), words,
                  dispatch.records().subspan(at).begin());
    }
  }

  void Launch(Device& device, Dispatch& dispatch) {
    LaunchLimits limits;
    limits.slice_fuel = slicing_.slice;
    limits.slice_step = slicing_.step;
    limits.quantum = slicing_.quantum;
    for (int launch = 0; launch < 100000; ++launch) {
      if (device.Launch(dispatch, limits).value().seats_left == 0) return;
    }
    ADD_FAILURE() << "the instances go on and on";
  }

  std::vector<LanePlace> Answered(Device& device, Dispatch& dispatch) {
    std::vector<LanePlace> places;
    const size_t words = dispatch.shape().RecordWords();
    for (uint32_t seat = 0; seat < dispatch.shape().Seats(); ++seat) {
      if (!AsksHost(dispatch.records().subspan(seat * words, words))) continue;
      const std::vector<uint32_t> seats = {seat};
      auto images = device.ExportLanes(dispatch, seats).value();
      auto image = std::make_shared<LaneImage>(images.at(0).value());
      const uint64_t at = ImageMemoriesAt(*bound_.work.module, *image);
      const AskedCall asked = ReadCall(bound_.modules.host, *image, at, seat);
      EXPECT_EQ(asked.trap, Trap::kNone);
      const HostImport& import = bound_.modules.host.at(asked.call.import);
      const HostAnswer answer = AnswerTo(import, asked.call);
      EXPECT_EQ(CheckAnswer(import, answer), "");
      uint64_t cost = 0;
      EXPECT_EQ(ApplyAnswer(answer, at, *image, &cost), "");
      EXPECT_EQ(cost, answer.writes.empty() ? 0u : 1u);
      places.push_back({seat, image});
      ++calls_;
    }
    return places;
  }

  const Bound& bound_;
  const Slicing slicing_;
  uint64_t calls_ = 0;
};

uint64_t Expected(uint32_t n) {
  uint64_t sum = 0;
  const double as_double = n;
  uint64_t bits = 0;
  std::memcpy(&bits, &as_double, sizeof bits);
  for (uint64_t round = 0; round < 3; ++round) {
    const uint64_t left = 3 - round;
    sum += n * uint64_t{1000} + left;
    sum += uint64_t{0x3fc00000 ^ static_cast<uint32_t>(bits >> 32)};
    // Calls are numbered over both imports.
    sum += uint64_t{'h'} | uint64_t{'d'} << 8 | (round * 2 + 1) << 16;
  }
  return sum;
}

TEST(HostCallDevicesTest, EachEngineAsksAndGoesOnWithTheAnswers) {
  const Bound& bound = TheWork();
  const auto expected = Answering(bound, {}).Over({&Interpreter()});
  for (const NamedDevice& engine : Engines()) {
    for (const Slicing& slicing : {Slicing{}, Slicing{1, 3}, Slicing{40, 1, 7}}) {
      Answering run(bound, slicing);
      EXPECT_EQ(run.Over({engine.device}), expected) << engine.name;
      EXPECT_EQ(run.calls(), bound.work.lanes * 6u) << engine.name;
    }
  }
  for (uint32_t lane = 0; lane < bound.work.lanes; ++lane) {
    const Record record = RecordOf(expected, bound.work.Shape(), lane);
    ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << lane;
    EXPECT_EQ(record.registers.at(0) | uint64_t{record.registers.at(1)} << 32, Expected(lane));
  }
}

TEST(HostCallDevicesTest, AnInstanceGoesOnWithItsAnswerOnAnotherEngine) {
  const Bound& bound = TheWork();
  std::vector<Device*> all;
  for (const NamedDevice& engine : Engines()) {
    if (engine.device->info().moves_lanes) all.push_back(engine.device);
  }
  EXPECT_EQ(Answering(bound, {25, 1, 9}).Over(all), Answering(bound, {}).Over({&Interpreter()}));
}

TEST(HostCallDevicesTest, ALaneThatWaitsForItsAnswerRunsNothing) {
  const Bound& bound = TheWork();
  for (const NamedDevice& engine : Engines()) {
    const auto dispatch =
        Seat(*engine.device, LoadOn(*engine.device, bound.work.module), bound.work);
    ASSERT_TRUE(engine.device->Launch(*dispatch, {}).ok());
    const std::vector<uint32_t> before(dispatch->records().begin(), dispatch->records().end());
    EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_NEEDS_MEMORY), bound.work.lanes) << engine.name;
    ASSERT_TRUE(engine.device->Launch(*dispatch, {}).ok());
    const std::vector<uint32_t> after(dispatch->records().begin(), dispatch->records().end());
    EXPECT_EQ(after, before) << engine.name;
  }
}

}  // namespace
}  // namespace wb::test
