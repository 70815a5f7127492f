// Which part of memory lanes hold: what the program names, and then what launches have missed.

#include <gtest/gtest.h>

#include <string>

#include "compiler/compiler.h"
#include "scheduler/run/seats/touched_memory.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

TouchedMemory Of(const std::string& fields, Windows windows = Windows::kAlways) {
  const auto module = Module::Decode(MustAssemble("(module " + fields + ")")).value();
  const auto lowered = Lower(module).value();
  CompileOptions options;
  options.windows = windows;
  return {lowered->program, WindowFormOf(lowered->program, options)};
}

// As compilers of Rust lay it out: a stack up to the first mebibyte, data behind it.
constexpr const char* kRust =
    R"((memory 17) (global (mut i32) (i32.const 1048576)) (data (i32.const 1048576) "text")
       (func (export "f") (param i32) (i32.store (local.get 0) (i32.const 1))))";
constexpr uint64_t kStackTop = 1 << 20;

Misses At(uint64_t address, uint64_t instances = 1) {
  Misses misses;
  for (uint64_t i = 0; i < instances; ++i) {
    misses.Add(static_cast<uint32_t>(address >> abi::MISSED_SHIFT) + 1);
  }
  return misses;
}

TEST(TouchedMemoryTest, BeginsWithDataAndAStack) {
  const MemoryWindow window = Of(kRust).window();
  ASSERT_FALSE(window.is_all());
  EXPECT_LE(window.low(), kStackTop - 16384);
  EXPECT_GE(window.end(), kStackTop + 16384);
  EXPECT_LE(window.bytes, 45056u);
}

TEST(TouchedMemoryTest, BeginsWithWhatRowsComeToWithoutATest) {
  const MemoryWindow window =
      Of(R"((memory 17) (func (export "f") (result i32) (i32.load (i32.const 500000))))").window();
  EXPECT_LE(window.low(), 500000u);
  EXPECT_GE(window.end(), 500004u);
  EXPECT_LE(window.bytes, 24576u);
}

TEST(TouchedMemoryTest, HoldsTheFirstBytesWhereNothingIsKnown) {
  const MemoryWindow window =
      Of("(memory 4) (func (export \"f\") (param i32) (i32.store (local.get 0) (i32.const 1)))")
          .window();
  EXPECT_EQ(window, (MemoryWindow{0, 16384}));
}

TEST(TouchedMemoryTest, BeginsAtTheStartWhereThatIsNear) {
  const std::string fields = R"((memory 9) (data (i32.const 50000) "near"))";
  EXPECT_EQ(Of(fields).window().from, 0u);
  EXPECT_GE(Of(fields).window().end(), 50004u);
  EXPECT_EQ(Of(fields, Windows::kAnywhere).window().from, 49152u);
  TouchedMemory touched = Of(fields);
  EXPECT_FALSE(touched.Record(touched.window(), 0, At(100'000)));
  EXPECT_EQ(touched.window().from, 0u);
}

TEST(TouchedMemoryTest, HoldsAllWhereAPartIsNotMuchLess) {
  EXPECT_TRUE(Of(R"((memory 1) (data (i32.const 40000) "far"))").window().is_all());
  EXPECT_TRUE(Of(R"((memory 17) (data (i32.const 0) "a") (data (i32.const 1000000) "b"))")
                  .window()
                  .is_all());
}

TEST(TouchedMemoryTest, WidensWhereManyMiss) {
  TouchedMemory touched = Of(kRust);
  const MemoryWindow first = touched.window();
  EXPECT_FALSE(touched.Record(first, 3, At(kStackTop + 60000)));
  const MemoryWindow second = touched.window();
  EXPECT_EQ(second.from, first.from);
  EXPECT_GE(second.end(), kStackTop + 60000);
  EXPECT_GE(second.end(), first.end() + first.bytes / 2);
  EXPECT_FALSE(touched.Record(second, 0, At(kStackTop - 30000, 5)));
  EXPECT_LE(touched.window().low(), kStackTop - 30000);
  EXPECT_EQ(touched.window().end(), second.end());
  // Of lanes that held less.
  EXPECT_FALSE(touched.Record(first, 100, At(0)));
  EXPECT_LE(touched.window().low(), kStackTop - 30000);
  EXPECT_GT(touched.window().from, 500000u);
}

TEST(TouchedMemoryTest, TakesFewForExceptions) {
  TouchedMemory touched = Of(kRust);
  const MemoryWindow window = touched.window();
  EXPECT_FALSE(touched.Record(window, 1000, {}));
  EXPECT_TRUE(touched.Record(window, 0, At(kStackTop - 200000)));
  EXPECT_EQ(touched.window(), window);
  EXPECT_FALSE(touched.Record(window, 0, At(kStackTop - 200000, 200)));
  EXPECT_NE(touched.window(), window);
}

TEST(TouchedMemoryTest, EndsWithAllThatThereIs) {
  TouchedMemory touched = Of(kRust);
  uint32_t rounds = 0;
  for (; !touched.window().is_all(); ++rounds) {
    ASSERT_LT(rounds, 12u);
    const uint64_t at = touched.window().end() + 70000;
    EXPECT_FALSE(touched.Record(touched.window(), 0, At(at, 9)));
  }
  EXPECT_GT(rounds, 2u);
  EXPECT_FALSE(touched.Record({}, 5, {}));
}

// Else they would start again in the same window for ever.
TEST(TouchedMemoryTest, MissesInsideOfTheWindowAreExceptions) {
  TouchedMemory touched = Of(kRust);
  const MemoryWindow window = touched.window();
  EXPECT_TRUE(touched.Record(window, 0, At(window.from + 8192, 60)));
  EXPECT_EQ(touched.window(), window);
  // The first bytes are not accessible, so the window widens there.
  EXPECT_FALSE(touched.Record(window, 0, At(window.from, 60)));
  EXPECT_LT(touched.window().from, window.from);
}

// A record of an engine is not trusted.
TEST(TouchedMemoryTest, WindowsStayWithinAddresses) {
  TouchedMemory touched = Of(R"((memory 65536) (data (i32.const 4294900000) "last"))");
  const MemoryWindow window = touched.window();
  EXPECT_LT(window.end(), uint64_t{1} << 32);
  Misses misses;
  misses.Add(0xffffffff);
  EXPECT_FALSE(touched.Record(window, 0, misses));
  EXPECT_TRUE(touched.window().is_all());
  Misses none;
  none.Add(0);
  TouchedMemory other = Of(kRust);
  EXPECT_TRUE(other.Record(other.window(), 0, none));
}

}  // namespace
}  // namespace wb::test
