#pragma once

// Private to compiler/wasm (it includes wabt): what every part of the decoder shares: the module
// under construction, wabt's validator, the first error, the budget, and the place of reading.
// wabt's binary reader calls one object, so the parts are a chain of classes, each derived from the
// one before: DecodeState, DeclarationDecoder, ConstantDecoder, SegmentDecoder, BodyDecoder,
// ControlDecoder, OperatorDecoder. Every callback hands the construct to wabt's validator and then
// records it in the Module. Neither reader nor validator recurses, and neither allocates by a count
// that the bytes do not back. What wabt copies per use of a signature is bounded here (Charge).

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/base/status.h"
#include "compiler/wasm/decode_error.h"
#include "compiler/wasm/module.h"
#include "wabt/binary-reader-nop.h"
#include "wabt/shared-validator.h"

namespace wb {

// The value type of a wabt type, or nothing for those that a module cannot name.
std::optional<ValueType> ToValueType(wabt::Type type);

class DecodeState : public wabt::BinaryReaderNop {
 public:
  using Result = wabt::Result;
  using Index = wabt::Index;
  using Type = wabt::Type;
  using Address = wabt::Address;
  using Offset = wabt::Offset;
  using WabtOpcode = wabt::Opcode;

  // Reads module->binary() into *module. Once. On an error *module is half-filled and must be
  // dropped. Errors as of Module::Decode.
  Status Run();

 protected:
  DecodeState(Module* module, const Proposals& proposals);

  bool OnError(const wabt::Error& error) override;
  Result EndModule() override;

  // The first error wins; later ones are consequences. Always returns Error.
  Result Fail(Reason reason, std::string_view what, Offset offset);
  Result Check(Result validated, Offset offset);  // the validator's verdict
  // Takes `values` from what the module's size allows; fails when that is used up.
  Result Charge(uint64_t values, Offset offset);
  uint64_t SignatureValues(Index type) const;  // 0 for an index out of range

  Module& decoded() { return module_; }  // the module under construction
  const wabt::Features& features() const { return features_; }
  wabt::SharedValidator& validator() { return validator_; }

  // The place of reading. An item was read: the next one begins where the reader stands, or
  // `unread` bytes further on.
  void ItemRead(Offset unread = 0) { next_ = state->offset + unread; }
  void EnterExpression();  // of operators, a constant one or a body
  void EnterBody(Index function, Offset size);
  void LeaveBody() { function_.reset(); }
  void EnterOperator(WabtOpcode opcode);
  Offset next() const { return next_; }  // end of the last item: where the next operator begins
  // The operator under way, and its first byte.
  WabtOpcode opcode() const { return opcode_; }
  Offset operator_at() const { return operator_at_; }
  // The byte at next(), which the reader has not seen; null at the end of the module.
  uint8_t* NextByte() { return next_ < bytes_.size() ? &bytes_[next_] : nullptr; }

  wabt::Location At(Offset offset) const { return wabt::Location(offset); }
  wabt::Location Here() const { return At(operator_at_); }
  wabt::Var VarHere(Index index) const { return wabt::Var(index, Here()); }

 private:
  // An element expression holds the operator at `offset`, which wabt's reader does not take.
  void FailElement(Offset offset);

  Module& module_;
  const wabt::Features features_;
  wabt::Errors errors_;  // of the validator, which holds their address
  wabt::SharedValidator validator_;
  Bytes bytes_;  // the module's, as the reader sees them (SegmentDecoder)
  Offset next_ = 0;
  Offset operator_at_ = 0;
  WabtOpcode opcode_{WabtOpcode::Invalid};
  std::optional<uint32_t> function_;  // the function with the body under way
  Offset body_limit_ = 0;             // end of that body as its size says
  Status status_;
  uint64_t budget_ = 0;
};

}  // namespace wb
