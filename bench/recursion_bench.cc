// What recursion costs on the CPU device, one thread, by the number of native copies of recursive
// functions (compiler/docs/calls.md). The counter is calls of the guest in a second
// of processor time.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/job/lane_program.h"
#include "scheduler/job/program_encoder.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb {
namespace {

template <typename T>
T Must(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
  std::exit(1);
}

// Each exports run(i32) -> i32.
struct Guest {
  std::string wat;
  uint32_t argument = 0;
  double calls = 0;
};

Guest Fib() {
  return {R"((module (func $fib (export "run") (param $n i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $n) (i32.const 2)) (then (local.get $n))
      (else (i32.add (call $fib (i32.sub (local.get $n) (i32.const 1)))
                     (call $fib (i32.sub (local.get $n) (i32.const 2)))))))))",
          26, 392835};
}

// As deep as 1,000 calls, again and again: no copy helps.
Guest Deep() {
  return {R"((module
    (func $sum (param $n i32) (result i32)
      (if (result i32) (i32.eqz (local.get $n)) (then (i32.const 0))
        (else (i32.add (local.get $n) (call $sum (i32.sub (local.get $n) (i32.const 1)))))))
    (func (export "run") (param $n i32) (result i32) (local $i i32) (local $all i32)
      (loop $l
        (local.set $all (i32.add (local.get $all) (call $sum (i32.const 1000))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (local.get $n))))
      (local.get $all))))",
          300, 300 * 1001};
}

// An expression of digits, + * and parentheses, at most `depth` parentheses deep.
std::string Expression(std::mt19937& random, int depth) {
  std::string text;
  const auto factor = [&] {
    return depth > 0 && random() % 3 != 0 ? "(" + Expression(random, depth - 1) + ")"
                                          : std::to_string(random() % 10);
  };
  for (uint32_t i = 0, n = 1 + random() % 3; i < n; ++i) {
    text += (i == 0 ? "" : random() % 2 == 0 ? "+" : "*") + factor();
  }
  return text;
}

// expression -> term -> factor -> expression, over a text in memory.
Guest Parser() {
  std::mt19937 random(3);
  std::string text;
  while (text.size() < 3000) text += (text.empty() ? "" : "+") + Expression(random, 9);
  double calls = 1;  // of expressions, terms and factors
  for (char c : text) calls += c == '(' ? 2 : c == '+' ? 2 : c == '*' ? 1 : c == ')' ? 0 : 1;
  const std::string at = "(i32.load8_u (global.get $at))";
  const std::string next = "(global.set $at (i32.add (global.get $at) (i32.const 1)))";
  const auto chain = [&](const char* name, const char* part, char sign, const char* op) {
    return "(func $" + std::string(name) + " (result i32) (local $value i32)" +
           "(local.set $value (call $" + part + "))(loop $l (if (i32.eq " + at + " (i32.const " +
           std::to_string(sign) + ")) (then " + next + "(local.set $value (i32." + op +
           " (local.get $value) (call $" + part + "))) (br $l))))(local.get $value))";
  };
  Guest guest{"(module (memory 1) (global $at (mut i32) (i32.const 0)) (data (i32.const 0) \"" +
                  text + "\")" + chain("expression", "term", '+', "add") +
                  chain("term", "factor", '*', "mul") +
                  "(func $factor (result i32) (local $value i32)(if (i32.eq " + at +
                  " (i32.const 40)) (then " + next + "(local.set $value (call $expression))" +
                  next + ") (else (local.set $value (i32.sub " + at + " (i32.const 48)))" + next +
                  "))(local.get $value))" +
                  "(func (export \"run\") (param $n i32) (result i32) (local $i i32) (local $all "
                  "i32) (loop $l (global.set $at (i32.const 0))"
                  "(local.set $all (i32.xor (local.get $all) (call $expression)))"
                  "(br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))"
                  "(local.get $n)))) (local.get $all)))",
              100, 0};
  guest.calls = 100 * calls;
  return guest;
}

void Run(benchmark::State& state, const Guest& guest) {
  CpuSettings settings;
  settings.threads = 1;
  const auto device = Must(CreateCpuDevice(settings));
  const auto module = Must(Lower(Must(Module::Decode(Must(test::Assemble(guest.wat))))));
  CompileOptions options = device->info().options;
  options.most_copies = static_cast<uint32_t>(state.range(0));
  options.most_copied_rows = 1u << 20;
  const KernelSource source = Must(EmitKernel(*module, options));
  const auto pipeline = Must(device->Load(module, Must(device->Build(*module, source))));
  CallStep call;
  call.function = "run";
  Operand argument;
  argument.value = Value::I32(guest.argument);
  call.args.push_back(argument);
  const auto program = Must(EncodeProgram(*module->program.module, {call}, {}));
  DispatchShape shape;
  shape.lanes = 1;
  shape.capacity_pages = shape.max_pages = module->program.image.min_pages;
  shape.program = program.words;
  shape.steps = 1;
  shape.register_words = program.register_words;
  const auto dispatch = Must(device->Allocate(pipeline, shape));
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  for (auto _ : state) {
    MarkStart(dispatch->records());
    (void)Must(device->Launch(*dispatch, limits));
    if (dispatch->records()[abi::RECORD_END] != 0) state.SkipWithError("The guest failed.");
  }
  state.counters["calls"] =
      benchmark::Counter(guest.calls, benchmark::Counter::kIsIterationInvariantRate);
}

void BM_Fib26(benchmark::State& state) { Run(state, Fib()); }
void BM_Parser(benchmark::State& state) { Run(state, Parser()); }
void BM_Deep1000(benchmark::State& state) { Run(state, Deep()); }

#define WB_COPIES ArgName("copies")->Arg(0)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Arg(12)->Arg(16)
BENCHMARK(BM_Fib26)->WB_COPIES->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Parser)->WB_COPIES->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Deep1000)->WB_COPIES->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wb
