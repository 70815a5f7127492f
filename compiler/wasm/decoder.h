#pragma once

// Private to compiler/wasm (it includes wabt): what wabt's binary reader calls while it reads a
// module. Every callback hands the construct to wabt's validator and then records it in the Module.
// Neither reader nor validator recurses, and neither allocates by a count that the bytes do not
// back. What wabt copies per use of a signature is bounded here (Charge).

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/wasm/decode_error.h"
#include "compiler/wasm/module.h"
#include "wabt/binary-reader-nop.h"
#include "wabt/shared-validator.h"

namespace wb {

// The value type of a wabt type, or nothing for those that a module cannot name.
std::optional<ValueType> ToValueType(wabt::Type type);

class ModuleDecoder : public wabt::BinaryReaderNop {
 public:
  using Result = wabt::Result;
  using Index = wabt::Index;
  using Type = wabt::Type;
  using Address = wabt::Address;
  using Offset = wabt::Offset;
  using WabtOpcode = wabt::Opcode;

  ModuleDecoder(Module* module, const Proposals& proposals);
  Status Run();  // once

 private:
  // decoder.cc: errors, and the sections before the bodies
  bool OnError(const wabt::Error& error) override;
  Result EndModule() override;
  Result OnFuncType(Index index, Index param_count, Type* params, Index result_count,
                    Type* results) override;
  Result OnImportFunc(Index import, std::string_view module, std::string_view name, Index index,
                      Index type) override;
  Result OnImportTable(Index import, std::string_view module, std::string_view name, Index index,
                       Type type, const wabt::Limits* limits) override;
  Result OnImportMemory(Index import, std::string_view module, std::string_view name, Index index,
                        const wabt::Limits* limits) override;
  Result OnImportGlobal(Index import, std::string_view module, std::string_view name, Index index,
                        Type type, bool is_mutable) override;
  Result OnFunction(Index index, Index type) override;
  Result OnTable(Index index, Type type, const wabt::Limits* limits) override;
  Result OnMemory(Index index, const wabt::Limits* limits) override;
  Result BeginGlobal(Index index, Type type, bool is_mutable) override;
  Result OnExport(Index index, wabt::ExternalKind kind, Index item, std::string_view name) override;
  Result OnStartFunction(Index function) override;

  // decode_segments.cc: constant expressions, element and data segments
  Result BeginGlobalInitExpr(Index index) override;
  Result EndGlobalInitExpr(Index index) override;
  Result OnElemSegmentCount(Index count) override;
  Result BeginElemSegment(Index index, Index table, uint8_t flags) override;
  Result BeginElemSegmentInitExpr(Index index) override;
  Result EndElemSegmentInitExpr(Index index) override;
  Result OnElemSegmentElemType(Index index, Type type) override;
  Result OnElemSegmentElemExprCount(Index index, Index count) override;
  Result OnElemSegmentElemExpr_RefNull(Index segment, Type type) override;
  Result OnElemSegmentElemExpr_RefFunc(Index segment, Index function) override;
  Result EndElemSegment(Index index) override;
  Result OnDataCount(Index count) override;
  Result OnDataSegmentCount(Index count) override;
  Result BeginDataSegment(Index index, Index memory, uint8_t flags) override;
  Result BeginDataSegmentInitExpr(Index index) override;
  Result EndDataSegmentInitExpr(Index index) override;
  Result OnDataSegmentData(Index index, const void* data, Address size) override;
  Result EndDataSegment(Index index) override;

  // decode_body.cc: bodies, and the operators that shape them
  Result OnFunctionBodyCount(Index count) override;
  Result BeginFunctionBody(Index index, Offset size) override;
  Result OnLocalDeclCount(Index count) override;
  Result OnLocalDecl(Index declaration, Index count, Type type) override;
  Result EndFunctionBody(Index index) override;
  Result OnOpcode(WabtOpcode opcode) override;
  Result OnBlockExpr(Type type) override;
  Result OnLoopExpr(Type type) override;
  Result OnIfExpr(Type type) override;
  Result OnElseExpr() override;
  Result OnEndExpr() override;
  Result OnBrExpr(Index depth) override;
  Result OnBrIfExpr(Index depth) override;
  Result OnBrTableExpr(Index count, Index* depths, Index default_depth) override;
  Result OnReturnExpr() override;

