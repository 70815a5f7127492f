// One test per kind of error, with its reason and its offset.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "compiler/wasm/module.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/compiler/wasm/binary_builder.h"

namespace wb::test {
namespace {

struct Expected {
  Reason reason;
  std::string offset;
  std::string function;  // empty: outside bodies
  std::string words;     // part of the message
};

void ExpectError(const Bytes& bytes, const Expected& expected) {
  auto module = Module::Decode(bytes);
  ASSERT_FALSE(module.ok()) << expected.words;
  Status status = module.status();
  EXPECT_EQ(status.reason(), expected.reason) << status.ToString();
  std::vector<Detail> details = {{"offset", expected.offset}};
  if (!expected.function.empty()) details.push_back({"function", expected.function});
  EXPECT_EQ(status.details(), details) << status.ToString();
  EXPECT_NE(status.message().find(expected.words), std::string::npos) << status.ToString();
  EXPECT_EQ(status.message().back(), '.');
}

void ExpectTextError(std::string_view wat, const Expected& expected) {
  ExpectError(MustAssemble(wat), expected);
}

constexpr Reason kMalformed = Reason::kWasmMalformed;
constexpr Reason kInvalid = Reason::kWasmInvalid;
constexpr Reason kUnsupported = Reason::kWasmUnsupportedFeature;

TEST(DecodeError, Preamble) {
  ExpectError({}, {kMalformed, "0", "", "no bytes"});
  ExpectError({0, 'a', 's'}, {kMalformed, "3", "", "ends after [3] bytes"});
  ExpectError({0, 'a', 's', 'm', 1, 0}, {kMalformed, "6", "", "ends after [6] bytes"});
  ExpectError({0x7f, 'E', 'L', 'F', 2}, {kMalformed, "0", "", "[7f 45 4c 46]"});
  ExpectError({0, 'a', 's', 'm', 2, 0, 0, 0}, {kMalformed, "4", "", "[02 00 00 00]"});
  ExpectError({0, 'a', 's', 'm', 13, 0, 1, 0}, {kUnsupported, "4", "", "component"});
}

TEST(DecodeError, Text) {
  for (std::string text : {"(module)", "  \n\t(module)", ";; a comment\n(module)", "(; x ;)"}) {
    ExpectError(Bytes(text.begin(), text.end()), {kMalformed, "0", "", "assemble it first"});
  }
}

TEST(DecodeError, DataCount) {
  // Without a data section; operators that name the missing segment would be believed.
  ExpectError(BinaryBuilder().Section(12, {1}).bytes(), {kMalformed, "11", "", "data count"});
  EXPECT_TRUE(Module::Decode(BinaryBuilder().Section(12, {0}).bytes()).ok());
}

TEST(DecodeError, Sections) {
  ExpectError(BinaryBuilder().Section(14, {}).bytes(), {kMalformed, "10", "", "section code"});
  ExpectError(BinaryBuilder().Section(13, {0}).bytes(), {kUnsupported, "10", "", "exception"});
  ExpectError(BinaryBuilder().Section(3, {0}).Section(1, {0}).bytes(),
              {kMalformed, "13", "", "out of order"});
  ExpectError(BinaryBuilder().Section(1, {0, 0}).bytes(), {kMalformed, "11", "", "unfinished"});
  ExpectError(BinaryBuilder().Section(1, {1, 0x60, 0, 0}).Section(3, {1, 0}).bytes(),
              {kMalformed, "18", "", "function signature count"});
  ExpectError(BinaryBuilder().Section(0, {1, 0xff}).bytes(), {kMalformed, "12", "", "utf-8"});
}

TEST(DecodeError, ACustomSectionThatDoesNotParseIsNoError) {
  Bytes linking = {7, 'l', 'i', 'n', 'k', 'i', 'n', 'g', 0xff, 0xff};
  EXPECT_TRUE(Module::Decode(BinaryBuilder().Section(0, linking).bytes()).ok());
}

TEST(DecodeError, Bodies) {
  // The body of OneFunction begins at byte 22: its local declarations, then operators from 23.
  auto body = [](const Bytes& bytes) { return BinaryBuilder().OneFunction(bytes).bytes(); };
  EXPECT_TRUE(Module::Decode(body({0, 0x0b})).ok());
  ExpectError(body({0, 0x6a, 0x0b}), {kInvalid, "23", "0", "i32.add"});
  ExpectError(body({0, 0x41, 0, 0x0b}), {kInvalid, "25", "0", "type mismatch"});
  ExpectError(body({0, 0xff, 0x0b}), {kMalformed, "23", "0", "unknown opcode"});
  ExpectError(body({0, 0xe0, 0x0b}), {kMalformed, "23", "0", "unknown opcode"});
  ExpectError(body({0, 0x01, 0x05, 0x0b}), {kMalformed, "24", "0", "else without an if"});
  ExpectError(body({0, 0x0b, 0x01, 0x0b}), {kMalformed, "24", "0", "follows the end"});
  ExpectError(body({0, 0x02, 0x40, 0x0b}), {kMalformed, "26", "0", "no end of its own"});
  ExpectError(body({0, 0x0c, 1, 0x0b}), {kInvalid, "23", "0", "depth"});
  ExpectError(body({0, 0x20, 0, 0x1a, 0x0b}), {kInvalid, "23", "0", "local variable"});
  ExpectError(body({0, 0x41, 0, 0x28, 2, 0, 0x1a, 0x0b}), {kInvalid, "25", "0", "memory 0"});
  ExpectError(body({0, 0x02, 0x0b}), {kMalformed, "23", "0", "past the end of the body"});
  ExpectError(body({0, 0xfe, 3, 0, 0x0b}), {kUnsupported, "23", "0", "[atomic.fence]"});
  ExpectError(body({0, 0x19, 0x0b}), {kUnsupported, "23", "0", "[catch_all]"});
  ExpectError(body({0, 0xfc, 9, 0, 0x0b}), {kMalformed, "25", "0", "data count"});
}

TEST(DecodeError, APrefixedOperatorIsAtItsPrefixHoweverLongItsCode) {
  Bytes body = {0, 0x01, 0xfc, 0x8b, 0x80, 0x80, 0x80, 0x00, 0x00, 0x0b};  // memory.fill
  ExpectError(BinaryBuilder().OneFunction(body).bytes(), {kInvalid, "24", "0", "memory"});
}

// A declaration's error is at the byte after it.
TEST(DecodeError, Declarations) {
  ExpectTextError("(module (import \"m\" \"f\" (func (type 3))))",
                  {kInvalid, "17", "", "function type"});
  ExpectTextError("(module (memory 65537))", {kInvalid, "15", "", "pages"});
  ExpectTextError("(module (memory 2 1))", {kInvalid, "14", "", "pages"});
  ExpectTextError("(module (table 2 1 funcref))", {kInvalid, "15", "", "elems"});
  ExpectTextError("(module (memory 1 1 shared))", {kUnsupported, "12", "", "threads"});
  ExpectTextError("(module (export \"f\" (func 0)))", {kInvalid, "15", "", "function variable"});
  ExpectTextError("(module (memory 1) (export \"a\" (memory 0)) (export \"a\" (memory 0)))",
                  {kInvalid, "24", "", "duplicate export [a]"});
  ExpectTextError("(module (func (param i32)) (start 0))", {kInvalid, "22", "", "nullary"});
}

TEST(DecodeError, ConstantExpressions) {
  ExpectTextError("(module (global i32 (i64.const 0)))", {kInvalid, "15", "", "type mismatch"});
  ExpectTextError("(module (global i32 (i32.const 0) (i32.const 0)))",
                  {kInvalid, "17", "", "type mismatch"});
  ExpectTextError("(module (global i32 (i32.ctz (i32.const 1))))", {kInvalid, "15", "", "i32.ctz"});
  // A global whose expression stops at the end of the section.
  ExpectError(BinaryBuilder().Section(6, {1, 0x7f, 0, 0x41, 0}).bytes(),
              {kMalformed, "15", "", "no end"});
}

TEST(DecodeError, Segments) {
  ExpectTextError("(module (data (i32.const 0) \"x\"))", {kInvalid, "11", "", "memory"});
  ExpectTextError("(module (func) (elem (i32.const 0) 0))", {kInvalid, "21", "", "table"});
  ExpectError(BinaryBuilder().Section(5, {1, 0, 1}).Section(11, {1, 3, 0}).bytes(),
              {kMalformed, "16", "", "flags"});
  ExpectError(BinaryBuilder().Section(9, {1, 5, 0x70, 1, 0xff, 0x0b}).bytes(),
              {kMalformed, "14", "", "unknown opcode"});
  ExpectError(BinaryBuilder().Section(9, {1, 5, 0x70, 1, 0x41, 0, 0x0b}).bytes(),
              {kInvalid, "14", "", "element expression"});
  ExpectError(BinaryBuilder().Section(9, {1, 5, 0x70, 1, 0x23, 0, 0x0b}).bytes(),
              {kInvalid, "14", "", "global"});  // there is none
  // Imported, an i32; imported, changes; the module's own; and one that does not end there.
  const auto global_elements = [](const Bytes& import, const Bytes& element) {
    Bytes imports = {1, 1, 'm', 1, 'g', 3};
    Append(&imports, import);
    Bytes elements = {1, 5, 0x70, 1};
    Append(&elements, element);
    return BinaryBuilder().Section(2, imports).Section(9, elements).bytes();
  };
  EXPECT_TRUE(Module::Decode(global_elements({0x70, 0}, {0x23, 0, 0x0b})).ok());
  ExpectError(global_elements({0x7f, 0}, {0x23, 0, 0x0b}), {kInvalid, "24", "", "type mismatch"});
  ExpectError(global_elements({0x70, 1}, {0x23, 0, 0x0b}), {kInvalid, "24", "", "mutable"});
  ExpectError(global_elements({0x70, 0}, {0x23, 0, 0x23, 0, 0x0b}),
              {kInvalid, "26", "", "element expression"});
  ExpectError(BinaryBuilder()
                  .Section(6, {1, 0x70, 0, 0xd0, 0x70, 0x0b})
                  .Section(9, {1, 5, 0x70, 1, 0x23, 0, 0x0b})
                  .bytes(),
              {kInvalid, "22", "", "imported global"});
}

TEST(DecodeError, AnUndeclaredReferenceIsReportedWhereItIs) {
  ExpectTextError("(module (func (drop (ref.func 0))))", {kInvalid, "23", "", "not declared"});
}

const char* const kWhole[] = {
    "(module)",
    R"((module (type (func (param i32 i64) (result f32 f64))) (import "m" "f" (func (type 0)))
        (import "m" "t" (table 1 funcref)) (import "m" "g" (global i32))
        (memory 1 2) (global (mut i64) (i64.const 7)) (func (export "e") (local i32 f64)
        (block (loop (br_if 1 (local.get 0)) (br_table 0 1 0 (local.get 0)))))
        (data (i32.const 3) "bytes") (elem (i32.const 0) 0)))",
    R"((module (memory 1) (func (result i32) (i32.load8_u offset=300 (i32.const 5)))
        (func (v128.store (i32.const 0) (v128.const i32x4 1 2 3 4)))
        (func (memory.copy (i32.const 0) (i32.const 1) (i32.const 2))
              (memory.init 0 (i32.const 0) (i32.const 1) (i32.const 2)) (data.drop 0))
        (data "passive") (start 1)))",
};

