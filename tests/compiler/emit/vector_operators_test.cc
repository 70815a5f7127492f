// Every vector operator of opcode_simd.def on noise and corners: the same memory, word for word, on
// the cpu device in both layouts (clang's own vectors), in the interpreter (the text's functions,
// compiled by another compiler or without the prelude's), whole and in slices; and, as far as no
// float's NaN shows, in wabt's interpreter. Relaxed ones against what the deterministic profile
// makes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/emit/lanes_under_test.h"
#include "tests/compiler/emit/vector_functions.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/oracle/oracle.h"

namespace wb::test {
namespace {

constexpr uint32_t kFirstRelaxedCode = 0xfd100;
constexpr uint64_t kMaxFuel = 1'000'000;

// All but the relaxed ones.
std::vector<Opcode> Operators() {
  std::vector<Opcode> opcodes = {
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate) Opcode::k##name,
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode_simd.def"
#undef WB_OTHER
  };
  std::erase_if(opcodes, [](Opcode opcode) { return FactsOf(opcode).code >= kFirstRelaxedCode; });
  return opcodes;
}

bool IsOfFloats(std::span<const std::string> operations) {
  return std::any_of(operations.begin(), operations.end(), [](const std::string& text) {
    return text.find("f32") != std::string::npos || text.find("f64") != std::string::npos;
  });
}

std::unique_ptr<Device> Cpu(MemoryLayout layout, bool metal_floats = false) {
  CpuSettings settings;
  settings.layout = layout;
  settings.metal_floats = metal_floats;
  settings.memory_bytes = uint64_t{1} << 30;
  auto device = CreateCpuDevice(settings);
  EXPECT_TRUE(device.ok()) << device.status().ToString();
  return std::move(device).value();
}

std::unique_ptr<Device> Interpreter() {
  InterpreterSettings settings;
  settings.memory_bytes = uint64_t{1} << 30;
  settings.asserts_facts = true;
  return CreateInterpreterDevice(settings);
}

// A module of vector functions on every engine.
struct Subjects {
  Bytes wasm;
  std::vector<LanesUnderTest> engines;
};

void Build(const std::string& functions, Subjects* subjects) {
  auto wasm = Assemble("(module (memory 1 1)\n" + functions + ")");
  ASSERT_TRUE(wasm.ok()) << wasm.status().ToString();
  subjects->wasm = *wasm;
  auto module = Module::Decode(*wasm);
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  auto lowered = Lower(*module);
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  const auto add = [&](std::unique_ptr<Device> device, Effort effort) {
    auto lanes = LanesUnderTest::Build(std::move(device), *lowered, {.effort = effort});
    ASSERT_TRUE(lanes.ok()) << lanes.status().ToString();
    subjects->engines.push_back(std::move(lanes).value());
  };
  add(Interpreter(), Effort::kFull);
  for (MemoryLayout layout :
       {MemoryLayout::kContiguous, MemoryLayout::kInterleaved, MemoryLayout::kHot}) {
    add(Cpu(layout), EffortOf(layout));
  }
  add(Cpu(MemoryLayout::kContiguous, /*metal_floats=*/true), Effort::kFull);
}

// Runs a function on every engine, whole and in slices; *run is what came out of all.
void EveryEngineAgrees(Subjects& subjects, const std::string& name, LaneRun* run) {
  auto whole = subjects.engines[0].Run(name, false, kMaxFuel);
  ASSERT_TRUE(whole.ok()) << whole.status().ToString();
  *run = *whole;
  for (size_t engine = 0; engine < subjects.engines.size(); ++engine) {
    for (bool slices : {false, true}) {
      auto other = subjects.engines[engine].Run(name, slices, kMaxFuel);
      ASSERT_TRUE(other.ok()) << other.status().ToString();
      ASSERT_EQ(Difference(*run, *other), "")
          << "engine " << engine << (slices ? " in slices" : " whole");
    }
  }
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
    for (size_t byte = 0; byte < 16 * kVectorsInFunction * kVectorRounds; ++byte) {
      ASSERT_EQ(ours[byte], memory[byte]) << name << " lane " << lane << " byte " << byte;
    }
  }
}

