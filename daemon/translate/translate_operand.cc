#include "daemon/translate/translate_operand.h"

#include <memory>
#include <utility>

#include "daemon/translate/translate_value.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using Source = Operand::Source;

// Counts no further than one too many.
Status CheckLoads(const v1::Operand& proto, const std::string& field) {
  const v1::Operand* operand = &proto;
  for (uint32_t loads = 0; loads <= abi::MOST_LOADS; ++loads) {
    if (!operand->has_load32()) return {};
    operand = &operand->load32().pointer();
  }
  return FieldError(field, "has more than [" + std::to_string(abi::MOST_LOADS) +
                               "] loads within one another; let an exported function follow the "
                               "pointers and take its result");
}

Result<std::shared_ptr<const GlobalName>> GlobalFromProto(const v1::GlobalOperand& proto,
                                                          const std::string& field) {
  if (proto.name().size() > kLongestName) {
    return FieldError(field + ".name", "is longer than 1,024 bytes");
  }
  if (proto.module().size() > kLongestName) {
    return FieldError(field + ".module", "is longer than 1,024 bytes");
  }
  auto global = std::make_shared<GlobalName>();
  global->name = proto.name();
  global->instance = proto.module();
  return std::shared_ptr<const GlobalName>(std::move(global));
}

Result<Operand> SourceFromProto(const v1::Operand& proto, const std::string& field) {
  Operand operand;
  switch (proto.source_case()) {
    case v1::Operand::kConstant: {
      WB_ASSIGN(operand.value, ValueFromProto(proto.constant(), field + ".constant"));
      return operand;
    }
    case v1::Operand::kColumn:
      operand.source = Source::kColumn;
      operand.column = proto.column();
      return operand;
    case v1::Operand::kResult:
      operand.source = Source::kResult;
      operand.step = proto.result().step();
      operand.result = proto.result().result();
      return operand;
    case v1::Operand::kColumnLength:
      operand.source = Source::kColumnLength;
      operand.column = proto.column_length();
      return operand;
    case v1::Operand::kGlobal: {
      operand.source = Source::kGlobal;
      WB_ASSIGN(operand.global, GlobalFromProto(proto.global(), field + ".global"));
      return operand;
    }
    case v1::Operand::kLoad32: {
      operand.source = Source::kLoad32;
      WB_ASSIGN(Operand pointer,
                OperandFromProto(proto.load32().pointer(), field + ".load32.pointer"));
      operand.pointer = std::make_shared<const Operand>(std::move(pointer));
      return operand;
    }
    case v1::Operand::SOURCE_NOT_SET: break;
  }
  return FieldError(field, "has no source");
}

}  // namespace

Result<Operand> OperandFromProto(const v1::Operand& proto, const std::string& field) {
  WB_TRY(CheckLoads(proto, field));
  WB_ASSIGN(Operand operand, SourceFromProto(proto, field));
  if (!proto.has_add()) return operand;
  if (operand.source == Source::kConstant) {
    return FieldError(field, "adds to a constant; write the sum");
  }
  WB_ASSIGN(operand.value, ValueFromProto(proto.add(), field + ".add"));
  return operand;
}

void OperandToProto(const Operand& operand, v1::Operand* proto) {
  switch (operand.source) {
    case Source::kConstant: ValueToProto(operand.value, proto->mutable_constant()); return;
    case Source::kColumn: proto->set_column(operand.column); break;
    case Source::kResult:
      proto->mutable_result()->set_step(operand.step);
      proto->mutable_result()->set_result(operand.result);
      break;
    case Source::kColumnLength: proto->set_column_length(operand.column); break;
    case Source::kGlobal:
      proto->mutable_global()->set_name(operand.global->name);
      proto->mutable_global()->set_module(operand.global->instance);
      break;
    case Source::kLoad32:
      OperandToProto(*operand.pointer, proto->mutable_load32()->mutable_pointer());
      break;
  }
  if (operand.value != Value()) ValueToProto(operand.value, proto->mutable_add());
}

}  // namespace wb