TEST(DecodeError, EveryTruncationIsMalformed) {
  for (const char* wat : kWhole) {
    Bytes bytes = MustAssemble(wat);
    ASSERT_TRUE(Module::Decode(bytes).ok()) << Module::Decode(bytes).status().ToString();
    for (size_t size = 0; size < bytes.size(); ++size) {
      auto module = Module::Decode(ByteView(bytes).first(size));
      // At a section's end what is left may be whole, as a module that never had the rest.
      if (module.ok()) continue;
      EXPECT_NE(module.status().reason(), Reason::kWasmUnsupportedFeature) << size;
      EXPECT_EQ(module.status().details()[0].key, "offset");
      EXPECT_LE(std::stoull(module.status().details()[0].value), size) << size;
    }
  }
}

TEST(DecodeError, ATruncationInsideASectionIsNeverASuccess) {
  for (const char* wat : kWhole) {
    Bytes bytes = MustAssemble(wat);
    std::vector<size_t> ends = {8};
    while (ends.back() < bytes.size()) {  // every section here is shorter than 128 bytes
      ASSERT_LT(bytes[ends.back() + 1], 128);
      ends.push_back(ends.back() + 2 + bytes[ends.back() + 1]);
    }
    for (size_t size = 0; size < bytes.size(); ++size) {
      bool at_end = std::find(ends.begin(), ends.end(), size) != ends.end();
      bool ok = Module::Decode(ByteView(bytes).first(size)).ok();
      EXPECT_TRUE(!ok || at_end) << size;
    }
  }
}

TEST(DecodeError, FlippedBytesNeverCrash) {
  std::mt19937 random(20260);
  int refused = 0;
  for (int round = 0; round < 6000; ++round) {
    Bytes bytes = MustAssemble(kWhole[1 + round % 2]);
    for (int flips = 1 + round % 3; flips > 0; --flips) {
      bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    }
    auto module = Module::Decode(bytes);
    if (module.ok()) continue;
    ++refused;
    EXPECT_FALSE(module.status().details().empty());
  }
  EXPECT_GT(refused, 3000);
}

}  // namespace
}  // namespace wb::test
