// How many bytes of kernel text a row of wasm comes to, by its kind:
//
//   text_bytes
//
// A function holds a piece of wasm 8 times, and 40 times; what the text has more stands beside what
// the module has more, for one piece. Text as a GPU gets it (interleaved, native floats). Sums
// become one expression, so that one more is little.

#include <cstdio>
#include <string>

#include "compiler/compiler.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::bench {
namespace {

constexpr int kFew = 8;
constexpr int kMany = 40;

struct Kind {
  const char* name;
  const char* piece;
};

constexpr Kind kKinds[] = {
    {"i32.add to a local", "(local.set 0 (i32.add (local.get 0) (local.get 1)))"},
    {"i32.div_u", "(local.set 0 (i32.div_u (local.get 1) (local.get 0)))"},
    {"i64.mul", "(local.set 2 (i64.mul (local.get 2) (local.get 2)))"},
    {"f64.mul", "(local.set 3 (f64.mul (local.get 3) (local.get 3)))"},
    {"i32.trunc_f64_s", "(local.set 0 (i32.trunc_f64_s (local.get 3)))"},
    {"i32.load", "(local.set 0 (i32.load (local.get 0)))"},
    {"i64.load", "(local.set 2 (i64.load (local.get 0)))"},
    {"i32.store", "(i32.store (local.get 0) (local.get 1))"},
    {"global.set", "(global.set 0 (i32.add (global.get 0) (local.get 0)))"},
    {"select", "(local.set 0 (select (local.get 0) (local.get 1) (local.get 4)))"},
    {"if", "(if (local.get 0) (then (local.set 1 (local.get 4))))"},
    {"block with br_if", "(block (br_if 0 (local.get 0)) (local.set 1 (local.get 4)))"},
    {"br_table of 4",
     "(block (block (block (br_table 0 1 2 0 (local.get 0))) (local.set 1 (local.get 4)))"
     " (local.set 4 (local.get 0)))"},
    {"loop with br_if", "(loop (br_if 0 (local.tee 0 (i32.shr_u (local.get 0) (local.get 1)))))"},
    {"loop that calls",
     "(loop (br_if 0 (local.tee 0 (i32.shr_u (call $loops (local.get 0)) (local.get 1)))))"},
    {"call of a small function", "(local.set 0 (call $small (local.get 1)))"},
    {"call of one with a loop", "(local.set 0 (call $loops (local.get 1)))"},
    {"call of a recursive one", "(local.set 0 (call $recurs (local.get 1)))"},
    {"call_indirect of 2", "(local.set 0 (call_indirect (type $t) (local.get 1) (local.get 0)))"},
    {"memory.fill", "(memory.fill (local.get 0) (local.get 1) (local.get 4))"},
    {"memory.grow", "(local.set 0 (memory.grow (local.get 1)))"},
};

std::string ModuleOf(const Kind& kind, int pieces) {
  std::string text =
      "(module (type $t (func (param i32) (result i32))) (memory 1 2) (global (mut i32) (i32.const "
      "1))"
      "(table 2 2 funcref) (elem (i32.const 0) $small $loops)"
      "(func $small (param i32) (result i32) (i32.xor (local.get 0) (i32.const 77)))"
      "(func $loops (param i32) (result i32)"
      " (loop (br_if 0 (local.tee 0 (i32.shr_u (local.get 0) (i32.const 1))))) (local.get 0))"
      "(func $recurs (param i32) (result i32)"
      " (if (result i32) (local.get 0)"
      "  (then (call $recurs (i32.shr_u (local.get 0) (i32.const 1)))) (else (i32.const 5))))"
      "(func (export \"run\") (param i32 i32) (result i32)"
      " (local i64 f64 i32)";
  for (int i = 0; i < pieces; ++i) text += kind.piece;
  return text + " (i32.add (local.get 0) (i32.add (local.get 1) (local.get 4)))))";
}

struct PieceBytes {
  size_t wasm = 0;
  size_t text = 0;
};

Result<PieceBytes> BytesOf(const Kind& kind, int pieces) {
  const Bytes wasm = test::MustAssemble(ModuleOf(kind, pieces));
  WB_ASSIGN(const auto decoded, Module::Decode(wasm));
  WB_ASSIGN(const auto module, Lower(decoded));
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  WB_ASSIGN(const KernelSource source, EmitKernel(*module, options));
  return PieceBytes{wasm.size(), source.text.size()};
}

int Main() {
  std::printf("%-26s %8s %8s %10s\n", "piece", "wasm B", "text B", "text/wasm");
  for (const Kind& kind : kKinds) {
    const auto few = BytesOf(kind, kFew), many = BytesOf(kind, kMany);
    if (!few.ok() || !many.ok()) {
      const Status& status = few.ok() ? many.status() : few.status();
      std::fprintf(stderr, "text_bytes: %s: %s\n", kind.name, status.ToString().c_str());
      return 1;
    }
    const double pieces = kMany - kFew;
    const double wasm = static_cast<double>(many->wasm - few->wasm) / pieces;
    const double text = static_cast<double>(many->text - few->text) / pieces;
    std::printf("%-26s %8.1f %8.1f %10.1f\n", kind.name, wasm, text, text / wasm);
  }
  return 0;
}

}  // namespace
}  // namespace wb::bench

int main() { return wb::bench::Main(); }