TEST(VectorOperatorsTest, EveryEngineAgrees) {
  std::vector<std::string> operations;
  for (Opcode opcode : Operators()) operations.push_back(VectorOperation(opcode));
  const auto part = [&](size_t first) {
    return std::span(operations)
        .subspan(first, std::min<size_t>(kVectorsInFunction, operations.size() - first));
  };
  std::string functions;
  for (size_t first = 0; first < operations.size(); first += kVectorsInFunction) {
    functions += VectorFunction("f" + std::to_string(first), part(first));
  }
  Subjects subjects;
  ASSERT_NO_FATAL_FAILURE(Build(functions, &subjects));
  size_t against_wabt = 0;
  for (size_t first = 0; first < operations.size(); first += kVectorsInFunction) {
    const std::string name = "f" + std::to_string(first);
    SCOPED_TRACE(name + " from " + operations[first] + " on");
    LaneRun run;
    ASSERT_NO_FATAL_FAILURE(EveryEngineAgrees(subjects, name, &run));
    if (IsOfFloats(part(first))) continue;
    CheckAgainstWabt(subjects.wasm, name, run);
    ++against_wabt;
  }
  EXPECT_GT(against_wabt, 10u);
}

// ---- relaxed operators

#define X " (local.get $x)"
#define Y " (local.get $y)"
#define Z " (local.get $z)"
#define PRODUCTS                   \
  " (i16x8.extmul_low_i8x16_s" X Y \
  ")"                              \
  " (i16x8.extmul_high_i8x16_s" X Y ")"
#define DOT                                                            \
  "(i16x8.add_sat_s"                                                   \
  " (i8x16.shuffle 0 1 4 5 8 9 12 13 16 17 20 21 24 25 28 29" PRODUCTS \
  ")"                                                                  \
  " (i8x16.shuffle 2 3 6 7 10 11 14 15 18 19 22 23 26 27 30 31" PRODUCTS "))"
#define LOWEST8 " (v128.const i8x16 -128 -128 -128 127 -128 -1 0 0 1 2 3 4 -1 -2 -3 -4)"

