#include "compiler/wasm/constant_decoder.h"

#include "compiler/base/check.h"
#include "compiler/wasm/const_expr.h"

namespace wb {

ConstantDecoder::Result ConstantDecoder::BeginGlobal(Index, Type type, bool is_mutable) {
  CHECK_RESULT(Check(validator().OnGlobal(At(state->offset), type, is_mutable), state->offset));
  global_type_ = type;
  decoded().globals.push_back({*ToValueType(type), is_mutable, false, {}});
  return Result::Ok;
}

ConstantDecoder::Result ConstantDecoder::BeginInit(ConstExpr* init, Type type) {
  EnterExpression();
  init_ = init;
  init_operators_.clear();
  init_ended_ = false;
  return Check(validator().BeginInitExpr(At(next()), type), next());
}

ConstantDecoder::Result ConstantDecoder::EndInit() {
  // The reader also stops at the end of the section.
  if (!init_ended_) {
    return Fail(Reason::kWasmMalformed, "a constant expression has no end", state->offset);
  }
  CHECK_RESULT(Check(validator().EndInitExpr(), operator_at()));
  WB_CHECK(!init_operators_.empty());
  const bool one = init_operators_.size() == 1;
  const auto value = one ? std::optional(init_operators_[0]) : ValueOf(init_operators_, {});
  if (value.has_value()) {
    init_->instruction = *value;
  } else {
    init_->instruction = {Opcode::kEnd, init_operators_[0].offset, 0,
                          decoded().longer_expressions.size()};
    decoded().longer_expressions.push_back(init_operators_);
  }
  init_ = nullptr;
  return Result::Ok;
}

ConstantDecoder::Result ConstantDecoder::BeginGlobalInitExpr(Index) {
  return BeginInit(&decoded().globals.back().init, global_type_);
}

ConstantDecoder::Result ConstantDecoder::EndGlobalInitExpr(Index) { return EndInit(); }

ConstantDecoder::Result ConstantDecoder::BeginElemSegmentInitExpr(Index) {
  return BeginInit(&decoded().elements.back().offset, Type::I32);
}

ConstantDecoder::Result ConstantDecoder::EndElemSegmentInitExpr(Index) { return EndInit(); }

ConstantDecoder::Result ConstantDecoder::BeginDataSegmentInitExpr(Index) {
  return BeginInit(&decoded().data.back().offset, Type::I32);
}

ConstantDecoder::Result ConstantDecoder::EndDataSegmentInitExpr(Index) { return EndInit(); }

}  // namespace wb
