#pragma once

// What instantiating a part does. As far as no instance can tell, it is in the initial image: such
// segments stay active. The rest becomes the operators of a function. A part of Link.

#include "compiler/link/index_spaces.h"
#include "compiler/link/link.h"
#include "compiler/wasm/module.h"

namespace wb {

class InstantiationEffects {
 public:
  InstantiationEffects(Module& whole, Instantiation when) : whole_(whole), when_(when) {}

  // A constant expression of a part with the indices of the whole. Globals of earlier parts are
  // replaced by what they hold.
  ConstExpr Resolved(const Module& module, const ConstExpr& expression,
                     const IndexMaps& maps) const;

  // Adds the part's segments to the whole. Returns what its instantiation does besides the image.
  // Parts in order.
  Body Apply(const Module& module, const PlacedPart& part);

 private:
  void Check(const SizeCheck& check);
  void AddElements(const ElementSegment& segment, const Module& module, const IndexMaps& maps);
  void AddData(const DataSegment& segment, const Module& module, const IndexMaps& maps);
  bool InImage(const ConstExpr& offset, uint64_t length, uint64_t size, bool own);
  void Init(Opcode init, Opcode drop, const ConstExpr& offset, uint64_t length, uint64_t segment,
            uint32_t to, uint32_t place);
  void Emit(Opcode opcode, uint64_t imm, uint32_t imm2 = 0) {
    body_.instructions.push_back({opcode, place_, imm2, imm});
  }

  Module& whole_;
  const Instantiation when_;
  // kAtStart: every part so far did only what the image holds.
  bool only_image_ = true;
  bool may_have_trapped_ = false;  // a segment of this part, before
  uint32_t place_ = 0;             // byte offset that a trap names
  Body body_;
};

}  // namespace wb
