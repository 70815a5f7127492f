#include "scheduler/devices/interpreter/forms.h"

#include "compiler/base/check.h"

namespace wb {

#define WB_SET_IMM(name) forms.imm = ByteOp::k##name##Imm;
#define WB_SET_JUMP(name)                 \
  forms.jump[0][0] = ByteOp::k##name##If; \
  forms.jump[0][1] = ByteOp::k##name##Unless;
#define WB_SET_IMM_JUMP(name)                \
  forms.jump[1][0] = ByteOp::k##name##ImmIf; \
  forms.jump[1][1] = ByteOp::k##name##ImmUnless;

NumericForms FormsOf(Opcode opcode) {
  NumericForms forms;
  switch (opcode) {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  case Opcode::k##name:                                                          \
    forms.plain = ByteOp::k##name;                                               \
    WB_IMM_FORM_##b(WB_SET_IMM(name)) WB_JUMP_FORM_##result(WB_SET_JUMP(name))   \
        WB_JUMP_FORM_##result(WB_IMM_FORM_##b(WB_SET_IMM_JUMP(name))) break;
#define WB_LOAD(name, code, token, text, type, bytes)
#define WB_STORE(name, code, token, text, type, bytes)
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
    default: break;
  }
  return forms;
}

ByteOp AccessOf(Opcode opcode) {
  switch (opcode) {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check)
#define WB_LOAD(name, code, token, text, type, bytes) \
  case Opcode::k##name:                               \
    return ByteOp::k##name;
#define WB_STORE(name, code, token, text, type, bytes) \
  case Opcode::k##name:                                \
    return ByteOp::k##name;
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
    default: break;
  }
  WB_CHECK(false);
  return kNoOp;
}

}  // namespace wb
