#include "scheduler/trace/inspector.h"

#include <gtest/gtest.h>

#include <future>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/scheduler/trace/trapped_run.h"

namespace wb::test {
namespace {

// 5! with its factors in memory, and a trap at the bottom.
constexpr std::string_view kFactorial = R"((module
  (memory 1 4)
  (global $depth (mut i32) (i32.const 0))
  (global $half f64 (f64.const 0.5))
  (table 3 funcref)
  (elem (i32.const 1) $fac)
  (func $fac (param $n i64) (param $by i32) (result i64) (local $twice i64) (local $unused f32)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (local.set $twice (i64.mul (local.get $n) (i64.const 2)))
    (i64.store (i32.add (i32.const 1024) (i32.mul (global.get $depth) (i32.const 8)))
               (local.get $n))
    (if (i64.eqz (local.get $n)) (then (drop (i32.div_u (i32.const 7) (local.get $by)))))
    (if (result i64) (i64.eqz (local.get $n))
      (then (i64.const 1))
      (else (i64.mul (local.get $n)
                     (call $fac (i64.sub (local.get $n) (i64.const 1)) (local.get $by))))))
  (func (export "run") (result i64)
    (i32.store (i32.const 65532) (i32.const 0x01020304))
    (drop (memory.grow (i32.const 1)))
    (call $fac (i64.const 5) (i32.const 0))))";

std::string WithParts(const std::string& text) { return text + ")"; }

InspectionStarter InspectingInterpreterHere() {
  return [](const std::function<void()>&) -> Result<StartedInspection> {
    const std::shared_ptr<Device> device = CreateInspectingInterpreter({});
    return StartedInspection{device, std::dynamic_pointer_cast<InspectingDevice>(device), {}};
  };
}

class InspectorTest : public testing::Test {
 protected:
  Result<InspectedInstance> Ask(const std::shared_ptr<const Module>& module,
                                const InspectionRequest& request, uint64_t instance = 0) {
    Inspector inspector(std::make_shared<LoweredModules>(), InspectingInterpreterHere(), limits_);
    std::promise<Result<InspectedInstance>> answered;
    const auto asked = inspector.Ask(
        {[&] { return PlanOf(module, 3); }, instance, [&](const JobPlan&) { return request; },
         [&](Result<InspectedInstance> answer) { answered.set_value(std::move(answer)); }});
    EXPECT_TRUE(asked.ok());
    return answered.get_future().get();
  }
  InspectedInstance Inspect(const std::string& text, const InspectionRequest& request) {
    Result<InspectedInstance> answer = Ask(ModuleOf(text), request);
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return std::move(answer).value();
  }
  static InspectionRequest WithState() {
    InspectionRequest request;
    request.state = true;
    request.max_state_bytes = 1 << 20;
    return request;
  }
  static InspectionRequest WithTrace(TraceDetail detail, uint32_t lines = 1000) {
    InspectionRequest request;
    request.detail = detail;
    request.max_lines = lines;
    return request;
  }

  InspectionLimits limits_;
};

using Kind = SeenLine::Kind;

TEST_F(InspectorTest, ATrapHasItsFramesWithEveryLocal) {
  const InspectedInstance seen = Inspect(WithParts(std::string(kFactorial)), WithState());
  EXPECT_EQ(seen.result.trap, Trap::kDivideByZero);
  const std::vector<SeenFrame>& frames = seen.seen.frames;
  ASSERT_EQ(frames.size(), 7u);
  for (uint64_t n = 0; n <= 5; ++n) {
    const std::vector<SeenValue> want = {
        {ValueType::kI64, n}, {ValueType::kI32, 0}, {ValueType::kI64, 2 * n}, {ValueType::kF32, 0}};
    EXPECT_EQ(frames[n].locals, want);
    EXPECT_EQ(frames[n].function, 0u);
  }
  const std::vector<SeenValue> operands = {{ValueType::kI32, 7}, {ValueType::kI32, 0}};
  EXPECT_EQ(frames[0].operands, operands);
  EXPECT_EQ(frames[0].offset, seen.result.trap_offset);
  EXPECT_EQ(frames[6].function, 1u);
}

TEST_F(InspectorTest, MemoryGlobalsAndTablesAreThoseOfTheEnd) {
  const InspectedInstance seen = Inspect(WithParts(std::string(kFactorial)), WithState());
  ASSERT_EQ(seen.seen.memories.size(), 1u);
  const SeenMemory& memory = seen.seen.memories[0];
  EXPECT_EQ(memory.pages, 2u);
  ASSERT_EQ(memory.chunks.size(), 2u);  // zeros are not there
  EXPECT_EQ(memory.chunks[0].at, 1024u);
  EXPECT_EQ(memory.chunks[0].bytes[8], 5);
  EXPECT_EQ(memory.chunks[0].bytes[40], 1);
  const Bytes& last = memory.chunks[1].bytes;
  EXPECT_EQ(memory.chunks[1].at + last.size(), 65536u);
  EXPECT_EQ(last.back(), 1);
  const std::vector<SeenValue> globals = {{ValueType::kI32, 6},
                                          {ValueType::kF64, 0x3fe0000000000000u}};
  EXPECT_EQ(seen.seen.globals, globals);
  ASSERT_EQ(seen.seen.tables.size(), 1u);
  EXPECT_EQ(seen.seen.tables[0].elements, (std::vector<uint32_t>{0, 1, 0}));
}

TEST_F(InspectorTest, CallsAndReturnsHaveTheirValues) {
  const InspectedInstance seen = Inspect(R"((module
    (func $fac (param i32) (result i32)
      (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 1))
        (else (i32.mul (local.get 0) (call $fac (i32.sub (local.get 0) (i32.const 1)))))))
    (func (export "run") (result i32) (call $fac (i32.const 2)))))",
                                         WithTrace(TraceDetail::kCalls));
  EXPECT_EQ(seen.result.end, End::kReturned);
  std::vector<std::string> lines;
  for (const SeenLine& line : seen.seen.lines) {
    std::string text = (line.kind == Kind::kCall ? ">" : "<") + std::to_string(line.function) +
                       " at " + std::to_string(line.depth);
    for (const SeenValue& value : line.values) text += " " + std::to_string(value.low);
    lines.push_back(std::move(text));
  }
  const std::vector<std::string> want = {">1 at 1",   ">0 at 2 2", ">0 at 3 1", ">0 at 4 0",
                                         "<0 at 4 1", "<0 at 3 1", "<0 at 2 2", "<1 at 1 2"};
  EXPECT_EQ(lines, want);
}

