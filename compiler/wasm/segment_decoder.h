#pragma once

// Private to compiler/wasm: element and data segments, but for the expressions of their offsets.

#include <cstdint>

#include "compiler/wasm/constant_decoder.h"

namespace wb {

class SegmentDecoder : public ConstantDecoder {
 protected:
  using ConstantDecoder::ConstantDecoder;

  Result OnElemSegmentCount(Index count) override;
  Result BeginElemSegment(Index index, Index table, uint8_t flags) override;
  Result OnElemSegmentElemType(Index index, Type type) override;
  Result OnElemSegmentElemExprCount(Index index, Index count) override;
  Result OnElemSegmentElemExpr_RefNull(Index segment, Type type) override;
  Result OnElemSegmentElemExpr_RefFunc(Index segment, Index function) override;
  Result EndElemSegment(Index index) override;
  Result OnDataCount(Index count) override;
  Result OnDataSegmentCount(Index count) override;
  Result BeginDataSegment(Index index, Index memory, uint8_t flags) override;
  Result OnDataSegmentData(Index index, const void* data, Address size) override;
  Result EndDataSegment(Index index) override;
  Result EndModule() override;

 private:
  void AddElement(Opcode opcode, uint64_t imm);
  // wabt 1.0.32 knows no global.get as an element: the reader is shown a ref.func instead.
  void DisguiseElement();
  Result OnElementGlobal(Index global);

  bool elements_are_expressions_ = false;
  Index elements_left_ = 0;            // of the segment under way
  bool element_is_disguised_ = false;  // the next one
  // What the data count section promises, and where it ends; 0 without one.
  Index data_count_ = 0;
  Offset data_count_at_ = 0;
};

}  // namespace wb
