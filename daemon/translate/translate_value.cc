#include "daemon/translate/translate_value.h"

#include <cstring>

#include "wasmburst/v1/program.pb.h"

namespace wb {

namespace v1 = wasmburst::v1;

Status FieldError(const std::string& field, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The field [" + field + "] " + words + ".",
                {{"field", field}});
}

v1::ValueType TypeToProto(ValueType type) {
  switch (type) {
    case ValueType::kVoid: return v1::VALUE_TYPE_UNSPECIFIED;
    case ValueType::kI32: return v1::I32;
    case ValueType::kI64: return v1::I64;
    case ValueType::kF32: return v1::F32;
    case ValueType::kF64: return v1::F64;
    case ValueType::kV128: return v1::V128;
    case ValueType::kFuncRef: return v1::FUNCREF;
    case ValueType::kExternRef: return v1::EXTERNREF;
  }
  return v1::VALUE_TYPE_UNSPECIFIED;
}

void ValueToProto(const Value& value, v1::Value* proto) {
  uint64_t bits = value.bits();
  switch (value.type) {
    case ValueType::kI64: proto->set_i64(static_cast<int64_t>(bits)); break;
    case ValueType::kF32: proto->set_f32_bits(value.words[0]); break;
    case ValueType::kF64: proto->set_f64_bits(bits); break;
    case ValueType::kV128: proto->set_v128(value.words.data(), sizeof(value.words)); break;
    default: proto->set_i32(static_cast<int32_t>(value.words[0])); break;
  }
}

Value ValueOfBits(ValueType type, uint64_t bits) {
  Value value = Value::I64(bits);
  value.type = type;
  return value;
}

Result<Value> ValueFromProto(const v1::Value& proto, const std::string& field) {
  switch (proto.kind_case()) {
    case v1::Value::kI32: return Value::I32(static_cast<uint32_t>(proto.i32()));
    case v1::Value::kI64: return Value::I64(static_cast<uint64_t>(proto.i64()));
    case v1::Value::kF32Bits: return ValueOfBits(ValueType::kF32, proto.f32_bits());
    case v1::Value::kF64Bits: return ValueOfBits(ValueType::kF64, proto.f64_bits());
    case v1::Value::kV128: {
      Value value;
      value.type = ValueType::kV128;
      if (proto.v128().size() != sizeof(value.words)) {
        return FieldError(field,
                          "has [" + std::to_string(proto.v128().size()) + "] bytes; a v128 has 16");
      }
      std::memcpy(value.words.data(), proto.v128().data(), sizeof(value.words));
      return value;
    }
    case v1::Value::KIND_NOT_SET: break;
  }
  return FieldError(field, "holds no value");
}

}  // namespace wb
