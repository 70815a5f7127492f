#include "compiler/link/constants.h"

#include "compiler/link/operator_bytes.h"

namespace wb {

using namespace operators;

uint8_t TypeCode(ValueType type) {
  switch (type) {
    case ValueType::kI32: return 0x7f;
    case ValueType::kI64: return 0x7e;
    case ValueType::kF32: return 0x7d;
    case ValueType::kF64: return 0x7c;
    case ValueType::kV128: return 0x7b;
    case ValueType::kFuncRef: return 0x70;
    default: return 0x6f;
  }
}

void PutTypes(const std::vector<ValueType>& types, BinaryWriter& to) {
  to.Number(types.size());
  for (const ValueType type : types) to.Byte(TypeCode(type));
}

void PutConstant(const BoundValue& value, BinaryWriter& to) {
  switch (value.type) {
    case ValueType::kI32: to.Byte(kI32Const); return to.Signed(static_cast<int32_t>(value.bits));
    case ValueType::kI64: to.Byte(kI64Const); return to.Signed(static_cast<int64_t>(value.bits));
    case ValueType::kF32: to.Byte(kF32Const); return to.Fixed(value.bits, 4);
    case ValueType::kF64: to.Byte(kF64Const); return to.Fixed(value.bits, 8);
    case ValueType::kV128:
      to.Byte(kVector);
      to.Number(kV128Const);
      return to.Fixed(value.bits, 16);
    default: to.Byte(kRefNull); return to.Byte(TypeCode(value.type));
  }
}

}  // namespace wb