  // decode_operators.cc: the operators that only have immediates
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

  enum class LabelKind : uint8_t { kFunction, kBlock, kLoop, kIf, kElse };
  struct Label {
    LabelKind kind;
    uint32_t branch_values;  // values that a branch to it carries
  };
  struct LocalRun {
    Index count;
    Type type;
    Offset offset;
  };

  // The first error wins; later ones are consequences. Always returns Error.
  Result Fail(Reason reason, std::string_view what, Offset offset);
  Result Check(Result validated, Offset offset);  // the validator's verdict
  // An element expression holds the operator at `offset`, which wabt's reader does not take.
  void FailElement(Offset offset);
  // Takes `values` from what the module's size allows; fails when that is used up.
  Result Charge(uint64_t values, Offset offset);
  Result ChargeBranch(Index depth);

  wabt::Location At(Offset offset) const { return wabt::Location(offset); }
  wabt::Location Here() const { return At(operator_at_); }
  wabt::Var VarHere(Index index) const { return wabt::Var(index, Here()); }

  uint64_t SignatureValues(Index type) const;  // 0 for an index out of range
  Result AddFunction(Index type, bool imported);
  Result AddTable(Type type, const wabt::Limits& limits, bool imported);
  Result AddMemory(const wabt::Limits& limits, bool imported);

  Result BeginInit(ConstExpr* init, Type type);
  Result EndInit();
  void AddElement(Opcode opcode, uint64_t imm);
  // wabt 1.0.32 knows no global.get as an element: the reader is shown a ref.func instead.
  void DisguiseElement();
  Result OnElementGlobal(Index global);

  Result ExpandLocals();
  Result ChargeBlock(Type type);
  Result BeginConstruct(LabelKind kind, Type type, Result validated);
  uint32_t BlockTypeIndex(Type type);

  // Ends the callback of an operator: checks the verdict and records the row.
  Result Operator(Result validated, uint64_t imm = 0, uint32_t imm2 = 0);

  // The same for one with a v128 as immediate.
  Result VectorOperator(Result validated, v128 bits);

  Module& module_;
  const wabt::Features features_;
  Bytes bytes_;          // the module's, as the reader sees them (DisguiseElement)
  wabt::Errors errors_;  // of the validator
  wabt::SharedValidator validator_;
  Status status_;
  uint64_t budget_ = 0;
  std::set<std::string_view> export_names_;  // into the binary
  // What the data count section promises, and where it ends; 0 without one.
  Index data_count_ = 0;
  Offset data_count_at_ = 0;

  Offset next_ = 0;         // end of the last item read: where the next operator begins
  Offset operator_at_ = 0;  // first byte of the operator under way
  WabtOpcode opcode_{WabtOpcode::Invalid};
  ConstExpr* init_ = nullptr;  // the constant expression under way
  std::vector<Instruction> init_operators_;
  Type global_type_{Type::Void};  // of the global under way
  bool init_ended_ = false;
  bool elements_are_expressions_ = false;
  Index elements_left_ = 0;            // of the segment under way
  bool element_is_disguised_ = false;  // the next one

  std::optional<uint32_t> function_;  // the function with the body under way
  Body* body_ = nullptr;
  Offset body_limit_ = 0;  // end of the body as its size says
  bool body_ended_ = false;
  Index local_declarations_ = 0;
  std::vector<LocalRun> local_runs_;
  std::vector<Label> labels_;
  std::map<int32_t, uint32_t> block_types_;  // wabt's type code to the row in body_->block_types
};

}  // namespace wb
