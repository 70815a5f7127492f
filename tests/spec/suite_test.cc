// The runner on scripts of its own: what must pass passes, what is wrong is seen to be wrong.

#include "tests/spec/suite.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/spec/engines.h"
#include "tests/spec/tally.h"

namespace wb::spec {
namespace {

// Runs the text on the interpreter, leaving everywhere.
FileTally RunScript(const std::string& wast, Tally* tally) {
  const auto work = TemporaryFolder::Make();
  EXPECT_TRUE(work.ok());
  const auto path = work->path() / "case.wast";
  std::ofstream(path) << wast;
  auto file = OpenWast(path, work->path());
  EXPECT_TRUE(file.ok()) << file.status().ToString();
  const auto device =
      OpenEngine({Engine::kInterpreter, MemoryLayout::kContiguous, Floats::kNative, 1});
  EXPECT_TRUE(device.ok());
  BuildPool pool(device->get(), "", 1);
  Suite suite(device->get(), &pool, /*leave=*/true);
  PreparedScript script = suite.Prepare(std::move(*file));
  suite.Run(&script);
  tally->Add("case", script.file.script, script.plan.outcomes);
  return tally->files.back();
}

TEST(Suite, StateLastsFromCheckToCheck) {
  Tally tally;
  const FileTally row = RunScript(
      R"wast((module (memory 1) (global $g (mut i32) (i32.const 5))
           (func (export "add") (param i32) (result i32)
             (global.set $g (i32.add (global.get $g) (local.get 0)))
             (i32.store (i32.const 0) (global.get $g)) (global.get $g))
           (func (export "trap") (i32.store (i32.const 4) (i32.const 77)) (unreachable))
           (func (export "load") (param i32) (result i32) (i32.load (local.get 0))))
         (assert_return (invoke "add" (i32.const 2)) (i32.const 7))
         (assert_trap (invoke "trap") "unreachable")
         (invoke "add" (i32.const 10))
         (assert_return (invoke "load" (i32.const 0)) (i32.const 17))
         (assert_return (invoke "load" (i32.const 4)) (i32.const 77))
         (assert_trap (invoke "load" (i32.const 65534)) "out of bounds memory access"))wast",
      &tally);
  EXPECT_EQ(row.executed.passed, 7u);
  EXPECT_EQ(row.executed.failed, 0u) << tally.failures.at(0);
}

TEST(Suite, WrongExpectationsFail) {
  Tally tally;
  const FileTally row = RunScript(
      R"wast((module (func (export "one") (result i32) (i32.const 1))
           (func (export "trap") (unreachable))
           (func (export "loop") (param $n i32) (result f32)
             (loop (local.set $n (i32.sub (local.get $n) (i32.const 1)))
               (br_if 0 (i32.gt_s (local.get $n) (i32.const 0))))
             (f32.div (f32.const 0) (f32.const 0))))
         (assert_return (invoke "one") (i32.const 2))
         (assert_trap (invoke "one") "unreachable")
         (assert_trap (invoke "trap") "integer overflow")
         (assert_exhaustion (invoke "trap") "call stack exhausted")
         (assert_return (invoke "trap"))
         (assert_return (invoke "loop" (i32.const 50)) (f32.const 0))
         (assert_return (invoke "loop" (i32.const 50)) (f32.const nan:canonical)))wast",
      &tally);
  EXPECT_EQ(row.executed.passed, 2u);  // the module and the last
  EXPECT_EQ(row.executed.failed, 6u);
}

TEST(Suite, InstantiationDecoderAndLinkErrors) {
  Tally tally;
  const FileTally row = RunScript(
      R"wast((assert_trap (module (func $f (unreachable)) (start $f)) "unreachable")
         (assert_trap (module (memory 1) (data (i32.const 65536) "x"))
           "out of bounds memory access")
         (assert_invalid (module (func (result i32))) "type mismatch")
         (assert_malformed (module quote "(func (nothing))") "unexpected token")
         (assert_unlinkable (module (import "a" "b" (func))) "unknown import")
         (module (global (export "g") i32 (i32.const 3)))
         (assert_return (get "g") (i32.const 3)))wast",
      &tally);
  EXPECT_EQ(row.executed.passed, 5u);
  EXPECT_EQ(row.decoder.passed, 2u);
  EXPECT_TRUE(tally.failures.empty()) << tally.failures.at(0);
}

TEST(Suite, LinkedModulesShareWhatTheyImport) {
  Tally tally;
  const FileTally row = RunScript(
      R"wast((module $A (memory (export "m") 1) (global (export "g") (mut i32) (i32.const 4))
           (func (export "load") (result i32) (i32.load8_u (i32.const 9))))
         (register "a" $A)
         (assert_return (invoke $A "load") (i32.const 0))
         (module $B (import "a" "m" (memory 1)) (import "a" "g" (global $g (mut i32)))
           (data (i32.const 9) "A")
           (func (export "set") (param i32) (global.set $g (local.get 0))))
         (assert_return (invoke $A "load") (i32.const 65))
         (invoke $B "set" (i32.const 6))
         (assert_return (get $A "g") (i32.const 6))
         (assert_trap (module (import "a" "m" (memory 1)) (data (i32.const 9) "B")
           (data (i32.const 65536) "x")) "out of bounds memory access")
         (assert_return (invoke $A "load") (i32.const 66))
         (assert_return (invoke $A "load") (i32.const 67))
         (assert_unlinkable (module (import "a" "m" (memory 2))) "incompatible import type")
         (assert_unlinkable (module (import "a" "x" (memory 1))) "incompatible import type"))wast",
      &tally);
  EXPECT_EQ(row.executed.passed, 9u);
  EXPECT_EQ(row.executed.failed, 2u);  // 67; the last one is unknown
}

}  // namespace
}  // namespace wb::spec
