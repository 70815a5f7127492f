#include "compiler/wasm/opcode.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>

#include "compiler/abi/lane.h"
#include "wabt/feature.h"
#include "wabt/opcode.h"

namespace wb {
namespace {

struct Row {
  Opcode opcode;
  uint32_t code;
  const char* text;
  const char* token;  // nullptr where the row has no runtime function
};

constexpr Row kRows[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  {Opcode::k##name, code, text, #token},
#define WB_LOAD(name, code, token, text, type, bytes) {Opcode::k##name, code, text, #token},
#define WB_STORE(name, code, token, text, type, bytes) {Opcode::k##name, code, text, #token},
#define WB_OTHER(name, code, text, fuel) {Opcode::k##name, code, text, nullptr},
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate) \
  {Opcode::k##name, code, text, #token},
#define WB_VECTOR_LOAD(name, code, token, text, bytes) {Opcode::k##name, code, text, #token},
#define WB_VECTOR_STORE(name, code, token, text, bytes) {Opcode::k##name, code, text, #token},
#define WB_LANE_LOAD(name, code, token, text, bytes) {Opcode::k##name, code, text, #token},
#define WB_LANE_STORE(name, code, token, text, bytes) {Opcode::k##name, code, text, #token},
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
};

TEST(Opcode, EveryCodeAndEveryTextOccursOnce) {
  std::set<uint32_t> codes;
  std::set<std::string> texts;
  for (const Row& row : kRows) {
    EXPECT_TRUE(codes.insert(row.code).second) << row.text;
    EXPECT_TRUE(texts.insert(row.text).second) << row.text;
  }
  // The specification's operators: 183 of one byte, 18 behind 0xfc, 236 and 20 relaxed behind 0xfd.
  EXPECT_EQ(std::size(kRows), 459u);
}

TEST(Opcode, FactsFollowTheTable) {
  for (const Row& row : kRows) {
    const OpcodeFacts& facts = FactsOf(row.opcode);
    EXPECT_EQ(facts.code, row.code);
    EXPECT_EQ(facts.text, row.text);
    std::string function = row.token == nullptr ? "" : std::string("wb_") + row.token;
    EXPECT_EQ(facts.function, function) << row.text;
  }
}

// Relaxed operators may be written as what the deterministic profile makes of them.
TEST(Opcode, FunctionNamesAreTheTextWithUnderscores) {
  for (const Row& row : kRows) {
    if (row.token == nullptr || row.code >= 0xfd100) continue;
    std::string expected = row.text;
    for (char& c : expected) c = c == '.' ? '_' : c;
    EXPECT_EQ(expected, row.token);
  }
}

TEST(Opcode, FindOpcodeIsTheInverse) {
  size_t found = 0;
  for (uint32_t code = 0; code <= 0xfffff; ++code) {
    const Opcode* opcode = FindOpcode(code);
    if (opcode == nullptr) continue;
    ++found;
    EXPECT_EQ(FactsOf(*opcode).code, code);
  }
  EXPECT_EQ(found, std::size(kRows));
  EXPECT_EQ(FindOpcode(0xfd9a), nullptr);
  EXPECT_EQ(FindOpcode(0xfe00), nullptr);
  EXPECT_EQ(FindOpcode(0x10000), nullptr);
  EXPECT_EQ(FindOpcode(0xfd114), nullptr);
}

TEST(Opcode, SpellingsAndFormsAgree) {
  for (const Row& row : kRows) {
    const OpcodeFacts& facts = FactsOf(row.opcode);
    EXPECT_EQ(facts.spelling.empty(), facts.form == OpcodeForm::kCall) << row.text;
    if (facts.klass == OpcodeClass::kNumeric) {
      EXPECT_NE(facts.result, ValueType::kVoid) << row.text;
      EXPECT_NE(facts.a, ValueType::kVoid) << row.text;
    }
    bool touches = facts.klass == OpcodeClass::kLoad || facts.klass == OpcodeClass::kStore;
    EXPECT_EQ(facts.bytes != 0, touches) << row.text;
    EXPECT_TRUE(!touches || facts.a == ValueType::kI32) << row.text;
  }
}

TEST(Opcode, AnImmediateOfAVectorIsItsLastOperand) {
  size_t lanes = 0, shuffles = 0;
  for (const Row& row : kRows) {
    const OpcodeFacts& facts = FactsOf(row.opcode);
    if (facts.immediate == OpcodeImmediate::kNone) continue;
    const ValueType last = facts.c != ValueType::kVoid ? facts.c : facts.b;
    const bool lane = facts.immediate == OpcodeImmediate::kLane;
    EXPECT_EQ(last, lane ? ValueType::kI32 : ValueType::kV128) << row.text;
    ++(lane ? lanes : shuffles);
  }
  EXPECT_EQ(lanes, 14u + 8u);  // extract and replace, load and store
  EXPECT_EQ(shuffles, 1u);
}

// Of a proposal; the decoder refuses it for want of a row.
constexpr const char* kEnabledWithoutARow = "catch_all";

TEST(Opcode, EveryOperatorOfTheFeaturesHasARow) {
  wabt::Features features;
  features.enable_relaxed_simd();
  features.enable_tail_call();
  size_t read = 0;
  for (uint32_t prefix : {0u, 0xfbu, 0xfcu, 0xfdu, 0xfeu}) {
    for (uint32_t code = 0; code < (prefix == 0 ? 0xe0u : 0x200u); ++code) {
      const wabt::Opcode opcode = prefix == 0
                                      ? wabt::Opcode::FromCode(code)
                                      : wabt::Opcode::FromCode(static_cast<uint8_t>(prefix), code);
      if (opcode.IsInvalid() || opcode.GetPrefix() != prefix || opcode.GetCode() != code) continue;
      if (!opcode.IsEnabled(features)) continue;
      if (std::string(opcode.GetName()) == kEnabledWithoutARow) continue;
      ++read;
      const uint32_t whole = prefix << (code > 0xff ? 12 : 8) | code;
      const Opcode* row = FindOpcode(whole);
      ASSERT_NE(row, nullptr) << opcode.GetName();
      EXPECT_EQ(FactsOf(*row).code, whole) << opcode.GetName();
    }
  }
  EXPECT_EQ(read, std::size(kRows));
}

TEST(Opcode, ExactlyTheStructuralOperatorsAreFree) {
  std::set<std::string> free;
  for (const Row& row : kRows) {
    EXPECT_LE(FactsOf(row.opcode).fuel, 1) << row.text;
    if (FactsOf(row.opcode).fuel == 0) free.insert(row.text);
  }
  EXPECT_EQ(free, (std::set<std::string>{"nop", "drop", "block", "loop", "else", "end",
                                         "unreachable", "return"}));
}

TEST(Opcode, OperatorsThatTrapNameTheirCheck) {
  std::set<std::string> checked;
  for (const Row& row : kRows) {
    if (!FactsOf(row.opcode).check.empty()) checked.insert(row.text);
  }
  std::set<std::string> expected;
  for (std::string i : {"i32", "i64"}) {
    for (std::string op : {"div_s", "div_u", "rem_s", "rem_u"}) expected.insert(i + "." + op);
    for (std::string f : {"f32", "f64"}) {
      for (std::string sign : {"s", "u"}) expected.insert(i + ".trunc_" + f + "_" + sign);
    }
  }
  EXPECT_EQ(checked, expected);
}

TEST(ValueType, NamesAndWords) {
  EXPECT_EQ(TypeName(ValueType::kVoid), "void");
  EXPECT_EQ(TypeName(ValueType::kI32), "i32");
  EXPECT_EQ(TypeName(ValueType::kExternRef), "externref");
  EXPECT_EQ(TypeWords(ValueType::kI32), 1u);
  EXPECT_EQ(TypeWords(ValueType::kF64), 2u);
  EXPECT_EQ(TypeWords(ValueType::kV128), 4u);
  EXPECT_EQ(TypeWords(ValueType::kFuncRef), 1u);
}

TEST(Trap, NamesWordsAndNumbersAreDistinct) {
  std::set<std::string_view> names;
  std::set<std::string_view> words;
  std::set<uint32_t> numbers;
  size_t rows = 0;
#define WB_TRAP(name, upper, number, text)    \
  ++rows;                                     \
  names.insert(TrapName(Trap::k##name));      \
  words.insert(TrapWords(Trap::k##name));     \
  numbers.insert(number);                     \
  EXPECT_EQ(TrapName(Trap::k##name), #upper); \
  EXPECT_EQ(TrapWords(Trap::k##name), text);  \
  EXPECT_TRUE(IsTrap(number));
#include "compiler/abi/trap.def"
#undef WB_TRAP
  EXPECT_EQ(names.size(), rows);
  EXPECT_EQ(words.size(), rows);
  EXPECT_EQ(numbers.size(), rows);
  EXPECT_FALSE(IsTrap(0));
  EXPECT_FALSE(IsTrap(*numbers.rbegin() + 1));
  EXPECT_EQ(TrapName(Trap::kNone), "NONE");
  EXPECT_EQ(TrapWords(Trap::kNone), "");
  EXPECT_EQ(TrapName(static_cast<Trap>(200)), "UNKNOWN");
}

TEST(End, NamesAndNumbersAreDistinct) {
  std::set<std::string_view> names;
  std::set<uint32_t> numbers;
  size_t rows = 0;
#define WB_END(name, upper, number)    \
  ++rows;                              \
  names.insert(EndName(End::k##name)); \
  numbers.insert(number);              \
  EXPECT_EQ(EndName(End::k##name), #upper);
#include "compiler/abi/end.def"
#undef WB_END
  EXPECT_EQ(names.size(), rows);
  EXPECT_EQ(numbers.size(), rows);
  EXPECT_EQ(EndName(static_cast<End>(200)), "UNKNOWN");
}

}  // namespace
}  // namespace wb
