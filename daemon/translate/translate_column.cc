#include "daemon/translate/translate_column.h"

#include <cstring>
#include <utility>

#include "daemon/store/names.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

Status CheckValues(uint64_t values, uint64_t instances, const std::string& field) {
  if (values == instances) return {};
  return FieldError(field, "has [" + std::to_string(values) + "] values for [" +
                               std::to_string(instances) + "] instances");
}

Status CheckStrings(uint64_t strings, uint64_t instances, const std::string& field) {
  if (strings == 1 || strings == instances) return {};
  return FieldError(field, "has [" + std::to_string(strings) +
                               "] byte strings; it needs one, or [" + std::to_string(instances) +
                               "]");
}

template <typename Number>
std::shared_ptr<const ColumnData> DataOf(const google::protobuf::RepeatedField<Number>& numbers) {
  const uint32_t width = sizeof(Number);
  ByteBlock block = ByteBlock::Of(static_cast<size_t>(numbers.size()) * width);
  uint8_t* to = block.bytes.get();
  for (const Number number : numbers) {
    for (uint32_t i = 0; i < width; ++i) *to++ = static_cast<uint8_t>(number >> (8 * i));
  }
  return ColumnData::Numbers(std::move(block), width, static_cast<uint64_t>(numbers.size()));
}

Result<Column> ListFromProto(const v1::ValueList& list, uint64_t instances,
                             const std::string& field) {
  Column column;
  column.kind = Column::Kind::kList;
  WB_ASSIGN(column.type, ListTypeFromProto(static_cast<uint32_t>(list.type()), field));
  const bool small = column.type == ValueType::kI32 || column.type == ValueType::kF32;
  if ((small ? list.bits64_size() : list.bits32_size()) != 0) {
    return FieldError(field, "has values that are not of its type");
  }
  column.data = small ? DataOf(list.bits32()) : DataOf(list.bits64());
  WB_TRY(CheckValues(column.count(), instances, field));
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

Result<Column> StringsFromProto(const v1::BytesList& list, uint64_t instances,
                                const std::string& field) {
  WB_TRY(CheckStrings(static_cast<uint64_t>(list.values_size()), instances, field));
  size_t size = 0;
  for (const std::string& value : list.values()) size += value.size();
  ByteBlock block = ByteBlock::Of(size);
  std::vector<uint64_t> ends;
  ends.reserve(static_cast<size_t>(list.values_size()));
  uint64_t end = 0;
  for (const std::string& value : list.values()) {
    std::memcpy(block.bytes.get() + end, value.data(), value.size());
    end += value.size();
    ends.push_back(end);
  }
  Column column;
  column.kind = Column::Kind::kBytes;
  column.data = ColumnData::Strings(std::move(block), std::move(ends));
  return column;
}

Result<Column> UploadedFromProto(const v1::UploadedColumn& proto, uint64_t instances,
                                 const FindInput& find_input, const std::string& field) {
  WB_ASSIGN(const Digest digest, ParseInputName(proto.input(), field + ".input"));
  WB_ASSIGN(StoredInput input, find_input(digest));
  Column& column = input.column;
  if (column.kind == Column::Kind::kList) {
    WB_TRY(CheckValues(column.count(), instances, field));
  } else if (column.kind == Column::Kind::kBytes) {
    WB_TRY(CheckStrings(column.count(), instances, field));
  }
  return std::move(column);
}

}  // namespace

Result<StoredInput> NoInputs(const Digest& digest) { return NoSuchInput(digest); }

Result<ValueType> ListTypeFromProto(uint32_t type, const std::string& field) {
  switch (type) {
    case v1::I32: return ValueType::kI32;
    case v1::I64: return ValueType::kI64;
    case v1::F32: return ValueType::kF32;
    case v1::F64: return ValueType::kF64;
    default: return FieldError(field + ".type", "must be I32, I64, F32 or F64");
  }
}

Result<Column> RuleFromProto(const v1::Column& proto, const std::string& field) {
  if (proto.has_range()) return RangeFromProto(proto.range(), field + ".range");
  Column column;
  WB_ASSIGN(const Value value, ValueFromProto(proto.constant(), field + ".constant"));
  column.type = value.type;
  column.values = {value};
  return column;
}

Result<Column> ColumnFromProto(const v1::Column& proto, uint64_t instances,
                               const FindInput& find_input, const std::string& field) {
  switch (proto.rule_case()) {
    case v1::Column::kConstant:
    case v1::Column::kRange: return RuleFromProto(proto, field);
    case v1::Column::kList: return ListFromProto(proto.list(), instances, field + ".list");
    case v1::Column::kBytes: return StringsFromProto(proto.bytes(), instances, field + ".bytes");
    case v1::Column::kUploaded:
      return UploadedFromProto(proto.uploaded(), instances, find_input, field + ".uploaded");
    case v1::Column::RULE_NOT_SET: break;
  }
  return FieldError(field, "holds no rule");
}

}  // namespace wb
