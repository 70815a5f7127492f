// Modules made to cost more than their size. IR and text must stay in proportion to the bytes: rows
// and text are counted, not seconds. Time and memory were measured by hand (bench/README.md).

#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "tests/compiler/wasm/binary_builder.h"

namespace wb::test {
namespace {

constexpr uint8_t kBlock = 0x02, kLoop = 0x03, kEnd = 0x0b, kBrIf = 0x0d, kBrTable = 0x0e;
constexpr uint8_t kGet = 0x20, kSet = 0x21, kEmpty = 0x40, kI32 = 0x7f;

// Exported, so that it is printed.
Bytes ModuleOf(const Bytes& body, uint32_t locals = 1, bool memory = false) {
  Bytes code = {1};
  Bytes function = {1};
  AppendLeb(&function, locals);
  function.push_back(kI32);
  Append(&function, body);
  function.push_back(kEnd);
  AppendLeb(&code, static_cast<uint32_t>(function.size()));
  Append(&code, function);
  BinaryBuilder builder;
  builder.Section(1, {2, 0x60, 0, 0, 0x60, 1, kI32, 1, kI32}).Section(3, {1, 0});
  if (memory) builder.Section(5, {1, 0, 1});
  return builder.Section(7, {1, 1, 'f', 0, 0}).Section(10, code).bytes();
}

std::shared_ptr<const LoweredModule> Lowered(const Bytes& wasm) {
  auto module = Module::Decode(wasm);
  if (!module.ok()) {
    ADD_FAILURE() << module.status().ToString();
    return nullptr;
  }
  auto lowered = Lower(*module);
  if (!lowered.ok()) ADD_FAILURE() << lowered.status().ToString();
  return lowered.ok() ? *lowered : nullptr;
}

// Rows per byte of wasm and text per byte of wasm; a text over the limits is refused by name.
void ExpectInProportion(const Bytes& wasm, double rows_per_byte, double text_per_byte) {
  const auto lowered = Lowered(wasm);
  ASSERT_NE(lowered, nullptr);
  const double rows = static_cast<double>(lowered->program.functions[0].insts.size());
  EXPECT_LE(rows / static_cast<double>(wasm.size()), rows_per_byte);
  auto source = EmitKernel(*lowered, {});
  if (source.ok()) {
    EXPECT_LE(static_cast<double>(source->text.size()) / static_cast<double>(wasm.size()),
              text_per_byte);
  } else {
    EXPECT_EQ(source.status().reason(), Reason::kWasmUnsupportedFeature);
    EXPECT_NE(source.status().message().find("nested deeper"), std::string::npos);
  }
}

TEST(HostileTest, NestedBlocks) {
  constexpr uint32_t kCount = 250000;
  Bytes body = Repeat({kBlock, kEmpty}, kCount);
  Append(&body, Repeat({kEnd}, kCount));
  ExpectInProportion(ModuleOf(body), 1.1, 1);
}

TEST(HostileTest, NestedLoopsThatBranchToOneAnother) {
  constexpr uint32_t kCount = 100000;
  Bytes body = Repeat({kLoop, kEmpty}, kCount);  // all but the innermost ask after their group
  Append(&body, Repeat({kGet, 0, kBrIf, 1, kEnd}, kCount - 1));
  Append(&body, {kGet, 0, kBrIf, 0, kEnd});
  ExpectInProportion(ModuleOf(body), 1.1, 42);
}

TEST(HostileTest, NestedLoopsThatCompareTheSameVariable) {
  constexpr uint32_t kCount = 60000;
  Bytes body = Repeat({kLoop, kEmpty}, kCount);
  Append(&body, Repeat({kGet, 0, 0x41, 16, 0x49, kBrIf, 0, kEnd}, kCount));  // i32.lt_u
  const auto compared = Lowered(ModuleOf(body));
  ASSERT_NE(compared, nullptr);
  // What one row reads is no matter of the rows behind it.
  EXPECT_TRUE(EmitKernel(*compared, {}).ok());
  Bytes changed = Repeat({kLoop, kEmpty}, kCount);
  Append(&changed, Repeat({kGet, 0, 0x41, 1, 0x6a, kSet, 0, kGet, 0, kBrIf, 0, kEnd}, kCount));
  EXPECT_NE(Lowered(ModuleOf(changed)), nullptr);
}

TEST(HostileTest, GetsAndSets) {
  ExpectInProportion(ModuleOf(Repeat({kGet, 0, kSet, 1}, 250000), 2), 0.3, 20);
  // Everything below stays on the stack while the local changes.
  Bytes body = Repeat({kGet, 0}, 300000);
  Append(&body, {0x41, 1, kSet, 0});
  Append(&body, Repeat({0x1a}, 300000));
  ExpectInProportion(ModuleOf(body), 0.1, 20);
}

TEST(HostileTest, AChainOfAdditions) {
  Bytes body = {kGet, 0};
  Append(&body, Repeat({kGet, 0, 0x6a}, 300000));
  body.push_back(0x1a);
  ExpectInProportion(ModuleOf(body), 0.4, 20);
}

TEST(HostileTest, ManyLocalsAndManyLoops) {
  constexpr uint32_t kLocals = 50000;
  Bytes body;
  for (uint32_t i = 0; i < 10000; ++i) {
    Append(&body, {kLoop, kEmpty, kGet});
    AppendLeb(&body, i * 5);
    body.push_back(kSet);
    AppendLeb(&body, i * 5 + 1);
    Append(&body, {kGet, 0, kBrIf, 0, kEnd});
  }
  for (uint32_t i = 0; i < kLocals; ++i) {
    body.push_back(kGet);
    AppendLeb(&body, i);
    body.push_back(0x1a);
  }
  ExpectInProportion(ModuleOf(body, kLocals), 1.1, 40);
}

TEST(HostileTest, BranchesAmongManyLiveLocals) {
  constexpr uint32_t kLocals = 50000;
  Bytes body = {kBlock, kEmpty};
  for (uint32_t i = 0; i < 100000; ++i) {
    body.push_back(kGet);
    AppendLeb(&body, i % kLocals);
    Append(&body, {kBrIf, 0});
  }
  body.push_back(kEnd);
  ExpectInProportion(ModuleOf(body, kLocals), 1.1, 40);
}

TEST(HostileTest, ALongBranchTable) {
  constexpr uint32_t kEntries = 100000;
  Bytes body = {kBlock, kEmpty, kBlock, kEmpty, kGet, 0, kBrTable};
  AppendLeb(&body, kEntries);
  Append(&body, Repeat({0, 1}, kEntries / 2));
  Append(&body, {0, kEnd, kEnd});
  ExpectInProportion(ModuleOf(body), 0.1, 40);
}

// Entries that assign a loop's parameter: still a table, not a test per entry.
TEST(HostileTest, ALongBranchTableToALoopWithParameters) {
  constexpr uint32_t kEntries = 100000;
  Bytes body = {0x41, 0, kLoop, 1, kBlock, 1, kGet, 0, kBrTable};
  AppendLeb(&body, kEntries);
  Append(&body, Repeat({0, 1}, kEntries / 2));
  Append(&body, {0, kEnd, kEnd, 0x1a});
  ExpectInProportion(ModuleOf(body), 0.1, 40);
}

// Three locals, length unknown: beyond the first few one check and one call each.
TEST(HostileTest, ManyBulkOperators) {
  const Bytes operands = {kGet, 0, kGet, 1, kGet, 2};
  for (const Bytes& op : {Bytes{0xfc, 10, 0, 0}, Bytes{0xfc, 11, 0}}) {  // memory.copy, memory.fill
    Bytes unit = operands;
    Append(&unit, op);
    Bytes body = Repeat(unit, 50000);
    ExpectInProportion(ModuleOf(body, 3, true), 0.25, 40);
  }
}

// Tail calls of itself from many places in a function of many locals, all of them read.
TEST(HostileTest, ManyTailCallsOfItself) {
  constexpr uint32_t kLocals = 50000;
  Bytes body;
  for (uint32_t i = 0; i < kLocals; ++i) {
    body.push_back(kGet);
    AppendLeb(&body, i);
    body.push_back(0x1a);
  }
  Append(&body, Repeat({kGet, 0, 0x04, kEmpty, 0x12, 0, kEnd}, 100000));
  ExpectInProportion(ModuleOf(body, kLocals), 1.1, 40);
}

// Each function's tail call replaces it by the next, the last one's by the first.
TEST(HostileTest, ACycleOfManyTailCalls) {
  constexpr uint32_t kCount = 50000;
  Bytes functions, code;
  AppendLeb(&functions, kCount);
  AppendLeb(&code, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    functions.push_back(0);
    Bytes body = {0, 0x12};
    AppendLeb(&body, (i + 1) % kCount);
    body.push_back(kEnd);
    AppendLeb(&code, static_cast<uint32_t>(body.size()));
    Append(&code, body);
  }
  const Bytes wasm = BinaryBuilder()
                         .Section(1, {1, 0x60, 0, 0})
                         .Section(3, functions)
                         .Section(7, {1, 1, 'f', 0, 0})
                         .Section(10, code)
                         .bytes();
  const auto lowered = Lowered(wasm);
  ASSERT_NE(lowered, nullptr);
  const auto source = EmitKernel(*lowered, {});
  ASSERT_TRUE(source.ok());
  EXPECT_LE(source->text.size(), 200 * wasm.size());
}

}  // namespace
}  // namespace wb::test
