#pragma once

// Private to compiler/wasm: the operators that only have immediates, and the end of the chain: the
// object that wabt's reader calls. It has one method per kind of operator because wabt's reader has
// one callback per kind; it has no state, and no other method but those that the accesses to memory
// share. Immediates are recorded as module.h says.

#include "compiler/wasm/control_decoder.h"

namespace wb {

class OperatorDecoder final : public ControlDecoder {
 public:
  OperatorDecoder(Module* module, const Proposals& proposals) : ControlDecoder(module, proposals) {}

 private:
  using AccessCheck = Result (wabt::SharedValidator::*)(const wabt::Location&, WabtOpcode,
                                                        wabt::Var, Address);
  using LaneAccessCheck = Result (wabt::SharedValidator::*)(const wabt::Location&, WabtOpcode,
                                                            wabt::Var, Address, uint64_t);
  Result Access(AccessCheck check, WabtOpcode opcode, Index memory, Address align_log2,
                Address offset);
  Result LaneAccess(LaneAccessCheck check, WabtOpcode opcode, Index memory, Address align_log2,
                    Address offset, uint64_t lane);

  Result OnUnreachableExpr() override;
  Result OnNopExpr() override;
  Result OnDropExpr() override;
  Result OnSelectExpr(Index count, Type* types) override;
  Result OnCallExpr(Index function) override;
  Result OnCallIndirectExpr(Index type, Index table) override;
  Result OnReturnCallExpr(Index function) override;
  Result OnReturnCallIndirectExpr(Index type, Index table) override;
  Result OnLocalGetExpr(Index index) override;
  Result OnLocalSetExpr(Index index) override;
  Result OnLocalTeeExpr(Index index) override;
  Result OnGlobalGetExpr(Index index) override;
  Result OnGlobalSetExpr(Index index) override;
  Result OnTableGetExpr(Index table) override;
  Result OnTableSetExpr(Index table) override;
  Result OnTableSizeExpr(Index table) override;
  Result OnTableGrowExpr(Index table) override;
  Result OnTableFillExpr(Index table) override;
  Result OnTableCopyExpr(Index destination, Index source) override;
  Result OnTableInitExpr(Index segment, Index table) override;
  Result OnElemDropExpr(Index segment) override;
  Result OnMemorySizeExpr(Index memory) override;
  Result OnMemoryGrowExpr(Index memory) override;
  Result OnMemoryFillExpr(Index memory) override;
  Result OnMemoryCopyExpr(Index destination, Index source) override;
  Result OnMemoryInitExpr(Index segment, Index memory) override;
  Result OnDataDropExpr(Index segment) override;
  Result OnI32ConstExpr(uint32_t bits) override;
  Result OnI64ConstExpr(uint64_t bits) override;
  Result OnF32ConstExpr(uint32_t bits) override;
  Result OnF64ConstExpr(uint64_t bits) override;
  Result OnV128ConstExpr(v128 bits) override;
  Result OnRefNullExpr(Type type) override;
  Result OnRefIsNullExpr() override;
  Result OnRefFuncExpr(Index function) override;
  Result OnUnaryExpr(WabtOpcode opcode) override;
  Result OnBinaryExpr(WabtOpcode opcode) override;
  Result OnTernaryExpr(WabtOpcode opcode) override;
  Result OnCompareExpr(WabtOpcode opcode) override;
  Result OnConvertExpr(WabtOpcode opcode) override;
  Result OnLoadExpr(WabtOpcode opcode, Index memory, Address align_log2, Address offset) override;
  Result OnStoreExpr(WabtOpcode opcode, Index memory, Address align_log2, Address offset) override;
  Result OnLoadSplatExpr(WabtOpcode opcode, Index memory, Address align_log2,
                         Address offset) override;
  Result OnLoadZeroExpr(WabtOpcode opcode, Index memory, Address align_log2,
                        Address offset) override;
  Result OnSimdLaneOpExpr(WabtOpcode opcode, uint64_t lane) override;
  Result OnSimdShuffleOpExpr(WabtOpcode opcode, v128 lanes) override;
  Result OnSimdLoadLaneExpr(WabtOpcode opcode, Index memory, Address align_log2, Address offset,
                            uint64_t lane) override;
  Result OnSimdStoreLaneExpr(WabtOpcode opcode, Index memory, Address align_log2, Address offset,
                             uint64_t lane) override;
};

}  // namespace wb
