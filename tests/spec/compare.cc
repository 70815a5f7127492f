#include "tests/spec/compare.h"

#include <cstdio>

namespace wb::spec {
namespace {

bool NanMatches(NanClass nan, uint64_t bits, bool is_double) {
  const uint64_t sign = is_double ? uint64_t{1} << 63 : uint64_t{1} << 31;
  const uint64_t canonical = is_double ? 0x7ff8000000000000 : 0x7fc00000;
  if (nan == NanClass::kCanonical) return (bits & ~sign) == canonical;
  return (bits & canonical) == canonical;
}

uint64_t LaneBits(const Value& value, size_t lane, uint32_t bits) {
  const size_t at = lane * bits / 32;
  if (bits == 64) return value.words[at] | static_cast<uint64_t>(value.words[at + 1]) << 32;
  return value.words[at];
}

bool VectorMatches(const ScriptValue& expected, const Value& actual) {
  if (expected.lane_bits < 32) return expected.value.words == actual.words;
  for (size_t lane = 0; lane < 128u / expected.lane_bits; ++lane) {
    const uint64_t bits = LaneBits(actual, lane, expected.lane_bits);
    const NanClass nan = expected.nans[lane];
    const bool ok = nan == NanClass::kExact
                        ? bits == LaneBits(expected.value, lane, expected.lane_bits)
                        : NanMatches(nan, bits, expected.lane_bits == 64);
    if (!ok) return false;
  }
  return true;
}

}  // namespace

bool Matches(const ScriptValue& expected, const Value& actual) {
  if (expected.value.type != actual.type) return false;
  if (actual.type == ValueType::kV128) return VectorMatches(expected, actual);
  if (expected.any_value) {
    // (ref.func) and (ref.extern) without a number: any reference that is not null.
    return actual.words[0] != ScriptValue::kNullReference;
  }
  if (expected.nans[0] != NanClass::kExact) {
    return NanMatches(expected.nans[0], actual.bits(), actual.type == ValueType::kF64);
  }
  return TypeWords(actual.type) == 1 ? expected.value.words[0] == actual.words[0]
                                     : expected.value.bits() == actual.bits();
}

bool TrapMatches(std::string_view expected, Trap actual) {
  if (actual == Trap::kNone) return false;
  const std::string_view words = TrapWords(actual);
  if (words.substr(0, expected.size()) == expected) return true;
  if (expected.substr(0, words.size()) != words) return false;
  std::string_view rest = expected.substr(words.size());
  if (rest.size() < 2 || rest[0] != ' ') return false;
  return rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

std::string Describe(const Value& value) {
  std::string text(TypeName(value.type));
  text += " 0x";
  for (uint32_t i = TypeWords(value.type); i-- > 0;) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", value.words[i]);
    text += digits;
  }
  return text;
}

std::string Describe(const ScriptValue& expected) {
  constexpr std::string_view kNames[] = {"", " nan:canonical", " nan:arithmetic"};
  if (expected.any_value) return std::string(TypeName(expected.value.type)) + " (any)";
  if (expected.value.type != ValueType::kV128 && expected.nans[0] != NanClass::kExact) {
    return std::string(TypeName(expected.value.type)) +
           std::string(kNames[static_cast<size_t>(expected.nans[0])]);
  }
  std::string text = Describe(expected.value);
  for (size_t i = 0; i < expected.nans.size(); ++i) {
    const NanClass nan = expected.nans[i];
    if (nan == NanClass::kExact) continue;
    text += " lane " + std::to_string(i) + std::string(kNames[static_cast<size_t>(nan)]);
  }
  return text;
}

}  // namespace wb::spec
