#pragma once

// First bytes of the operators that generated code has.
// Source: WebAssembly core specification 2.0, 5.4 (instructions).

#include <cstdint>

namespace wb::operators {

inline constexpr uint8_t kUnreachable = 0x00, kBlock = 0x02, kLoop = 0x03, kEnd = 0x0b;
inline constexpr uint8_t kBr = 0x0c, kBrIf = 0x0d, kReturn = 0x0f, kCall = 0x10, kDrop = 0x1a;
inline constexpr uint8_t kLocalGet = 0x20, kLocalSet = 0x21;
inline constexpr uint8_t kI32Load = 0x28, kI64Load = 0x29, kF32Load = 0x2a, kF64Load = 0x2b;
inline constexpr uint8_t kI32Const = 0x41, kI64Const = 0x42, kF32Const = 0x43, kF64Const = 0x44;
inline constexpr uint8_t kI32Ne = 0x47, kI32LtU = 0x49, kI32GtU = 0x4b, kI32GeU = 0x4f;
inline constexpr uint8_t kI64Ne = 0x52, kI64LtU = 0x54, kI64GtU = 0x56;
inline constexpr uint8_t kI32Add = 0x6a, kI32Mul = 0x6c, kI32ShrU = 0x76;
inline constexpr uint8_t kExtendU = 0xad, kI32OfF32 = 0xbc, kI64OfF64 = 0xbd, kRefNull = 0xd0;

// The first byte of operators on vectors, and what follows it.
inline constexpr uint8_t kVector = 0xfd, kV128Const = 12, kI64x2Lane = 29;

inline constexpr uint8_t kNoResult = 0x40;  // a block's type

}  // namespace wb::operators
