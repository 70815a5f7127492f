#pragma once

// Private to compiler/wasm: the operators that shape a body: blocks, branches and returns.

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/wasm/body_decoder.h"

namespace wb {

class ControlDecoder : public BodyDecoder {
 protected:
  using BodyDecoder::BodyDecoder;

  Result BeginFunctionBody(Index index, Offset size) override;
  Result OnBlockExpr(Type type) override;
  Result OnLoopExpr(Type type) override;
  Result OnIfExpr(Type type) override;
  Result OnElseExpr() override;
  Result OnEndExpr() override;
  Result OnBrExpr(Index depth) override;
  Result OnBrIfExpr(Index depth) override;
  Result OnBrTableExpr(Index count, Index* depths, Index default_depth) override;
  Result OnReturnExpr() override;

 private:
  enum class LabelKind : uint8_t { kFunction, kBlock, kLoop, kIf, kElse };
  struct Label {
    LabelKind kind;
    uint32_t branch_values;  // values that a branch to it carries
  };

  Result ChargeBlock(Type type);
  Result ChargeBranch(Index depth);
  Result BeginConstruct(LabelKind kind, Type type, Result validated);
  uint32_t BlockTypeIndex(Type type);

  std::vector<Label> labels_;
  std::map<int32_t, uint32_t> block_types_;  // wabt's type code to the row in body().block_types
};

}  // namespace wb
