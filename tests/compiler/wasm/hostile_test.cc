// Modules made to cost more than their size: each must end soon, without deep recursion, in a
// success or a precise error. Their memory was measured once (README); here they must only end.

#include <gtest/gtest.h>

#include "compiler/wasm/module.h"
#include "tests/compiler/wasm/binary_builder.h"

namespace wb::test {
namespace {

constexpr uint32_t kMany = 1'000'000;

Status Decoded(const Bytes& bytes) { return Module::Decode(bytes).status(); }

TEST(Hostile, AMillionNestedBlocksDecode) {
  for (uint8_t opener : {0x02, 0x03}) {
    Bytes body = {0};
    Append(&body, Repeat({opener, 0x40}, kMany));
    Append(&body, Repeat({0x0b}, kMany + 1));
    auto module = Module::Decode(BinaryBuilder().OneFunction(body).bytes());
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    EXPECT_EQ((*module)->bodies[0].instructions.size(), 2u * kMany);
    EXPECT_EQ((*module)->bodies[0].block_types.size(), 1u);
  }
}

TEST(Hostile, AMillionOpenBlocksAreMalformed) {
  Bytes body = {0};
  Append(&body, Repeat({0x02, 0x40}, kMany));
  body.push_back(0x0b);
  EXPECT_EQ(Decoded(BinaryBuilder().OneFunction(body).bytes()).reason(), Reason::kWasmMalformed);
}

TEST(Hostile, ABranchTableOfMillionsDecodes) {
  Bytes body = {0, 0x41, 0, 0x0e};
  AppendLeb(&body, 3 * kMany);
  Append(&body, Repeat({0}, 3 * kMany + 1));
  body.push_back(0x0b);
  auto module = Module::Decode(BinaryBuilder().OneFunction(body).bytes());
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_EQ((*module)->bodies[0].br_tables[0].size(), 3u * kMany + 1);
}

TEST(Hostile, HugeCountsAreRefusedBeforeTheyAreBelieved) {
  const Bytes huge = {0xff, 0xff, 0xff, 0xff, 0x0f};
  for (uint8_t section : {1, 2, 3, 4, 5, 6, 7, 9, 10, 11}) {
    Status status = Decoded(BinaryBuilder().Section(section, huge).bytes());
    EXPECT_EQ(status.reason(), Reason::kWasmMalformed) << int{section};
  }
  Bytes body = {0, 0x41, 0, 0x0e};
  Append(&body, huge);
  EXPECT_EQ(Decoded(BinaryBuilder().OneFunction(body).bytes()).reason(), Reason::kWasmMalformed);
}

TEST(Hostile, LocalsAreCappedPerFunction) {
  // Declarations at 25: 50,000 are read, one more is not.
  auto with = [](uint32_t last) {
    Bytes body = {2, 0xcf, 0x86, 0x03, 0x7f};  // 49,999 of i32
    AppendLeb(&body, last);
    Append(&body, {0x7e, 0x0b});
    return BinaryBuilder().OneFunction(body).bytes();
  };
  auto module = Module::Decode(with(1));
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_EQ((*module)->bodies[0].locals.size(), 50000u);
  EXPECT_EQ((*module)->bodies[0].locals.back(), ValueType::kI64);
  Status status = Decoded(with(2));
  EXPECT_EQ(status.reason(), Reason::kWasmInvalid);
  uint32_t body_at = (*module)->bodies[0].offset;
  EXPECT_EQ(status.details(),
            (std::vector<Detail>{{"offset", std::to_string(body_at + 5)}, {"function", "0"}}));
}

TEST(Hostile, LocalsAreCappedOverTheModule) {
  constexpr uint32_t kFunctions = 100;
  Bytes functions;
  AppendLeb(&functions, kFunctions);
  Append(&functions, Repeat({0}, kFunctions));
  Bytes code;
  AppendLeb(&code, kFunctions);
  Append(&code, Repeat({6, 1, 0xd0, 0x86, 0x03, 0x7f, 0x0b}, kFunctions));  // 50,000 each
  BinaryBuilder builder;
  builder.Section(1, {1, 0x60, 0, 0}).Section(3, functions).Section(10, code);
  EXPECT_EQ(Decoded(builder.bytes()).reason(), Reason::kWasmInvalid);
}

// A type of 1,000 results, used `count` times by operators of a few bytes each.
Bytes WideResults(const Bytes& operators, uint32_t count) {
  Bytes types = {1, 0x60, 0, 0xe8, 0x07};
  Append(&types, Repeat({0x7f}, 1000));
  Bytes body = {0};
  Append(&body, Repeat(operators, count));
  Append(&body, {0x00, 0x0b});
  Bytes code = {1};
  AppendLeb(&code, static_cast<uint32_t>(body.size()));
  Append(&code, body);
  return BinaryBuilder().Section(1, types).Section(3, {1, 0}).Section(10, code).bytes();
}

TEST(Hostile, WideSignaturesAreCharged) {
  EXPECT_TRUE(Decoded(WideResults({0x10, 0}, 1000)).ok());
  EXPECT_EQ(Decoded(WideResults({0x10, 0}, kMany)).reason(), Reason::kWasmInvalid);     // call
  EXPECT_EQ(Decoded(WideResults({0x02, 0}, kMany)).reason(), Reason::kWasmInvalid);     // block
  EXPECT_EQ(Decoded(WideResults({0x00, 0x0f}, kMany)).reason(), Reason::kWasmInvalid);  // return
}

TEST(Hostile, SignaturesAreCapped) {
  Bytes types = {1, 0x60, 0xe9, 0x07};  // 1,001 parameters
  Append(&types, Repeat({0x7f}, 1001));
  types.push_back(0);
  EXPECT_EQ(Decoded(BinaryBuilder().Section(1, types).bytes()).reason(), Reason::kWasmInvalid);
}

TEST(Hostile, ADuplicateExportWithAHugeNameIsAnError) {
  constexpr uint32_t kName = 16u << 20;  // wabt would put it on the stack
  Bytes exports = {2};
  for (int i = 0; i < 2; ++i) {
    AppendLeb(&exports, kName);
    exports.insert(exports.end(), kName, 'a');
    Append(&exports, {2, 0});
  }
  BinaryBuilder builder;
  builder.Section(5, {1, 0, 1}).Section(7, exports);
  Status status = Decoded(builder.bytes());
  EXPECT_EQ(status.reason(), Reason::kWasmInvalid);
  EXPECT_LT(status.message().size(), 1000u);
}

TEST(Hostile, ManyTinyFunctionsDecode) {
  Bytes functions;
  AppendLeb(&functions, kMany);
  Append(&functions, Repeat({0}, kMany));
  Bytes code;
  AppendLeb(&code, kMany);
  Append(&code, Repeat({2, 0, 0x0b}, kMany));
  BinaryBuilder builder;
  builder.Section(1, {1, 0x60, 0, 0}).Section(3, functions).Section(10, code);
  auto module = Module::Decode(builder.bytes());
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_EQ((*module)->bodies.size(), kMany);
}

TEST(Hostile, TooLargeAModuleIsRefusedBeforeItIsRead) {
  Bytes bytes(Module::kMaxBytes + 1, 0);
  Status status = Decoded(bytes);
  EXPECT_EQ(status.reason(), Reason::kWasmMalformed);
  EXPECT_NE(status.message().find("67108865"), std::string::npos);
}

// Half a million sums, deepest first, of an imported global: kept as they are.
TEST(Hostile, ALongConstantExpressionDecodes) {
  constexpr uint32_t kSums = kMany / 2;
  Bytes global = {1, 0x7f, 0};
  Append(&global, Repeat({0x23, 0}, kSums + 1));
  Append(&global, Repeat({0x6a}, kSums));
  global.push_back(0x0b);
  const Bytes imports = {1, 1, 'm', 1, 'g', 3, 0x7f, 0};
  auto module = Module::Decode(BinaryBuilder().Section(2, imports).Section(6, global).bytes());
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  EXPECT_EQ((*module)->longer_expressions[0].size(), 2u * kSums + 1);
}

}  // namespace
}  // namespace wb::test
