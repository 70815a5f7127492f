#include "daemon/translate_value.h"

#include <cstring>

#include "daemon/translate_job.h"
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

namespace {

Result<Column> ListFromProto(const v1::ValueList& list, uint64_t instances,
                             const std::string& field) {
  Column column;
  column.kind = Column::Kind::kList;
  bool small = list.type() == v1::I32 || list.type() == v1::F32;
  bool large = list.type() == v1::I64 || list.type() == v1::F64;
  if (!small && !large) return FieldError(field + ".type", "must be I32, I64, F32 or F64");
  uint64_t size = static_cast<uint64_t>(small ? list.bits32_size() : list.bits64_size());
  uint64_t others = static_cast<uint64_t>(small ? list.bits64_size() : list.bits32_size());
  if (others != 0) return FieldError(field, "has values that are not of its type");
  if (size != instances) {
    return FieldError(field, "has [" + std::to_string(size) + "] values for [" +
                                 std::to_string(instances) + "] instances");
  }
  if (list.type() == v1::I32) column.type = ValueType::kI32;
  if (list.type() == v1::I64) column.type = ValueType::kI64;
  if (list.type() == v1::F32) column.type = ValueType::kF32;
  if (list.type() == v1::F64) column.type = ValueType::kF64;
  column.values.reserve(size);
  for (uint32_t bits : list.bits32()) column.values.push_back(ValueOfBits(column.type, bits));
  for (uint64_t bits : list.bits64()) column.values.push_back(ValueOfBits(column.type, bits));
  return column;
}

Result<Column> RangeFromProto(const v1::Range& range, const std::string& field) {
  Column column;
  column.kind = Column::Kind::kRange;
  WB_ASSIGN(column.start, ValueFromProto(range.start(), field + ".start"));
  WB_ASSIGN(column.step, ValueFromProto(range.step(), field + ".step"));
  if (column.start.type != column.step.type || column.start.type == ValueType::kV128) {
    return FieldError(field, "needs start and step of one type: i32, i64, f32 or f64");
  }
  column.type = column.start.type;
  return column;
}

Result<Column> BytesFromProto(const v1::BytesList& list, uint64_t instances,
                              const std::string& field) {
  uint64_t size = static_cast<uint64_t>(list.values_size());
  if (size != 1 && size != instances) {
    return FieldError(field, "has [" + std::to_string(size) + "] byte strings; it needs one, or [" +
                                 std::to_string(instances) + "]");
  }
  Column column;
  column.kind = Column::Kind::kBytes;
  column.bytes.reserve(size);
  for (const std::string& value : list.values()) {
    column.bytes.push_back(Bytes(value.begin(), value.end()));
  }
  return column;
}

}  // namespace

Result<Column> ColumnFromProto(const v1::Column& proto, uint64_t instances,
                               const std::string& field) {
  switch (proto.rule_case()) {
    case v1::Column::kConstant: {
      Column column;
      WB_ASSIGN(Value value, ValueFromProto(proto.constant(), field + ".constant"));
      column.type = value.type;
      column.values = {value};
      return column;
    }
    case v1::Column::kList: return ListFromProto(proto.list(), instances, field + ".list");
    case v1::Column::kRange: return RangeFromProto(proto.range(), field + ".range");
    case v1::Column::kBytes: return BytesFromProto(proto.bytes(), instances, field + ".bytes");
    case v1::Column::kUploaded:
      return FieldError(field, "names an input; uploads are not served yet");
    case v1::Column::RULE_NOT_SET: break;
  }
  return FieldError(field, "holds no rule");
}

}  // namespace wb
