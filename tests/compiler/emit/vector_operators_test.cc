// Every vector operator of opcode_simd.def on noise and corners: the same memory, word for word, on
// the cpu device in both layouts (clang's own vectors), in the interpreter (the text's functions,
// compiled by another compiler or without the prelude's), whole and in slices; and, as far as no
// float's NaN shows, in wabt's interpreter.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/emit/lanes_under_test.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/oracle/oracle.h"

namespace wb::test {
namespace {

constexpr Opcode kOperators[] = {
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate) Opcode::k##name,
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode_simd.def"
#undef WB_OTHER
};

constexpr size_t kPerFunction = 8;  // operators; each stores one vector in each of eight rounds
constexpr uint32_t kRounds = 8;
constexpr uint64_t kMaxFuel = 1'000'000;

std::string OperandText(ValueType type, const char* vector) {
  switch (type) {
    case ValueType::kV128: return std::string(" (local.get ") + vector + ")";
    case ValueType::kI32: return " (i32x4.extract_lane 1 (local.get $y))";
    case ValueType::kI64: return " (i64x2.extract_lane 1 (local.get $y))";
    case ValueType::kF32: return " (f32x4.extract_lane 2 (local.get $y))";
    case ValueType::kF64: return " (f64x2.extract_lane 0 (local.get $y))";
    default: return "";
  }
}

std::string ImmediateText(const OpcodeFacts& facts) {
  if (facts.immediate == OpcodeImmediate::kLane) return " 1";
  if (facts.immediate == OpcodeImmediate::kLanes) {
    return " 0 31 2 17 4 3 28 7 30 9 16 11 12 13 1 15";
  }
  return "";
}

// The operator on $x, $y and $z as a vector that can be stored.
std::string Operation(Opcode opcode) {
  const OpcodeFacts& facts = FactsOf(opcode);
  ValueType types[] = {facts.a, facts.b, facts.c};
  if (facts.immediate != OpcodeImmediate::kNone) {
    types[facts.c == ValueType::kVoid ? 1 : 2] = ValueType::kVoid;
  }
  static constexpr const char* kVectors[] = {"$x", "$y", "$z"};
  std::string text = "(" + std::string(facts.text) + ImmediateText(facts);
  for (size_t i = 0; i < 3; ++i) text += OperandText(types[i], kVectors[i]);
  text += ")";
  switch (facts.result) {
    case ValueType::kI32: return "(i32x4.splat " + text + ")";
    case ValueType::kI64: return "(i64x2.splat " + text + ")";
    case ValueType::kF32: return "(f32x4.splat " + text + ")";
    case ValueType::kF64: return "(f64x2.splat " + text + ")";
    default: return text;
  }
}

// $x, $y and $z are noise that depends on the lane; by bytes of $y some of $x are corners, so that
// lanes of every width meet their limits.
std::string FunctionText(size_t first, size_t count) {
  std::string wat = "(func (export \"f" + std::to_string(first) + R"(")
    (param $a i32) (param $b i64) (param $c f32) (param $d f64)
    (local $round i32) (local $x v128) (local $y v128) (local $z v128)
    (local.set $z (i64x2.replace_lane 1 (i64x2.splat (local.get $b))
                                        (i64.reinterpret_f64 (local.get $d))))
    (local.set $y (i32x4.replace_lane 0 (v128.not (local.get $z)) (local.get $a)))
    (local.set $x (i32x4.replace_lane 3 (v128.const i32x4 0x7f800000 0xff800000 0x3f800000 5)
                                        (i32.reinterpret_f32 (local.get $c))))
    (loop $next
)";
  for (size_t i = 0; i < count; ++i) {
    wat += "      (v128.store offset=" + std::to_string(16 * i) +
           " (i32.shl (local.get $round) (i32.const 7)) " + Operation(kOperators[first + i]) +
           ")\n";
  }
  return wat + R"(
      (local.set $z (i64x2.add (i64x2.mul (local.get $z) (i64x2.splat (i64.const 6364136223846793005)))
                               (v128.const i64x2 1442695040888963407 3037000493)))
      (local.set $y (v128.xor (local.get $z)
        (i8x16.shuffle 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 (local.get $y) (local.get $y))))
      (local.set $x (v128.bitselect
        (v128.const i8x16 0x80 0 0x7f 0xff 0 0x80 0xff 0xff 0x7f 0xf0 0 0 0 0 0xc0 0x43)
        (i8x16.add (local.get $x) (local.get $y))
        (i8x16.lt_s (local.get $z) (v128.const i64x2 0 0))))
      (br_if $next (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 1)))
                             (i32.const )" +
         std::to_string(kRounds) + ")))))\n";
}