TEST_F(InspectorTest, OperatorsHaveTheirOperandsAndResults) {
  const InspectedInstance seen = Inspect(R"((module
    (memory 1)
    (func (export "run") (result i32) (local i32)
      (local.set 0 (i32.add (i32.const 40) (i32.const 2)))
      (i32.store offset=4 (i32.const 8) (local.get 0))
      (i32.mul (i32.load (i32.const 12)) (local.get 0)))))",
                                         WithTrace(TraceDetail::kOperators));
  std::vector<std::string> lines;
  for (const SeenLine& line : seen.seen.lines) {
    if (line.kind != Kind::kOperator) continue;
    std::string text = line.text;
    for (const SeenValue& value : line.values) text += " " + std::to_string(value.low);
    for (const SeenValue& value : line.results) text += " = " + std::to_string(value.low);
    lines.push_back(std::move(text));
  }
  const std::vector<std::string> want = {"i32.add 40 2 = 42", "i32.store 8 42", "i32.load 12 = 42",
                                         "i32.mul 42 42 = 1764"};
  EXPECT_EQ(lines, want);
}

TEST_F(InspectorTest, ItStopsBeforeAnOperator) {
  const auto module = ModuleOf(WithParts(std::string(kFactorial)));
  InspectionRequest request = WithState();
  const uint32_t offset = OffsetOf(*module, 0, Opcode::kI32DivU);
  request.until = InspectionRequest::Until{offset, 0, 1};
  const InspectedInstance seen = Ask(module, request).value();
  EXPECT_TRUE(seen.seen.reached);
  ASSERT_EQ(seen.seen.frames.size(), 7u);
  EXPECT_EQ(seen.seen.frames[0].offset, offset);
  EXPECT_EQ(seen.seen.globals[0].low, 6u);
  // In another function there is no such place.
  request.until->from = 1;
  request.until->to = 2;
  EXPECT_FALSE(Ask(module, request).value().seen.reached);
}

TEST_F(InspectorTest, OfManyLinesTheLastAreTold) {
  const InspectedInstance seen =
      Inspect(WithParts(std::string(kFactorial)), WithTrace(TraceDetail::kCalls, 2));
  EXPECT_EQ(seen.seen.line_count, 7u);
  ASSERT_EQ(seen.seen.lines.size(), 2u);
  EXPECT_EQ(seen.seen.lines[1].depth, 7u);
}

// A function so large that engines run it as several, whose local lives across all.
TEST_F(InspectorTest, ALargeFunctionIsOneFrame) {
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += "(global.set $g (i32.add (global.get $g) (i32.const 1)))";
  const std::string text =
      "(module (global $g (mut i32) (i32.const 0)) (func (export \"run\") (result i32) (local i32) "
      "(local.set 0 (i32.const 77)) (loop " +
      rows + ") (unreachable)))";
  const auto module = ModuleOf(text);
  const InstanceResult first = ResultOf(PlanOf(module));
  const InspectedInstance seen = Ask(module, WithState()).value();
  EXPECT_EQ(seen.result.fuel, first.fuel);
  ASSERT_EQ(seen.seen.frames.size(), 1u);
  EXPECT_EQ(seen.seen.frames[0].locals, (std::vector<SeenValue>{{ValueType::kI32, 77}}));
  EXPECT_EQ(seen.seen.globals[0].low, 3000u);
}