struct RelaxedCase {
  const char* relaxed;  // by wabt's names
  const char* expected;
};
constexpr RelaxedCase kRelaxed[] = {
    {"(i8x16.relaxed_swizzle" X Y ")", "(i8x16.swizzle" X Y ")"},
    {"(i8x16.relaxed_swizzle" X " (v128.const i8x16 0 15 16 17 31 32 127 128 255 1 2 3 4 5 6 7))",
     "(i8x16.shuffle 0 15 16 16 16 16 16 16 16 1 2 3 4 5 6 7" X " (v128.const i64x2 0 0))"},
    {"(i32x4.relaxed_trunc_f32x4_s" X ")", "(i32x4.trunc_sat_f32x4_s" X ")"},
    {"(i32x4.relaxed_trunc_f32x4_u" X ")", "(i32x4.trunc_sat_f32x4_u" X ")"},
    {"(i32x4.relaxed_trunc_f32x4_s (v128.const f32x4 nan 3e9 -3e9 -2.9))",
     "(v128.const i32x4 0 0x7fffffff 0x80000000 -2)"},
    {"(i32x4.relaxed_trunc_f32x4_u (v128.const f32x4 nan 5e9 -3e9 3e9))",
     "(v128.const i32x4 0 0xffffffff 0 3000000000)"},
    {"(i32x4.relaxed_trunc_f64x2_s_zero" X ")", "(i32x4.trunc_sat_f64x2_s_zero" X ")"},
    {"(i32x4.relaxed_trunc_f64x2_u_zero" X ")", "(i32x4.trunc_sat_f64x2_u_zero" X ")"},
    // Rounded twice: x * x is 1 + 2^-11 + 2^-24, and its last part is lost; then of f64.
    {"(f32x4.relaxed_madd (v128.const f32x4 0x1.001p0 3 0 inf) (v128.const f32x4 0x1.001p0 4 inf 1)"
     " (v128.const f32x4 -0x1.002p0 -12 1 -inf))",
     "(v128.const f32x4 0 0 nan nan)"},
    {"(f64x2.relaxed_madd (v128.const f64x2 0x1.0000001p0 0.5) (v128.const f64x2 0x1.0000001p0 4)"
     " (v128.const f64x2 -0x1.0000002p0 1))",
     "(v128.const f64x2 0 3)"},
    {"(f32x4.relaxed_nmadd (v128.const f32x4 0x1.001p0 3 2 -0) (v128.const f32x4 0x1.001p0 4 5 1)"
     " (v128.const f32x4 0x1.002p0 12 1 -0))",
     "(v128.const f32x4 0 0 -9 0)"},
    {"(f32x4.relaxed_madd" X Y Z ")", "(f32x4.add (f32x4.mul" X Y ")" Z ")"},
    {"(f32x4.relaxed_nmadd" X Y Z ")", "(f32x4.add (f32x4.mul (f32x4.neg" X ")" Y ")" Z ")"},
    {"(f64x2.relaxed_madd" X Y Z ")", "(f64x2.add (f64x2.mul" X Y ")" Z ")"},
    {"(f64x2.relaxed_nmadd" X Y Z ")", "(f64x2.sub" Z " (f64x2.mul" X Y "))"},
    {"(i8x16.relaxed_laneselect" X Y Z ")", "(v128.bitselect" X Y Z ")"},
    {"(i16x8.relaxed_laneselect" X Y Z ")", "(v128.bitselect" X Y Z ")"},
    {"(i32x4.relaxed_laneselect" X Y Z ")", "(v128.bitselect" X Y Z ")"},
    {"(i64x2.relaxed_laneselect" X Y Z ")", "(v128.bitselect" X Y Z ")"},
    {"(f32x4.relaxed_min" X Y ")", "(f32x4.min" X Y ")"},
    {"(f32x4.relaxed_max" X Y ")", "(f32x4.max" X Y ")"},
    {"(f64x2.relaxed_min" X Y ")", "(f64x2.min" X Y ")"},
    {"(f64x2.relaxed_max" X Y ")", "(f64x2.max" X Y ")"},
    {"(f32x4.relaxed_min (v128.const f32x4 -0 0 nan 1) (v128.const f32x4 0 -0 1 -nan:0x200000))",
     "(v128.const f32x4 -0 -0 nan nan)"},
    {"(i16x8.relaxed_q15mulr_s" X Y ")", "(i16x8.q15mulr_sat_s" X Y ")"},
    {"(i16x8.relaxed_q15mulr_s (v128.const i16x8 -32768 -32767 32767 0 1 -1 2 16384)"
     " (v128.const i16x8 -32768 -32768 32767 0 32767 32767 -32768 -2))",
     "(v128.const i16x8 32767 32767 32766 0 1 -1 -2 -1)"},
    {"(i16x8.dot_i8x16_i7x16_s" X Y ")", DOT},
    {"(i16x8.dot_i8x16_i7x16_s" LOWEST8 LOWEST8 ")",
     "(v128.const i16x8 32767 32513 16385 0 5 25 5 25)"},
    {"(i32x4.dot_i8x16_i7x16_add_s" X Y Z ")",
     "(i32x4.add (i32x4.extadd_pairwise_i16x8_s " DOT ")" Z ")"},
    {"(i32x4.dot_i8x16_i7x16_add_s" LOWEST8 LOWEST8 " (v128.const i32x4 1 2 0x7fffffff -30))",
     "(v128.const i32x4 65281 16387 -2147483619 0)"},
};
#undef LOWEST8
#undef DOT
#undef PRODUCTS
#undef Z
#undef Y
#undef X

TEST(VectorOperatorsTest, RelaxedOnesAreThoseOfTheDeterministicProfile) {
  std::vector<std::string> operations;
  for (const RelaxedCase& row : kRelaxed) {
    operations.push_back(row.relaxed);
    operations.push_back(row.expected);
  }
  const size_t rows_in_function = kVectorsInFunction / 2;
  std::string functions;
  for (size_t row = 0; row < std::size(kRelaxed); row += rows_in_function) {
    const size_t rows = std::min(rows_in_function, std::size(kRelaxed) - row);
    functions +=
        VectorFunction("f" + std::to_string(row), std::span(operations).subspan(2 * row, 2 * rows));
  }
  Subjects subjects;
  ASSERT_NO_FATAL_FAILURE(Build(functions, &subjects));
  for (size_t row = 0; row < std::size(kRelaxed); ++row) {
    const size_t place = row % rows_in_function;
    SCOPED_TRACE(kRelaxed[row].relaxed);
    LaneRun run;
    ASSERT_NO_FATAL_FAILURE(EveryEngineAgrees(subjects, "f" + std::to_string(row - place), &run));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t round = 0; round < kVectorRounds; ++round) {
        const uint32_t* relaxed = run.record(lane) + run.output_at + 32 * round + 8 * place;
        for (uint32_t word = 0; word < 4; ++word) {
          ASSERT_EQ(relaxed[word], relaxed[word + 4])
              << "lane " << lane << " round " << round << " word " << word;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wb::test
