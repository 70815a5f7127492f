// What metal floats cost beside native ones, on one thread of the CPU device: every operation in
// wasm loops, as one dependent chain and as eight independent ones, and the demo's module. The
// device's threads flush subnormals with metal floats; the operands are normal numbers. The device
// computes on the calling thread, so its processor time is what counts.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/mandelbrot.h"
#include "bench/scheduling/launches.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::bench {
namespace {

constexpr uint32_t kRounds = 20000;
constexpr int kOpsInRound = 16;

// `step` of an accumulator $c with constants around it; FT, ft and IT stand for f64 or f32, i64 or
// i32 of the type.
struct Operation {
  const char* name;
  const char* step;
};
constexpr Operation kOperations[] = {
    {"add", "(FT.add C (FT.const 0.001))"},
    {"mul", "(FT.mul C (FT.const 1.00001))"},
    {"mul_add", "(FT.add (FT.mul C (FT.const 0.999)) (FT.const 0.01))"},
    {"div", "(FT.div C (FT.const 1.00001))"},
    {"sqrt", "(FT.sqrt C)"},
    // A bit of each result is flipped, so that the next operation has something to do.
    {"flip_min", "(FLIP (FT.min C (FT.const 1.25)))"},
    {"flip_floor", "(FLIP (FT.floor C))"},
    {"flip_nearest", "(FLIP (FT.nearest C))"},
    {"flip_to_i32_and_back", "(FLIP (FT.convert_i32_s (i32.trunc_sat_FT_s C)))"},
    {"flip_to_i64_and_back", "(FLIP (FT.convert_i64_s (i64.trunc_sat_FT_s C)))"},
    {"lt_select", "(select (FT.const 0.5) (FT.const 1.5) (FT.lt (FT.const 1.0) C))"},
};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string LoopText(const std::string& type, const std::string& step, int chains) {
  const bool wide = type == "f64";
  // (FLIP x) needs a closing parenthesis less than it opens; they stand at the end of the step.
  std::string flip = wide ? "f64.reinterpret_i64 (i64.xor (i64.const 0x0008000000000000) "
                            "(i64.reinterpret_f64 "
                          : "f32.reinterpret_i32 (i32.xor (i32.const 0x00400000) "
                            "(i32.reinterpret_f32 ";
  std::string text = Replaced(step, "FLIP ", flip);
  if (text != step) text += "))";
  text = Replaced(text, "FT", type);
  std::string locals, begin, body, sum = "(" + type + ".const 0)";
  for (int i = 0; i < chains; ++i) {
    const std::string c = "$c" + std::to_string(i);
    locals += "(local " + c + " " + type + ")";
    begin += "(local.set " + c + " (" + type + ".const 1." + std::to_string(i) + "))";
    sum = "(" + type + ".add (local.get " + c + ") " + sum + ")";
  }
  for (int i = 0; i < kOpsInRound; ++i) {
    const std::string c = "$c" + std::to_string(i % chains);
    body += "(local.set " + c + " " + Replaced(text, " C", " (local.get " + c + ")") + ")\n";
  }
  return "(module (func (export \"run\") (param $n i32) (result " + type + ")" + locals + begin +
         "(loop $l " + body +
         "(local.set $n (i32.sub (local.get $n) (i32.const 1))) (br_if $l (local.get $n)))" + sum +
         "))";
}

JobSpec LoopJob(const std::string& wat) {
  JobSpec job;
  job.module = Take(Module::Decode(test::MustAssemble(wat)));
  Operand rounds{.source = Operand::Source::kConstant, .value = Value::I32(kRounds)};
  job.steps = {CallStep{.function = "run", .args = {rounds}}};
  job.instances = 1;
  return job;
}

Floats FloatsOf(bool metal) { return metal ? Floats::kMetal : Floats::kNative; }

// Counter `each`: seconds of one operation, the loop's own work included.
void BM_Operation(benchmark::State& state, const std::string& wat, bool metal) {
  RunLaunches(state, Engine::kCpu, LoopJob(wat), FloatsOf(metal));
  state.counters["each"] = benchmark::Counter(
      double{kRounds} * kOpsInRound,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void BM_Mandelbrot(benchmark::State& state, bool metal) {
  RunLaunches(state, Engine::kCpu, MandelbrotJob(32, 64), FloatsOf(metal));
}
BENCHMARK_CAPTURE(BM_Mandelbrot, native, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Mandelbrot, metal, true)->Unit(benchmark::kMillisecond);

void RegisterOperations() {
  for (const char* type : {"f32", "f64"}) {
    for (const Operation& operation : kOperations) {
      for (const int chains : {1, 8}) {
        const std::string wat = LoopText(type, operation.step, chains);
        for (const bool metal : {false, true}) {
          const std::string name = std::string(type) + "." + operation.name +
                                   (chains == 1 ? "/chain" : "/eight") +
                                   (metal ? "/metal" : "/native");
          benchmark::RegisterBenchmark(name.c_str(), BM_Operation, wat, metal);
        }
      }
    }
  }
}

}  // namespace
}  // namespace wb::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  wb::bench::RegisterOperations();
  benchmark::RunSpecifiedBenchmarks();
}
