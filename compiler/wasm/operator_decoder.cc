#include "compiler/wasm/operator_decoder.h"

#include <string>

namespace wb {
namespace {

// The alignment in bytes as the validator takes it; too large ones stay too large.
wabt::Address ToAlignment(wabt::Address log2) { return log2 < 32 ? wabt::Address{1} << log2 : ~0u; }

// imm2 of an access to one lane, as module.h says; a lane is below 16.
uint32_t LaneAndMemory(uint64_t lane, wabt::Index memory) {
  return static_cast<uint32_t>(lane) | memory << 8;
}

// The operators that the extended constant expressions proposal adds.
bool IsExtendedConstant(wabt::Opcode opcode) {
  switch (opcode) {
    case wabt::Opcode::I32Add:
    case wabt::Opcode::I32Sub:
    case wabt::Opcode::I32Mul:
    case wabt::Opcode::I64Add:
    case wabt::Opcode::I64Sub:
    case wabt::Opcode::I64Mul: return true;
    default: return false;
  }
}

}  // namespace

OperatorDecoder::Result OperatorDecoder::OnUnreachableExpr() {
  return Operator(validator().OnUnreachable(Here()));
}

OperatorDecoder::Result OperatorDecoder::OnNopExpr() { return Operator(validator().OnNop(Here())); }

OperatorDecoder::Result OperatorDecoder::OnDropExpr() {
  return Operator(validator().OnDrop(Here()));
}

OperatorDecoder::Result OperatorDecoder::OnRefIsNullExpr() {
  return Operator(validator().OnRefIsNull(Here()));
}

OperatorDecoder::Result OperatorDecoder::OnCallExpr(Index function) {
  if (function < decoded().functions.size()) {
    CHECK_RESULT(Charge(SignatureValues(decoded().functions[function].type), operator_at()));
  }
  return Operator(validator().OnCall(Here(), VarHere(function)), function);
}

OperatorDecoder::Result OperatorDecoder::OnCallIndirectExpr(Index type, Index table) {
  CHECK_RESULT(Charge(SignatureValues(type), operator_at()));
  return Operator(validator().OnCallIndirect(Here(), VarHere(type), VarHere(table)), type, table);
}

OperatorDecoder::Result OperatorDecoder::OnReturnCallExpr(Index function) {
  if (function < decoded().functions.size()) {
    CHECK_RESULT(Charge(SignatureValues(decoded().functions[function].type), operator_at()));
  }
  return Operator(validator().OnReturnCall(Here(), VarHere(function)), function);
}

OperatorDecoder::Result OperatorDecoder::OnReturnCallIndirectExpr(Index type, Index table) {
  CHECK_RESULT(Charge(SignatureValues(type), operator_at()));
  return Operator(validator().OnReturnCallIndirect(Here(), VarHere(type), VarHere(table)), type,
                  table);
}

OperatorDecoder::Result OperatorDecoder::OnLocalGetExpr(Index index) {
  return Operator(validator().OnLocalGet(Here(), VarHere(index)), index);
}

OperatorDecoder::Result OperatorDecoder::OnLocalSetExpr(Index index) {
  return Operator(validator().OnLocalSet(Here(), VarHere(index)), index);
}

OperatorDecoder::Result OperatorDecoder::OnLocalTeeExpr(Index index) {
  return Operator(validator().OnLocalTee(Here(), VarHere(index)), index);
}

OperatorDecoder::Result OperatorDecoder::OnGlobalGetExpr(Index index) {
  return Operator(validator().OnGlobalGet(Here(), VarHere(index)), index);
}

OperatorDecoder::Result OperatorDecoder::OnGlobalSetExpr(Index index) {
  return Operator(validator().OnGlobalSet(Here(), VarHere(index)), index);
}

OperatorDecoder::Result OperatorDecoder::OnTableGetExpr(Index table) {
  return Operator(validator().OnTableGet(Here(), VarHere(table)), table);
}

OperatorDecoder::Result OperatorDecoder::OnTableSetExpr(Index table) {
  return Operator(validator().OnTableSet(Here(), VarHere(table)), table);
}

OperatorDecoder::Result OperatorDecoder::OnTableSizeExpr(Index table) {
  return Operator(validator().OnTableSize(Here(), VarHere(table)), table);
}

OperatorDecoder::Result OperatorDecoder::OnTableGrowExpr(Index table) {
  return Operator(validator().OnTableGrow(Here(), VarHere(table)), table);
}

OperatorDecoder::Result OperatorDecoder::OnTableFillExpr(Index table) {
  return Operator(validator().OnTableFill(Here(), VarHere(table)), table);
}

OperatorDecoder::Result OperatorDecoder::OnElemDropExpr(Index segment) {
  return Operator(validator().OnElemDrop(Here(), VarHere(segment)), segment);
}

OperatorDecoder::Result OperatorDecoder::OnMemorySizeExpr(Index memory) {
  return Operator(validator().OnMemorySize(Here(), VarHere(memory)), memory);
}

OperatorDecoder::Result OperatorDecoder::OnMemoryGrowExpr(Index memory) {
  return Operator(validator().OnMemoryGrow(Here(), VarHere(memory)), memory);
}

OperatorDecoder::Result OperatorDecoder::OnMemoryFillExpr(Index memory) {
  return Operator(validator().OnMemoryFill(Here(), VarHere(memory)), memory);
}

OperatorDecoder::Result OperatorDecoder::OnDataDropExpr(Index segment) {
  return Operator(validator().OnDataDrop(Here(), VarHere(segment)), segment);
}

OperatorDecoder::Result OperatorDecoder::OnRefFuncExpr(Index function) {
  return Operator(validator().OnRefFunc(Here(), VarHere(function)), function);
}

OperatorDecoder::Result OperatorDecoder::OnTableCopyExpr(Index destination, Index source) {
  return Operator(validator().OnTableCopy(Here(), VarHere(destination), VarHere(source)),
                  destination, source);
}

OperatorDecoder::Result OperatorDecoder::OnTableInitExpr(Index segment, Index table) {
  return Operator(validator().OnTableInit(Here(), VarHere(segment), VarHere(table)), segment,
                  table);
}

// The destination stands first in the binary format; wabt 1.0.32 takes it for the source.
OperatorDecoder::Result OperatorDecoder::OnMemoryCopyExpr(Index destination, Index source) {
  return Operator(validator().OnMemoryCopy(Here(), VarHere(source), VarHere(destination)),
                  destination, source);
}

OperatorDecoder::Result OperatorDecoder::OnMemoryInitExpr(Index segment, Index memory) {
  return Operator(validator().OnMemoryInit(Here(), VarHere(segment), VarHere(memory)), segment,
                  memory);
}

OperatorDecoder::Result OperatorDecoder::OnSelectExpr(Index count, Type* types) {
  CHECK_RESULT(Check(validator().OnSelect(Here(), count, types), operator_at()));
  // Valid with types: exactly one, a value type.
  return Operator(Result::Ok, count == 0 ? 0 : static_cast<uint64_t>(*ToValueType(types[0])));
}

OperatorDecoder::Result OperatorDecoder::OnI32ConstExpr(uint32_t bits) {
  return Operator(validator().OnConst(Here(), Type::I32), bits);
}

OperatorDecoder::Result OperatorDecoder::OnI64ConstExpr(uint64_t bits) {
  return Operator(validator().OnConst(Here(), Type::I64), bits);
}

OperatorDecoder::Result OperatorDecoder::OnF32ConstExpr(uint32_t bits) {
  return Operator(validator().OnConst(Here(), Type::F32), bits);
}

OperatorDecoder::Result OperatorDecoder::OnF64ConstExpr(uint64_t bits) {
  return Operator(validator().OnConst(Here(), Type::F64), bits);
}

OperatorDecoder::Result OperatorDecoder::OnV128ConstExpr(v128 bits) {
  return VectorOperator(validator().OnConst(Here(), Type::V128), bits);
}

OperatorDecoder::Result OperatorDecoder::OnRefNullExpr(Type type) {
  std::optional<ValueType> value_type = ToValueType(type);
  if (!value_type.has_value()) {
    return Fail(Reason::kWasmMalformed, "ref.null of what is not a reference type", operator_at());
  }
  return Operator(validator().OnRefNull(Here(), type), static_cast<uint64_t>(*value_type));
}

OperatorDecoder::Result OperatorDecoder::OnBinaryExpr(WabtOpcode opcode) {
  if (in_constant() && IsExtendedConstant(opcode) && !features().extended_const_enabled()) {
    return Fail(Reason::kWasmUnsupportedFeature,
                "extended constant expression (" + std::string(opcode.GetName()) + ")",
                operator_at());
  }
  return Operator(validator().OnBinary(Here(), opcode));
}

OperatorDecoder::Result OperatorDecoder::OnUnaryExpr(WabtOpcode opcode) {
  return Operator(validator().OnUnary(Here(), opcode));
}

OperatorDecoder::Result OperatorDecoder::OnTernaryExpr(WabtOpcode opcode) {
  return Operator(validator().OnTernary(Here(), opcode));
}

OperatorDecoder::Result OperatorDecoder::OnCompareExpr(WabtOpcode opcode) {
  return Operator(validator().OnCompare(Here(), opcode));
}

OperatorDecoder::Result OperatorDecoder::OnConvertExpr(WabtOpcode opcode) {
  return Operator(validator().OnConvert(Here(), opcode));
}

OperatorDecoder::Result OperatorDecoder::Access(AccessCheck check, WabtOpcode opcode, Index memory,
                                                Address align_log2, Address offset) {
  return Operator((validator().*check)(Here(), opcode, VarHere(memory), ToAlignment(align_log2)),
                  offset, memory);
}

OperatorDecoder::Result OperatorDecoder::LaneAccess(LaneAccessCheck check, WabtOpcode opcode,
                                                    Index memory, Address align_log2,
                                                    Address offset, uint64_t lane) {
  return Operator(
      (validator().*check)(Here(), opcode, VarHere(memory), ToAlignment(align_log2), lane), offset,
      LaneAndMemory(lane, memory));
}

OperatorDecoder::Result OperatorDecoder::OnLoadExpr(WabtOpcode opcode, Index memory,
                                                    Address align_log2, Address offset) {
  return Access(&wabt::SharedValidator::OnLoad, opcode, memory, align_log2, offset);
}

OperatorDecoder::Result OperatorDecoder::OnStoreExpr(WabtOpcode opcode, Index memory,
                                                     Address align_log2, Address offset) {
  return Access(&wabt::SharedValidator::OnStore, opcode, memory, align_log2, offset);
}

OperatorDecoder::Result OperatorDecoder::OnLoadSplatExpr(WabtOpcode opcode, Index memory,
                                                         Address align_log2, Address offset) {
  return Access(&wabt::SharedValidator::OnLoadSplat, opcode, memory, align_log2, offset);
}

OperatorDecoder::Result OperatorDecoder::OnLoadZeroExpr(WabtOpcode opcode, Index memory,
                                                        Address align_log2, Address offset) {
  return Access(&wabt::SharedValidator::OnLoadZero, opcode, memory, align_log2, offset);
}

OperatorDecoder::Result OperatorDecoder::OnSimdLaneOpExpr(WabtOpcode opcode, uint64_t lane) {
  return Operator(validator().OnSimdLaneOp(Here(), opcode, lane), lane);
}

OperatorDecoder::Result OperatorDecoder::OnSimdShuffleOpExpr(WabtOpcode opcode, v128 lanes) {
  return VectorOperator(validator().OnSimdShuffleOp(Here(), opcode, lanes), lanes);
}

OperatorDecoder::Result OperatorDecoder::OnSimdLoadLaneExpr(WabtOpcode opcode, Index memory,
                                                            Address align_log2, Address offset,
                                                            uint64_t lane) {
  return LaneAccess(&wabt::SharedValidator::OnSimdLoadLane, opcode, memory, align_log2, offset,
                    lane);
}

OperatorDecoder::Result OperatorDecoder::OnSimdStoreLaneExpr(WabtOpcode opcode, Index memory,
                                                             Address align_log2, Address offset,
                                                             uint64_t lane) {
  return LaneAccess(&wabt::SharedValidator::OnSimdStoreLane, opcode, memory, align_log2, offset,
                    lane);
}

}  // namespace wb
