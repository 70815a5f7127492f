// Our engines against wabt's interpreter: every module of modules/, every export, many arguments.

#include "tests/oracle/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "compiler/compiler.h"
#include "scheduler/job/program_encoder.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/oracle/arguments.h"
#include "tests/spec/build_pool.h"
#include "tests/spec/compare.h"
#include "tests/spec/engines.h"
#include "tests/spec/lane_run.h"
#include "tests/spec/wast_file.h"

namespace wb::oracle {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 20;

struct Expected {
  std::vector<Step> steps;
  std::vector<Outcome> outcomes;  // of the calls, in order
  std::vector<uint8_t> memory;
};

ValueType TypeOf(Type type) {
  constexpr ValueType kTypes[] = {ValueType::kI32, ValueType::kI64, ValueType::kF32,
                                  ValueType::kF64};
  return kTypes[static_cast<size_t>(type)];
}

wb::Value ToValue(const Value& value) {
  wb::Value out = wb::Value::I64(value.bits);
  out.type = TypeOf(value.type);
  return out;
}

// Both NaN, of one width: payload and sign are not compared.
bool BothNan(const wb::Value& a, const wb::Value& b) {
  const auto is_nan = [](const wb::Value& value) {
    if (value.type == ValueType::kF32) return (value.bits() & 0x7fffffff) > 0x7f800000;
    if (value.type != ValueType::kF64) return false;
    return (value.bits() & 0x7fffffffffffffff) > 0x7ff0000000000000;
  };
  return a.type == b.type && is_nan(a) && is_nan(b);
}

// Calls every export kRounds times on one instance of wabt's, and notes the same as lane steps.
Expected Ask(Oracle* oracle) {
  Expected expected;
  ArgumentSource source(0x9e3779b97f4a7c15);
  for (int round = 0; round < kRounds; ++round) {
    for (const Export& exported : oracle->exports()) {
      CallStep step;
      step.function = exported.name;
      step.go_on_after_trap = true;
      const std::vector<Value> args = source.Take(exported.params);
      for (const Value& value : args) {
        Operand operand;
        operand.value = ToValue(value);
        step.args.push_back(operand);
      }
      expected.outcomes.push_back(oracle->Call(exported.name, args));
      expected.steps.emplace_back(step);
    }
  }
  expected.memory = oracle->Memory();
  if (!expected.memory.empty()) {
    ReadStep read;
    read.length.value = wb::Value::I32(static_cast<uint32_t>(expected.memory.size()));
    read.output = "memory";
    expected.steps.emplace_back(read);
  }
  return expected;
}

void ExpectSame(const Outcome& outcome, const spec::StepSeen& seen) {
  ASSERT_TRUE(seen.reached);
  EXPECT_EQ(outcome.trapped ? outcome.trap : "", TrapWords(seen.trap));
  if (outcome.trapped || seen.trap != Trap::kNone) return;
  ASSERT_EQ(outcome.results.size(), seen.results.size());
  for (size_t i = 0; i < seen.results.size(); ++i) {
    const wb::Value theirs = ToValue(outcome.results[i]);
    if (BothNan(theirs, seen.results[i])) continue;
    EXPECT_EQ(spec::Describe(theirs), spec::Describe(seen.results[i])) << "result " << i;
  }
}

void ExpectSame(const Expected& expected, const spec::Observed& observed) {
  EXPECT_EQ(observed.end, End::kReturned);
  for (size_t i = 0; i < expected.outcomes.size(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i) + ", " +
                 std::get<CallStep>(expected.steps[i]).function);
    ExpectSame(expected.outcomes[i], observed.steps[i]);
  }
  const auto difference = std::mismatch(expected.memory.begin(), expected.memory.end(),
                                        observed.output.begin(), observed.output.end());
  EXPECT_TRUE(difference.first == expected.memory.end())
      << "memory differs from byte " << difference.first - expected.memory.begin();
}

struct Candidate {
  std::string name;
  Expected expected;
  std::shared_ptr<const Module> module;
  std::shared_ptr<const LoweredModule> lowered;
  spec::BuildPool::Future binary;
};

class OracleComparison {
 public:
  explicit OracleComparison(Device* device)
      : device_(device), pool_(device, "", std::max(1u, std::thread::hardware_concurrency())) {}

  // What the engine refuses by name is listed, not compared.
  void Add(const fs::path& path);
  void Compare();
  const std::vector<std::string>& refused() const { return refused_; }
  size_t compared() const { return candidates_.size(); }

 private:
  Status Prepare(Candidate* candidate);
  Status Run(const Candidate& candidate);

  Device* device_;
  spec::BuildPool pool_;
  std::vector<Candidate> candidates_;
  std::vector<std::string> refused_;
};

