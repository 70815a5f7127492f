#pragma once

// Private to compiler/wasm: constant expressions: of globals, and the offsets of segments. Their
// operators are recorded by BodyDecoder::Operator, as those of bodies are.

#include <vector>

#include "compiler/wasm/declaration_decoder.h"

namespace wb {

class ConstantDecoder : public DeclarationDecoder {
 protected:
  using DeclarationDecoder::DeclarationDecoder;

  Result BeginGlobal(Index index, Type type, bool is_mutable) override;
  Result BeginGlobalInitExpr(Index index) override;
  Result EndGlobalInitExpr(Index index) override;
  Result BeginElemSegmentInitExpr(Index index) override;
  Result EndElemSegmentInitExpr(Index index) override;
  Result BeginDataSegmentInitExpr(Index index) override;
  Result EndDataSegmentInitExpr(Index index) override;

  bool in_constant() const { return init_ != nullptr; }
  // Of the constant expression under way.
  std::vector<Instruction>& constant_operators() { return init_operators_; }
  void EndConstant() { init_ended_ = true; }

 private:
  Result BeginInit(ConstExpr* init, Type type);
  Result EndInit();

  ConstExpr* init_ = nullptr;  // the constant expression under way
  std::vector<Instruction> init_operators_;
  bool init_ended_ = false;
  Type global_type_{Type::Void};  // of the global under way
};

}  // namespace wb
