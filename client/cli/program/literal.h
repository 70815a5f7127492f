#pragma once

// Numbers as people write them -> WebAssembly values, and back.

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

// "i32" -> I32; nullopt for other words.
std::optional<wasmburst::v1::ValueType> TypeNamed(std::string_view name);
std::string TypeText(wasmburst::v1::ValueType type);  // "i32"

// Integers: decimal or 0x, of either sign, within the type. Floats: decimal or hexadecimal, inf,
// nan, nan:0xPAYLOAD, with sign; rounded once. The bits of the value; INVALID_ARGUMENT.
Result<uint64_t> ParseBits(const std::string& text, wasmburst::v1::ValueType type);
wasmburst::v1::Value ValueOfBits(uint64_t bits, wasmburst::v1::ValueType type);
// Also a v128: 0x and 32 hexadecimal digits, the most significant first.
Result<wasmburst::v1::Value> ParseValue(const std::string& text, wasmburst::v1::ValueType type);

// So that ParseValue gives the same bits again. Integers are shown signed.
std::string ValueText(const wasmburst::v1::Value& value);

}  // namespace wb::cli
