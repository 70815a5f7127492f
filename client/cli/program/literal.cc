#include "client/cli/program/literal.h"

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct TypeRow {
  v1::ValueType type;
  std::string_view name;
};
constexpr std::array<TypeRow, 7> kTypes = {{{v1::I32, "i32"},
                                            {v1::I64, "i64"},
                                            {v1::F32, "f32"},
                                            {v1::F64, "f64"},
                                            {v1::V128, "v128"},
                                            {v1::FUNCREF, "funcref"},
                                            {v1::EXTERNREF, "externref"}}};

Status NotA(const std::string& text, v1::ValueType type) {
  return Status(Reason::kInvalidArgument,
                "The value [" + text.substr(0, 100) + "] is no " + TypeText(type) + ".",
                {{"value", text.substr(0, 100)}});
}

// Sign and magnitude of an integer; nullopt if it is none or has more than 64 bits.
std::optional<uint64_t> Magnitude(std::string_view digits) {
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  }
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || rest != digits.data() + digits.size()) return std::nullopt;
  return value;
}

Result<uint64_t> ParseInteger(const std::string& text, v1::ValueType type) {
  bool negative = text.starts_with("-");
  bool sign = negative || text.starts_with("+");
  std::optional<uint64_t> value = Magnitude(std::string_view(text).substr(sign ? 1 : 0));
  int bits = type == v1::I32 ? 32 : 64;
  uint64_t most = bits == 32 ? 0xffffffffu : ~uint64_t{0};
  if (negative) most = uint64_t{1} << (bits - 1);
  if (!value || *value > most) return NotA(text, type);
  uint64_t mask = bits == 32 ? 0xffffffffu : ~uint64_t{0};
  return (negative ? uint64_t{0} - *value : *value) & mask;
}

// "nan", "-nan", "nan:0x1": the bits for a float of that many mantissa bits.
std::optional<uint64_t> NanBits(std::string_view text, int mantissa, int width) {
  uint64_t bits = 0;
  if (text.starts_with("-")) bits = uint64_t{1} << (width - 1);
  if (text.starts_with("-") || text.starts_with("+")) text.remove_prefix(1);
  if (!text.starts_with("nan")) return std::nullopt;
  uint64_t exponent = (uint64_t{1} << (width - 1 - mantissa)) - 1;
  bits |= exponent << mantissa;
  if (text == "nan") return bits | uint64_t{1} << (mantissa - 1);
  if (!text.starts_with("nan:0x")) return std::nullopt;
  std::optional<uint64_t> payload = Magnitude(text.substr(4));
  if (!payload || *payload == 0 || *payload >> mantissa != 0) return std::nullopt;
  return bits | *payload;
}

Result<uint64_t> ParseFloat(const std::string& text, v1::ValueType type) {
  bool small = type == v1::F32;
  if (text.find("nan") != std::string::npos) {
    std::optional<uint64_t> bits = NanBits(text, small ? 23 : 52, small ? 32 : 64);
    if (!bits) return NotA(text, type);
    return *bits;
  }
  bool plausible = !text.empty() && text.find_first_of(" \t\n") == std::string::npos;
  const char* start = text.c_str();
  char* end = nullptr;
  uint64_t bits = 0;
  if (small) {
    bits = std::bit_cast<uint32_t>(std::strtof(start, &end));
  } else {
    bits = std::bit_cast<uint64_t>(std::strtod(start, &end));
  }
  if (!plausible || end != start + text.size()) return NotA(text, type);
  return bits;
}

std::string NanText(uint64_t bits, int mantissa, int width) {
  std::string sign = bits >> (width - 1) != 0 ? "-" : "";
  uint64_t payload = bits & ((uint64_t{1} << mantissa) - 1);
  if (payload == uint64_t{1} << (mantissa - 1)) return sign + "nan";
  char text[32];
  std::snprintf(text, sizeof(text), "nan:0x%llx", static_cast<unsigned long long>(payload));
  return sign + text;
}

// The shortest text that reads back as the same number.
template <typename Float>
std::string FloatText(Float value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[64];
  auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

// "0x" and 32 digits, the most significant first, as HexText writes them: 16 bytes.
std::optional<std::string> VectorBytes(const std::string& text) {
  constexpr size_t kDigits = 32;
  if (text.size() != 2 + kDigits || !text.starts_with("0x")) return std::nullopt;
  std::string bytes;
  for (size_t at = text.size(); at > 2; at -= 2) {
    uint8_t byte = 0;
    const char* end = text.data() + at;
    auto [rest, error] = std::from_chars(end - 2, end, byte, 16);
    if (error != std::errc() || rest != end) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string HexText(const std::string& bytes) {
  std::string text = "0x";
  char digits[3];
  for (size_t i = bytes.size(); i-- > 0;) {
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<uint8_t>(bytes[i]));
    text += digits;
  }
  return text;
}

}  // namespace

std::optional<v1::ValueType> TypeNamed(std::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

std::string TypeText(v1::ValueType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return std::string(row.name);
  }
  return "?";
}

Result<uint64_t> ParseBits(const std::string& text, v1::ValueType type) {
  if (type == v1::I32 || type == v1::I64) return ParseInteger(text, type);
  if (type == v1::F32 || type == v1::F64) return ParseFloat(text, type);
  return Status(Reason::kInvalidArgument,
                "A value of type [" + TypeText(type) + "] cannot be written here.");
}

v1::Value ValueOfBits(uint64_t bits, v1::ValueType type) {
  v1::Value value;
  if (type == v1::I32) value.set_i32(static_cast<int32_t>(bits));
  if (type == v1::I64) value.set_i64(static_cast<int64_t>(bits));
  if (type == v1::F32) value.set_f32_bits(static_cast<uint32_t>(bits));
  if (type == v1::F64) value.set_f64_bits(bits);
  return value;
}

Result<v1::Value> ParseValue(const std::string& text, v1::ValueType type) {
  if (type == v1::V128) {
    std::optional<std::string> bytes = VectorBytes(text);
    if (!bytes) return NotA(text, type);
    v1::Value value;
    value.set_v128(std::move(*bytes));
    return value;
  }
  WB_ASSIGN(uint64_t bits, ParseBits(text, type));
  return ValueOfBits(bits, type);
}

std::string ValueText(const v1::Value& value) {
  switch (value.kind_case()) {
    case v1::Value::kI32: return std::to_string(value.i32());
    case v1::Value::kI64: return std::to_string(value.i64());
    case v1::Value::kF32Bits: {
      float number = std::bit_cast<float>(value.f32_bits());
      return std::isnan(number) ? NanText(value.f32_bits(), 23, 32) : FloatText(number);
    }
    case v1::Value::kF64Bits: {
      double number = std::bit_cast<double>(value.f64_bits());
      return std::isnan(number) ? NanText(value.f64_bits(), 52, 64) : FloatText(number);
    }
    case v1::Value::kV128: return HexText(value.v128());
    case v1::Value::KIND_NOT_SET: break;
  }
  return "?";
}

}  // namespace wb::cli
