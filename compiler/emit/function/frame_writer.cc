#include "compiler/emit/function/frame_writer.h"

#include <vector>

#include "compiler/emit/text/names.h"

namespace wb {

using ir::Var;

namespace {

// Where the frame is used, and not once for the function: only `f` is alive in between. With `f` in
// the number of each word NVRTC takes longer (bench/docs/compile_times_gpu.md).
constexpr const char* kFrame = "wb_lane F = wb_frame(L, f);";

}  // namespace

FrameWriter::FrameWriter(const FunctionCopy& form, const MemoryWriter& memory,
                         Expressions& expressions, Text& text)
    : form_(form),
      function_(form.function),
      memory_(memory),
      expressions_(expressions),
      text_(text),
      in_memory_(HasManyJoins()) {}

bool FrameWriter::HasManyJoins() const {
  const uint64_t variables = function_.num_locals + expressions_.FunctionScopeVars().size();
  return variables * (function_.constructs.size() + function_.safepoints) > kMostJoins;
}

void FrameWriter::Open(uint32_t levels) {
  text_.Open(SignatureText(form_, in_memory_ ? "volatile " : ""));
  text_.Line(in_memory_ ? "volatile " : "", "uint w = 0u;");
  for (uint32_t i = 1; i <= levels; ++i) text_.Line("uint s", i, " = 0u;");
  for (Var local = function_.num_params; local < function_.num_locals; ++local) Declare(local);
  for (Var var : expressions_.FunctionScopeVars()) Declare(var);
  DeclareMemories();
  if (form_.resumable()) Restore();
}

// A compiler that keeps variables in registers joins each of them wherever paths meet, and walks
// all of these joins from many places. clang took many minutes for a function of 122,000
// instructions over 572 locals, and half a minute with this (compiler/docs/frames.md). So many
// variables do not fit in registers anyway. `w` and `r` are volatile too: clang follows their
// values through every test of them.
void FrameWriter::Declare(Var var) {
  const ValueType type = function_.vars[var];
  const bool word = type == ValueType::kI32 || type == ValueType::kI64;
  text_.Line(in_memory_ && word ? "volatile " : "", TypeText(type), " ",
             Expressions::Name(function_, var), " = ", LiteralText(type, 0), ";");
}

void FrameWriter::DeclareMemories() {
  if (memory_.uses_first()) {
    text_.Line("wb_mem M = ", memory_.First(), ";");
    memory_.notes().Declare();
    memory_.DeclareSize();
  }
  for (uint32_t memory : memory_.memories()) {
    if (memory == 0) continue;
    text_.Line("wb_mem ", MemoryWriter::Pointer(memory), " = wb_memory_at(L, ", memory, "u);");
  }
}

void FrameWriter::Restore() {
  text_.Open("if (r != 0u)");
  text_.Line(kFrame);
  text_.Line("r = wb_get(F, 0u);");
  uint32_t word = 1;
  for (Var var : function_.frame_vars) {
    if (!expressions_.IsConstant(var)) {
      text_.Line(Expressions::Name(function_, var), " = ",
                 GetText(function_.vars[var], std::to_string(word) + "u", "F"), ";");
    }
    word += TypeWords(function_.vars[var]);
  }
  text_.Close();
}

void FrameWriter::Close(bool exits, ActivationLoop* loop) {
  memory_.notes().Put();
  text_.Line(ReturnText(ir::ResultTypes(function_)), " R;");
  text_.Line("R.w = WB_RETURNED;");
  if (exits) WriteEnd(loop);
  text_.Line("R.fuel = fuel;");
  for (size_t i = 0; i < function_.results.size(); ++i) {
    text_.Line("R.r", i, " = ", expressions_.Use(function_.results[i]), ";");
  }
  text_.Line("return R;");
  text_.Close();
}

// Records a trap in the lane, or leaves.
void FrameWriter::WriteEnd(ActivationLoop* loop) {
  text_.Open("if (w >= WB_WHY_ENDS)");
  text_.Line("R.w = wb_end(L, w, ", function_.origin(), "u);");
  if (!function_.bounded) {
    text_.Open("if (wb_keeps_frame(R.w))");
    Save();
    text_.Close();
  }
  if (loop != nullptr) loop->Unwind();
  text_.Close();
}

// Values that are alive across a safepoint.
void FrameWriter::Save() {
  text_.Line(kFrame);
  text_.Line("wb_put(F, 0u, w & WB_WHY_SAFEPOINT);");
  uint32_t word = 1;
  for (Var var : function_.frame_vars) {
    std::string value =
        expressions_.IsConstant(var) ? expressions_.Use(var) : Expressions::Name(function_, var);
    if (function_.arithmetic[var]) value = CanonText(function_.vars[var], value);
    text_.Line(PutText(function_.vars[var], std::to_string(word) + "u", value, "F"));
    word += TypeWords(function_.vars[var]);
  }
}

}  // namespace wb
