#include "compiler/emit/function/call_writer.h"

#include "compiler/abi/lane.h"
#include "compiler/emit/text/names.h"

namespace wb {

using ir::Call;
using ir::Inst;
using ir::Var;

void CallWriter::Write(const Inst& inst) {
  const Call& call = form_.function.calls[inst.imm];
  if (program_.ReplacesCaller(call)) {
    Replace(inst, call);
    return;
  }
  if (!program_.function(call.callee).recursive) {
    CallAgain(inst, call);
    return;
  }
  const uint32_t copy = native_.Target(form_.function.index, form_.copy, call.callee);
  if (copy == NativeCalls::kLeaves) {
    Leave(inst, call);
  } else {
    CallRoot(inst, call, copy);
  }
}

// A callee that is resumed by calling it again, or that never leaves.
void CallWriter::CallAgain(const Inst& inst, const Call& call) {
  const ir::Function& callee = program_.function(call.callee);
  const bool passes_r = !callee.bounded && form_.resumable();
  const std::string result = "c" + std::to_string(calls_printed_++);
  if (!callee.bounded) CheckRoom(inst, callee);
  const std::string type = ReturnText(ir::ResultTypes(callee));
  const std::string args = ArgumentsText(call);
  if (const uint32_t copy = native_.Target(form_.function.index, form_.copy, call.callee)) {
    EnterOrResume(call, copy, type + " " + result, args);
  } else {
    const std::string r = callee.bounded ? "" : (passes_r ? "r" : "0u");
    text_.Line(type, " ", result, " = ", CallText(call, 0, r, args), ";");
  }
  if (passes_r) text_.Line("r = 0u;");
  text_.Line("fuel = ", result, ".fuel;");
  const std::string why = "wb_unwind(" + result + ".w, " + std::to_string(call.safepoint) + "u)";
  text_.Line("if (", result, ".w != 0u) { ", targets_.ExitNow(why), " }");
  TakeResults(call, result);
}

// A callee with a copy that is only entered anew: one that resumes has a text of its own, so that
// nothing of it stands in a loop around the call.
void CallWriter::EnterOrResume(const Call& call, uint32_t copy, const std::string& result,
                               const std::string& args) {
  const std::string entered = CallText(call, copy, "", args);
  if (!form_.resumable()) return text_.Line(result, " = ", entered, ";");
  text_.Line(result, " = r == 0u ? ", entered, " : ", CallText(call, 0, "r", args), ";");
}

// A native call of a root. If the caller resumes here, the outer loop has run the root to its end.
void CallWriter::CallRoot(const Inst& inst, const Call& call, uint32_t copy) {
  const ir::Function& callee = program_.function(call.callee);
  const std::string result = "c" + std::to_string(calls_printed_++);
  text_.Line(ReturnText(ir::ResultTypes(callee)), " ", result, ";");
  if (form_.resumable()) {
    text_.Open("if (r != 0u)");
    text_.Line(result, ".w = WB_RETURNED;");
    text_.Line(result, ".fuel = fuel;");
    const std::vector<std::string> words = StageWords(call.results);
    for (size_t i = 0; i < words.size(); ++i) {
      text_.Line(result, ".r", i, " = ", GetText(TypeOf(call.results[i]), words[i]), ";");
    }
    text_.Line("r = 0u;");
    text_.CloseOpen("else");
  }
  CheckRoom(inst, callee);
  const std::string args = ArgumentsText(call);
  text_.Line(result, " = ", CallText(call, copy, copy == 0 ? "0u" : "", args), ";");
  if (form_.resumable()) text_.Close();
  text_.Line("fuel = ", result, ".fuel;");
  const std::string why = "wb_unwind_root(L, " + result + ".w, " + FrameEnd(0) + ", " +
                          std::to_string(call.callee) + "u, room, " +
                          std::to_string(call.safepoint) + "u)";
  text_.Line("if (", result, ".w != 0u) { ", targets_.ExitNow(why), " }");
  TakeResults(call, result);
}

// The outer loop makes the call and then resumes here. In a form that is not resumable, the code
// behind it is never reached.
void CallWriter::Leave(const Inst& inst, const Call& call) {
  if (form_.resumable()) text_.Open("if (r == 0u)");
  CheckRoom(inst, program_.function(call.callee));
  StageArguments(call);
  text_.Line(targets_.ExitNow("wb_wait(L, " + FrameEnd(0) + ", " + std::to_string(call.callee) +
                              "u, room, " + std::to_string(call.safepoint) + "u)"));
  if (form_.resumable()) {
    text_.Close();
    text_.Line("r = 0u;");
  }
  const std::vector<std::string> words = StageWords(call.results);
  for (size_t i = 0; i < words.size(); ++i) {
    expressions_.DefineNow(call.results[i], GetText(TypeOf(call.results[i]), words[i]));
  }
}

// The callee has the function's own stack. The code behind it is never reached.
void CallWriter::Replace(const Inst& inst, const Call& call) {
  const uint32_t slots = program_.function(call.callee).stack_slots;
  if (slots > form_.function.stack_slots) {  // else there is room; 0: a trampoline
    text_.Line("if (room < ", slots - form_.function.stack_slots, "u) { ",
               targets_.Exit(ExhaustedText(inst.offset)), " }");
  }
  StageArguments(call);
  text_.Line(targets_.ExitNow("wb_tail(L, " + std::to_string(call.callee) + "u)"));
  for (Var result : call.results) {
    expressions_.DefineNow(result, LiteralText(TypeOf(result), 0));
  }
}

void CallWriter::StageArguments(const Call& call) {
  const std::vector<std::string> words = StageWords(call.args);
  for (size_t i = 0; i < words.size(); ++i) {
    text_.Line(PutText(TypeOf(call.args[i]), words[i], expressions_.Use(call.args[i])));
  }
}

void CallWriter::CheckRoom(const Inst& inst, const ir::Function& callee) {
  if (callee.stack_slots == 0) return;  // a trampoline: kCheckRoom stands before the call
  text_.Line("if (room < ", callee.stack_slots, "u) { ", targets_.Exit(ExhaustedText(inst.offset)),
             " }");
}

std::string CallWriter::ArgumentsText(const Call& call) {
  std::string text;
  for (Var arg : call.args) text += ", " + expressions_.Use(arg);
  return text;
}

std::string CallWriter::CallText(const Call& call, uint32_t copy, const std::string& r,
                                 const std::string& args) const {
  const ir::Function& callee = program_.function(call.callee);
  std::string text = FunctionText(call.callee, copy) + "(L, ";
  if (!callee.bounded) {
    const uint32_t link = callee.recursive ? uint32_t{abi::LINK_WORDS} : 0;
    text += FrameEnd(link) + ", room - " + std::to_string(callee.stack_slots) + "u, low, ";
  }
  text += "fuel";
  if (!r.empty()) text += ", " + r;
  return text + args + ")";
}

void CallWriter::TakeResults(const Call& call, const std::string& result) {
  for (size_t i = 0; i < call.results.size(); ++i) {
    expressions_.DefineNow(call.results[i], result + ".r" + std::to_string(i));
  }
}

std::vector<std::string> CallWriter::StageWords(const std::vector<Var>& vars) const {
  std::vector<std::string> words;
  uint32_t word = layout_.stage_at;
  for (Var var : vars) {
    words.push_back(std::to_string(word) + "u");
    word += TypeWords(TypeOf(var));
  }
  return words;
}

std::string CallWriter::FrameEnd(uint32_t beyond) const {
  return "f + " + std::to_string(form_.function.frame_words + beyond) + "u";
}

}  // namespace wb
