#include "tests/compiler/emit/integer_table.h"

#include <utility>

#include "tests/compiler/runtime/number_samples.h"

namespace wb::test {
namespace {

constexpr uint64_t kPrime = 0x100000001b3;
constexpr uint64_t kTrapped = 0xbad;  // stands for a pair that would trap
constexpr uint32_t kCornersAt = 4096;

bool IsInteger(ValueType type) { return type == ValueType::kI32 || type == ValueType::kI64; }

std::string GuardOf(const OpcodeFacts& facts) {
  if (facts.check.empty()) return "";
  const std::string type(TypeName(facts.a));
  const std::string zero = "(" + type + ".eqz $B)";
  if (facts.text.find("div_s") == std::string_view::npos) return zero;
  const std::string lowest = facts.a == ValueType::kI32 ? "0x80000000" : "0x8000000000000000";
  return "(i32.or " + zero + " (i32.and (" + type + ".eq $A (" + type + ".const " + lowest +
         ")) (" + type + ".eq $B (" + type + ".const -1))))";
}

void AddOperators(std::vector<IntegerRow>* rows) {
  static constexpr Opcode kOpcodes[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) Opcode::k##name,
#define WB_LOAD(name, code, token, text, type, bytes)
#define WB_STORE(name, code, token, text, type, bytes)
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
  };
  for (Opcode opcode : kOpcodes) {
    const OpcodeFacts& facts = FactsOf(opcode);
    if (!IsInteger(facts.a) || !IsInteger(facts.result)) continue;
    const std::string name(facts.text);
    rows->push_back({name, "(" + name + " $A" + (facts.b == ValueType::kVoid ? ")" : " $B)"),
                     GuardOf(facts), facts.a, facts.result,
                     [opcode](uint64_t a, uint64_t b) { return NumericReference(opcode, a, b); }});
  }
}

std::string Of(const char* op, const std::string& a, const std::string& b) {
  return std::string("(i64.") + op + " " + a + " " + b + ")";
}
std::string Low(const std::string& a) { return Of("and", a, "(i64.const 0xffffffff)"); }
std::string High(const std::string& a) { return Of("shr_u", a, "(i64.const 32)"); }

// The high half of 64 by 64 bits, as __multi3 of a C compiler's library makes it.
std::string HighOf128() {
  const std::string middle =
      Of("add", Of("mul", High("$A"), Low("$B")), High(Of("mul", Low("$A"), Low("$B"))));
  const std::string other = Of("add", Of("mul", Low("$A"), High("$B")), Low(middle));
  return Of("add", Of("mul", High("$A"), High("$B")), Of("add", High(middle), High(other)));
}

void AddWideProducts(std::vector<IntegerRow>* rows) {
  __extension__ typedef unsigned __int128 Wide;
  rows->push_back({"wide_u32", "(i64.mul (i64.extend_i32_u $A) (i64.extend_i32_u $B))", "",
                   ValueType::kI32, ValueType::kI64, [](uint64_t a, uint64_t b) {
                     return NumericOutcome{Trap::kNone, a * b};
                   }});
  rows->push_back({"wide_s32", "(i64.mul (i64.extend_i32_s $A) (i64.extend_i32_s $B))", "",
                   ValueType::kI32, ValueType::kI64, [](uint64_t a, uint64_t b) {
                     const int64_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
                     return NumericOutcome{Trap::kNone, static_cast<uint64_t>(x * y)};
                   }});
  rows->push_back({"high_u32",
                   "(i32.wrap_i64 (i64.shr_u (i64.mul (i64.extend_i32_u $A)"
                   " (i64.extend_i32_u $B)) (i64.const 32)))",
                   "", ValueType::kI32, ValueType::kI32, [](uint64_t a, uint64_t b) {
                     return NumericOutcome{Trap::kNone, a * b >> 32};
                   }});
  rows->push_back(
      {"high_u64", HighOf128(), "", ValueType::kI64, ValueType::kI64, [](uint64_t a, uint64_t b) {
         const auto high = static_cast<uint64_t>(Wide{a} * b >> 64);
         return NumericOutcome{Trap::kNone, high};
       }});
}

// Operands that code often has as constants.
std::vector<uint64_t> Constants(ValueType type) {
  if (type == ValueType::kI32) {
    return {0, 1, 2, 3, 7, 10, 31, 32, 33, 641, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
  }
  return {0,
          1,
          2,
          3,
          7,
          10,
          63,
          64,
          65,
          641,
          0x100000000,
          0x7fffffffffffffff,
          0x8000000000000000,
          0xffffffffffffffff};
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The row's value as an i64, of operands that are texts.
std::string ValueText(const IntegerRow& row, const std::string& a, const std::string& b) {
  std::string value = row.text;
  if (row.result == ValueType::kI32) value = "(i64.extend_i32_u " + value + ")";
  if (!row.guard.empty()) {
    value = "(if (result i64) " + row.guard + " (then (i64.const " + std::to_string(kTrapped) +
            ")) (else " + value + "))";
  }
  return Replaced(Replaced(value, "$A", a), "$B", b);
}
uint64_t Value(const IntegerRow& row, uint64_t a, uint64_t b) {
  const NumericOutcome outcome = row.reference(a, b);
  return outcome.trap == Trap::kNone ? outcome.bits : kTrapped;
}

std::string Fold(const std::string& value) {
  return "(local.set $h (i64.xor (i64.mul (local.get $h) (i64.const " + std::to_string(kPrime) +
         ")) " + value + "))\n";
}

// For each corner a digest, 8 bytes at 8 * its number, of what `body` folds into $h.
std::string LoopOver(const std::string& name, ValueType type, const std::string& body) {
  const std::string load = std::string(TypeName(type)) + ".load offset=";
  const std::string shift = type == ValueType::kI32 ? "2" : "3";
  const std::string count = std::to_string(CornerBits(type).size());
  return "(func (export \"" + name + "\") (param i32 i64 f32 f64) (local $i i32) (local $j i32)" +
         " (local $a " + std::string(TypeName(type)) + ") (local $b " +
         std::string(TypeName(type)) + ") (local $h i64)\n(loop $outer\n(local.set $a (" + load +
         std::to_string(kCornersAt) + " (i32.shl (local.get $i) (i32.const " + shift + "))))\n" +
         "(local.set $h (i64.const 0))\n" +
         Replaced(body, "LOAD_B",
                  "(local.set $b (" + load + std::to_string(kCornersAt) +
                      " (i32.shl (local.get $j) (i32.const " + shift + "))))") +
         "(i64.store (i32.shl (local.get $i) (i32.const 3)) (local.get $h))\n" +
         "(br_if $outer (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))" +
         " (i32.const " + count + ")))))\n";
}

void AddTraps(const IntegerRow& row, std::vector<IntegerTrap>* traps) {
  const bool narrow = row.type == ValueType::kI32;
  const std::string type(TypeName(row.type));
  const uint64_t lowest = narrow ? 0x80000000u : 0x8000000000000000u;
  const uint64_t minus_one = narrow ? 0xffffffffu : ~uint64_t{0};
  const std::pair<uint64_t, uint64_t> pairs[] = {
      {1, 0}, {0, 0}, {lowest, 0}, {lowest, minus_one}, {lowest + 1, minus_one}, {lowest, 1}};
  for (const auto& [a, b] : pairs) {
    const Trap trap = row.reference(a, b).trap;
    const std::string x = "(" + type + ".const " + std::to_string(a) + ")";
    const std::string y = "(" + type + ".const " + std::to_string(b) + ")";
    const std::string name = row.name + " " + std::to_string(a) + " " + std::to_string(b);
    traps->push_back({name, Replaced(Replaced(row.text, "$A", x), "$B", y), trap});
    const std::string stores = "(" + type + ".store (local.get 0) " + x + ") (" + type +
                               ".store offset=8 (local.get 0) " + y + ")";
    const std::string loaded =
        Replaced(Replaced(row.text, "$A", "(" + type + ".load (local.get 0))"), "$B",
                 "(" + type + ".load offset=8 (local.get 0))");
    traps->push_back(
        {name + " loaded", "(block (result " + type + ") " + stores + loaded + ")", trap});
  }
}

}  // namespace

std::vector<IntegerRow> IntegerTable() {
  std::vector<IntegerRow> rows;
  AddOperators(&rows);
  AddWideProducts(&rows);
  return rows;
}

std::string PairsText(const IntegerRow& row) {
  return LoopOver(row.name, row.type,
                  "(local.set $j (i32.const 0))\n(loop $inner\nLOAD_B\n" +
                      Fold(ValueText(row, "(local.get $a)", "(local.get $b)")) +
                      "(br_if $inner (i32.lt_u (local.tee $j (i32.add (local.get $j)"
                      " (i32.const 1))) (i32.const " +
                      std::to_string(CornerBits(row.type).size()) + "))))\n");
}

std::string ConstantsText(const IntegerRow& row) {
  std::string body;
  for (uint64_t constant : Constants(row.type)) {
    const std::string text =
        "(" + std::string(TypeName(row.type)) + ".const " + std::to_string(constant) + ")";
    body += Fold(ValueText(row, "(local.get $a)", text));
    body += Fold(ValueText(row, text, "(local.get $a)"));
  }
  return LoopOver(row.name + " of constants", row.type, body);
}

uint64_t PairsDigest(const IntegerRow& row, uint64_t a) {
  uint64_t digest = 0;
  for (uint64_t b : CornerBits(row.type)) digest = digest * kPrime ^ Value(row, a, b);
  return digest;
}
uint64_t ConstantsDigest(const IntegerRow& row, uint64_t a) {
  uint64_t digest = 0;
  for (uint64_t constant : Constants(row.type)) {
    digest = digest * kPrime ^ Value(row, a, constant);
    digest = digest * kPrime ^ Value(row, constant, a);
  }
  return digest;
}

std::string CornersSegment(ValueType type) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "(data (i32.const " + std::to_string(kCornersAt) + ") \"";
  for (uint64_t bits : CornerBits(type)) {
    for (uint32_t byte = 0; byte < 4 * TypeWords(type); ++byte) {
      const uint64_t value = bits >> (8 * byte) & 0xff;
      text += {'\\', kDigits[value >> 4], kDigits[value & 15]};
    }
  }
  return text + "\")\n";
}

std::vector<IntegerTrap> IntegerTraps() {
  std::vector<IntegerTrap> traps;
  for (const IntegerRow& row : IntegerTable()) {
    if (!row.guard.empty()) AddTraps(row, &traps);
  }
  return traps;
}

}  // namespace wb::test
