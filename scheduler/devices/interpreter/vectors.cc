#include "scheduler/devices/interpreter/vectors.h"

#include <iterator>
#include <type_traits>

#include "compiler/base/check.h"

#include <metal_stdlib>

namespace wb {
namespace vectors {

// The lane's memory comes as a pointer: nothing here asks where it is.
constant uint WB_MEMORY_AT = 0;
constant uint WB_GLOBALS_AT = 0;
constant uint WB_WINDOWED = 0;
#include "compiler/runtime/as_cpp.inc"
#include "compiler/runtime/as_cpp_simd.inc"

template <typename T>
static inline T Read(const ulong* slot) {
  if constexpr (std::is_same_v<T, wb_v128>) {
    return wb_i64x2(slot[0], slot[1]);
  } else if constexpr (sizeof(T) == 4) {
    return as_type<T>(static_cast<uint>(slot[0]));
  } else {
    return as_type<T>(slot[0]);
  }
}

template <typename T>
static inline void Write(ulong* slot, T value) {
  if constexpr (std::is_same_v<T, wb_v128>) {
    slot[0] = wb_low(value);
    slot[1] = wb_high(value);
  } else if constexpr (sizeof(T) == 4) {
    slot[0] = as_type<uint>(value);
  } else {
    slot[0] = as_type<ulong>(value);
  }
}

static inline uint Lane(const ByteCode& code) { return code.imm >> kVectorLaneShift & 0xff; }

// The last of some operands: a lane from the instruction, or a slot.
template <OpcodeImmediate immediate, typename T>
static inline T Last(const ulong* slots, const ByteCode& code, uint slot) {
  if constexpr (immediate == OpcodeImmediate::kLane) {
    return Lane(code);
  } else {
    return Read<T>(slots + slot);
  }
}

template <OpcodeImmediate immediate, typename R, typename A>
static inline void Run(R (*function)(A), ulong* slots, const ByteCode& code) {
  Write(slots + code.dst, function(Read<A>(slots + code.a)));
}
template <OpcodeImmediate immediate, typename R, typename A, typename B>
static inline void Run(R (*function)(A, B), ulong* slots, const ByteCode& code) {
  Write(slots + code.dst,
        function(Read<A>(slots + code.a), Last<immediate, B>(slots, code, code.b)));
}
template <OpcodeImmediate immediate, typename R, typename A, typename B, typename C>
static inline void Run(R (*function)(A, B, C), ulong* slots, const ByteCode& code) {
  const uint c = static_cast<uint>(code.imm);
  Write(slots + code.dst, function(Read<A>(slots + code.a), Read<B>(slots + code.b),
                                   Last<immediate, C>(slots, code, c)));
}

#define WB_ADDRESS static_cast<uint>(slots[code.a]), code.imm & 0xffffffffu

}  // namespace vectors

using namespace vectors;  // NOLINT: the runtime text

const VectorOp kVectorOps[] = {
#define WB_RUN_VECTOR(bytes, ...) \
  {[](ulong* slots, const ByteCode& code, [[maybe_unused]] uchar* M) { __VA_ARGS__; }, bytes},
#define WB_VECTOR(name, code_of_row, token, text, result, a, b, c, immediate) \
  WB_RUN_VECTOR(0, Run<OpcodeImmediate::k##immediate>(&wb_##token, slots, code))
#define WB_VECTOR_LOAD(name, code_of_row, token, text, bytes) \
  WB_RUN_VECTOR(bytes, Write(slots + code.dst, wb_##token(M, WB_ADDRESS)))
#define WB_VECTOR_STORE(name, code_of_row, token, text, bytes) \
  WB_RUN_VECTOR(bytes, wb_##token(M, WB_ADDRESS, Read<wb_v128>(slots + code.b)))
#define WB_LANE_LOAD(name, code_of_row, token, text, bytes) \
  WB_RUN_VECTOR(bytes,                                      \
                Write(slots + code.dst,                     \
                      wb_##token(M, WB_ADDRESS, Read<wb_v128>(slots + code.b), Lane(code))))
#define WB_LANE_STORE(name, code_of_row, token, text, bytes) \
  WB_RUN_VECTOR(bytes, wb_##token(M, WB_ADDRESS, Read<wb_v128>(slots + code.b), Lane(code)))
#define WB_OTHER(name, code_of_row, text, fuel)
#include "compiler/wasm/opcode_simd.def"
#undef WB_OTHER
};

namespace {

constexpr Opcode kRows[] = {
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate) Opcode::k##name,
#define WB_VECTOR_LOAD(name, code, token, text, bytes) Opcode::k##name,
#define WB_VECTOR_STORE(name, code, token, text, bytes) Opcode::k##name,
#define WB_LANE_LOAD(name, code, token, text, bytes) Opcode::k##name,
#define WB_LANE_STORE(name, code, token, text, bytes) Opcode::k##name,
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode_simd.def"
#undef WB_OTHER
};
static_assert(std::size(kRows) == std::size(kVectorOps));

}  // namespace

// The rows follow one another in the enumeration as in the table.
uint32_t VectorNumberOf(Opcode opcode) {
  const uint32_t number = static_cast<uint32_t>(opcode) - static_cast<uint32_t>(kRows[0]);
  WB_CHECK(number < std::size(kRows) && kRows[number] == opcode);
  return number;
}

}  // namespace wb

#include "compiler/runtime/as_cpp_end.inc"