bool IsOfFloats(size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    const std::string text(FactsOf(kOperators[i]).text);
    if (text.find("f32") != std::string::npos || text.find("f64") != std::string::npos) return true;
  }
  return false;
}

std::unique_ptr<Device> Cpu(MemoryLayout layout) {
  CpuSettings settings;
  settings.layout = layout;
  settings.memory_bytes = uint64_t{1} << 30;
  auto device = CreateCpuDevice(settings);
  EXPECT_TRUE(device.ok()) << device.status().ToString();
  return std::move(device).value();
}

std::unique_ptr<Device> Interpreter() {
  InterpreterSettings settings;
  settings.memory_bytes = uint64_t{1} << 30;
  return CreateInterpreterDevice(settings);
}

void CheckAgainstWabt(const Bytes& wasm, const std::string& name, const LaneRun& run) {
  for (uint32_t lane = 0; lane < kLanes; lane += 4) {
    std::string error;
    auto oracle = oracle::Oracle::Open(wasm, &error);
    ASSERT_NE(oracle, nullptr) << error;
    std::vector<oracle::Value> args;
    for (uint64_t bits : ArgumentsOf(lane)) {
      args.push_back({static_cast<oracle::Type>(args.size()), bits});
    }
    ASSERT_FALSE(oracle->Call(name, args).trapped);
    const std::vector<uint8_t> memory = oracle->Memory();
    const auto* ours = reinterpret_cast<const uint8_t*>(run.record(lane) + run.output_at);
    for (size_t byte = 0; byte < 128 * kRounds; ++byte) {
      ASSERT_EQ(ours[byte], memory[byte]) << name << " lane " << lane << " byte " << byte;
    }
  }
}

TEST(VectorOperatorsTest, EveryEngineAgrees) {
  std::string wat = "(module (memory 1 1)\n";
  for (size_t first = 0; first < std::size(kOperators); first += kPerFunction) {
    wat += FunctionText(first, std::min(kPerFunction, std::size(kOperators) - first));
  }
  auto wasm = Assemble(wat + ")");
  ASSERT_TRUE(wasm.ok()) << wasm.status().ToString();
  auto lowered = Lower(*Module::Decode(*wasm));
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  auto interpreter = LanesUnderTest::Build(Interpreter(), *lowered);
  auto cpu = LanesUnderTest::Build(Cpu(MemoryLayout::kContiguous), *lowered);
  auto interleaved = LanesUnderTest::Build(Cpu(MemoryLayout::kInterleaved), *lowered);
  for (auto* lanes : {&interpreter, &cpu, &interleaved}) {
    ASSERT_TRUE(lanes->ok()) << lanes->status().ToString();
  }
  size_t against_wabt = 0;
  for (size_t first = 0; first < std::size(kOperators); first += kPerFunction) {
    const std::string name = "f" + std::to_string(first);
    SCOPED_TRACE(name + " from [" + std::string(FactsOf(kOperators[first]).text) + "] on");
    auto whole = (*interpreter).Run(name, false, kMaxFuel);
    ASSERT_TRUE(whole.ok()) << whole.status().ToString();
    for (auto* lanes : {&interpreter, &cpu, &interleaved}) {
      for (bool slices : {false, true}) {
        auto run = (**lanes).Run(name, slices, kMaxFuel);
        ASSERT_TRUE(run.ok()) << run.status().ToString();
        ASSERT_EQ(Difference(*whole, *run), "") << (slices ? "in slices" : "whole");
      }
    }
    if (!IsOfFloats(first, std::min(kPerFunction, std::size(kOperators) - first))) {
      CheckAgainstWabt(*wasm, name, *whole);
      ++against_wabt;
    }
  }
  EXPECT_GT(against_wabt, 10u);
}

}  // namespace
}  // namespace wb::test