Status OracleComparison::Prepare(Candidate* candidate) {
  WB_ASSIGN(candidate->lowered, Lower(candidate->module));
  KernelSource source;
  source.digest = candidate->module->digest();
  source.layout = candidate->lowered->layout;
  if (device_->info().engine != Engine::kInterpreter) {
    WB_ASSIGN(source, EmitKernel(*candidate->lowered, device_->info().options));
  }
  candidate->binary = pool_.Submit(candidate->lowered, std::move(source));
  return {};
}

void OracleComparison::Add(const fs::path& path) {
  Candidate candidate;
  candidate.name = path.stem().string();
  SCOPED_TRACE(candidate.name);
  const auto text = spec::ReadFileBytes(path);
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  const auto wasm = test::Assemble(AsText(*text));
  ASSERT_TRUE(wasm.ok()) << wasm.status().ToString();
  const auto module = Module::Decode(*wasm);
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  candidate.module = *module;
  const Status prepared = Prepare(&candidate);
  if (prepared.reason() == Reason::kWasmUnsupportedFeature) {
    refused_.push_back(candidate.name + ": " + prepared.message());
    return;
  }
  ASSERT_TRUE(prepared.ok()) << prepared.ToString();
  std::string error;
  const auto oracle = Oracle::Open(*wasm, &error);
  ASSERT_NE(oracle, nullptr) << error;
  candidate.expected = Ask(oracle.get());
  candidates_.push_back(std::move(candidate));
}

Status OracleComparison::Run(const Candidate& candidate) {
  const Result<Bytes>& binary = *candidate.binary.get();
  if (!binary.ok()) return binary.status();
  WB_ASSIGN(const PipelineRef pipeline, device_->Load(candidate.lowered, *binary));
  WB_ASSIGN(const auto program, EncodeProgram(*candidate.module, candidate.expected.steps, {}));
  WB_ASSIGN(const auto observed,
            spec::RunLanes(*device_, candidate.lowered, pipeline, program, /*leave=*/true,
                           static_cast<uint32_t>(candidate.expected.memory.size())));
  ExpectSame(candidate.expected, observed);
  return {};
}

void OracleComparison::Compare() {
  for (const Candidate& candidate : candidates_) {
    SCOPED_TRACE(candidate.name);
    const Status status = Run(candidate);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

void CompareAll(const spec::EngineChoice& choice) {
  const auto device = spec::OpenEngine(choice);
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  OracleComparison comparison(device->get());
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(WB_ORACLE_MODULES)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) comparison.Add(path);
  comparison.Compare();
  for (const std::string& refused : comparison.refused()) {
    std::printf("refused by name: %s\n", refused.c_str());
  }
  EXPECT_GE(comparison.compared(), 28u);
}

TEST(EnginesAgreeWithTheOracle, Interpreter) {
  CompareAll({Engine::kInterpreter, MemoryLayout::kContiguous, Floats::kNative, 0});
}
TEST(EnginesAgreeWithTheOracle, CpuContiguous) {
  CompareAll({Engine::kCpu, MemoryLayout::kContiguous, Floats::kNative, 0});
}
TEST(EnginesAgreeWithTheOracle, CpuInterleaved) {
  CompareAll({Engine::kCpu, MemoryLayout::kInterleaved, Floats::kNative, 0});
}

TEST(Oracle, TellsWhyItDoesNotStart) {
  std::string error;
  EXPECT_EQ(Oracle::Open(test::MustAssemble("(module (import \"a\" \"b\" (func)))"), &error),
            nullptr);
  EXPECT_EQ(error, "it has imports");
  EXPECT_EQ(Oracle::Open(test::MustAssemble("(module (func unreachable) (start 0))"), &error),
            nullptr);
  EXPECT_EQ(error, "unreachable");
}

TEST(Oracle, GlobalsAndMemory) {
  std::string error;
  const auto oracle =
      Oracle::Open(test::MustAssemble("(module (memory 1) (global (mut i64) (i64.const -2))"
                                      " (func (export \"f\") (param i32) (i32.store8 (i32.const 3)"
                                      " (local.get 0)) (global.set 0 (i64.const 5))))"),
                   &error);
  ASSERT_NE(oracle, nullptr) << error;
  EXPECT_EQ(oracle->Globals()[0].bits, ~uint64_t{1});
  EXPECT_FALSE(oracle->Call("f", {{Type::kI32, 9}}).trapped);
  EXPECT_EQ(oracle->Memory().at(3), 9);
  EXPECT_EQ(oracle->Globals()[0].bits, 5u);
  EXPECT_TRUE(oracle->Call("nobody", {}).trapped);
}

}  // namespace
}  // namespace wb::oracle
