#pragma once

// Private to compiler/wasm: bodies, their locals, and how an operator is recorded, in a body or in
// a constant expression.

#include <vector>

#include "compiler/wasm/segment_decoder.h"

namespace wb {

class BodyDecoder : public SegmentDecoder {
 protected:
  using SegmentDecoder::SegmentDecoder;

  Result OnFunctionBodyCount(Index count) override;
  Result BeginFunctionBody(Index index, Offset size) override;
  Result OnLocalDeclCount(Index count) override;
  Result OnLocalDecl(Index declaration, Index count, Type type) override;
  Result EndFunctionBody(Index index) override;
  Result OnOpcode(WabtOpcode opcode) override;

  // Ends the callback of an operator: checks the verdict and records the row.
  Result Operator(Result validated, uint64_t imm = 0, uint32_t imm2 = 0);
  // The same for one with a v128 as immediate.
  Result VectorOperator(Result validated, v128 bits);

  Body& body() { return *body_; }  // the one under way
  void EndBody();                  // at its own `end`

 private:
  struct LocalRun {
    Index count;
    Type type;
    Offset offset;
  };
  Result ExpandLocals();

  Body* body_ = nullptr;
  bool body_ended_ = false;
  Index local_declarations_ = 0;
  std::vector<LocalRun> local_runs_;
};

}  // namespace wb