TEST_F(InspectorTest, AStateThatIsTooLargeNamesTheSetting) {
  InspectionRequest request = WithState();
  request.max_state_bytes = 256;
  const Status refused = Ask(ModuleOf(WithParts(std::string(kFactorial))), request).status();
  EXPECT_EQ(refused.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(refused.message().find("inspection.max_dump_bytes"), std::string::npos);
}

TEST_F(InspectorTest, AnInstanceThatUsesTooMuchFuelNamesTheSetting) {
  limits_.fuel = 1000;
  const Status refused =
      Ask(ModuleOf("(module (func (export \"run\") (result i32) (loop (br 0)) (unreachable)))"),
          WithState())
          .status();
  EXPECT_EQ(refused.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(refused.message().find("inspection.max_fuel"), std::string::npos);
}

TEST_F(InspectorTest, AMemoryThatIsTooLargeNamesTheSetting) {
  limits_.memory_bytes = 4 * 65536;
  const Status refused = Ask(ModuleOf(WithParts(std::string(kFactorial))), WithState()).status();
  EXPECT_EQ(refused.reason(), Reason::kLimitTooHigh) << refused.message();
  EXPECT_NE(refused.message().find("inspection.max_memory_bytes"), std::string::npos);
}

TEST_F(InspectorTest, AnInstanceThatTheJobLacksIsRefused) {
  const Status refused = Ask(ModuleOf(WithParts(std::string(kFactorial))), WithState(), 3).status();
  EXPECT_EQ(refused.reason(), Reason::kInvalidArgument);
}

TEST_F(InspectorTest, WhatNobodyWaitsForEnds) {
  std::shared_ptr<Device> device = CreateInspectingInterpreter({});
  Inspector inspector(
      std::make_shared<LoweredModules>(),
      [&](const std::function<void()>&) -> Result<StartedInspection> {
        return StartedInspection{device, std::dynamic_pointer_cast<InspectingDevice>(device), {}};
      });
  const auto spin =
      ModuleOf("(module (func (export \"run\") (result i32) (loop (br 0)) (unreachable)))");
  const auto quick = ModuleOf(WithParts(std::string(kFactorial)));
  std::promise<void> begun;
  std::promise<Result<InspectedInstance>> ended;
  std::promise<Result<InspectedInstance>> next;
  Result<std::shared_ptr<void>> asked =
      inspector.Ask({[&] { return PlanOf(spin); }, 0,
                     [&](const JobPlan&) {
                       begun.set_value();
                       return WithState();
                     },
                     [&](auto answer) { ended.set_value(std::move(answer)); }});
  begun.get_future().wait();
  std::move(asked).value().reset();
  // The stop may have come before the launch, which only a process that is killed is sure to end.
  std::future<Result<InspectedInstance>> answer_of_spin = ended.get_future();
  while (answer_of_spin.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
    device->Stop();
  }
  EXPECT_EQ(answer_of_spin.get().status().reason(), Reason::kCancelled);
  const auto other =
      inspector.Ask({[&] { return PlanOf(quick); }, 0, [&](const JobPlan&) { return WithState(); },
                     [&](auto answer) { next.set_value(std::move(answer)); }});
  EXPECT_TRUE(next.get_future().get().ok());
}

TEST_F(InspectorTest, OnlySoManyWait) {
  limits_.waiting = 1;
  auto inspector = std::make_unique<Inspector>(std::make_shared<LoweredModules>(),
                                               InspectingInterpreterHere(), limits_);
  const auto module = ModuleOf(WithParts(std::string(kFactorial)));
  std::promise<void> go;
  std::shared_future<void> gone(go.get_future());
  std::promise<void> begun;
  std::vector<std::shared_ptr<void>> held;
  const auto ask = [&](std::function<void()> at_begin) {
    return inspector->Ask({[&, at_begin] {
                             at_begin();
                             return PlanOf(module);
                           },
                           0, [&](const JobPlan&) { return WithState(); }, [](auto) {}});
  };
  held.push_back(ask([&] {
                   begun.set_value();
                   gone.wait();
                 }).value());
  begun.get_future().wait();
  held.push_back(ask([] {}).value());
  const auto refused = ask([] {});
  EXPECT_EQ(refused.status().reason(), Reason::kQueueFull);
  EXPECT_NE(refused.status().message().find("inspection.max_waiting"), std::string::npos);
  go.set_value();
  held.clear();
  inspector.reset();  // before what the questions refer to
}

}  // namespace
}  // namespace wb::test
