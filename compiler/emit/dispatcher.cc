#include "compiler/emit/dispatcher.h"

#include <string>
#include <vector>

#include "compiler/emit/text/names.h"

namespace wb {
namespace {

class Dispatcher {
 public:
  Dispatcher(const LaneLayout& layout, Text& text) : layout_(layout), text_(text) {}

  void Case(const ir::Function& function) {
    const std::vector<ValueType> results = ir::ResultTypes(function);
    text_.Open("case ", function.index, "u:");
    if (function.stack_slots != 0) CheckRoom(function);
    text_.Line(ReturnText(results), " R = ", CallText(function), ";");
    text_.Line("E.w = R.w;");
    text_.Line("E.fuel = R.fuel;");
    if (!results.empty()) Results(results);
    text_.Line("break;");
    text_.Close();
  }

 private:
  // For the function of a step; calls of other roots have checked already.
  void CheckRoom(const ir::Function& function) {
    const uint32_t why = TrapWhy(Trap::kStackExhausted, function.code_offset);
    text_.Open("if (A.room < ", function.stack_slots, "u)");
    text_.Line("E.w = wb_end(L, wb_exhausted(L, ", Hex(why), "), ", function.origin(), "u);");
    text_.Line("break;");
    text_.Close();
  }

  std::string CallText(const ir::Function& function) const {
    std::string call = FunctionText(function.index, 0) + "(L, ";
    if (!function.bounded)
      call += "f, A.room - " + std::to_string(function.stack_slots) + "u, low, ";
    call += function.bounded ? "fuel" : "fuel, resume";
    uint32_t word = layout_.stage_at;
    for (ir::Var var = 0; var < function.num_params; ++var) {
      const ValueType param = function.vars[var];
      call += ", " + GetText(param, std::to_string(word) + "u");
      word += TypeWords(param);
    }
    return call + ")";
  }

  void Results(const std::vector<ValueType>& results) {
    text_.Open("if (R.w == WB_RETURNED)");
    uint32_t word = layout_.stage_at;
    for (size_t i = 0; i < results.size(); ++i) {
      text_.Line(PutText(results[i], std::to_string(word) + "u", "R.r" + std::to_string(i)));
      word += TypeWords(results[i]);
    }
    text_.Close();
  }

  const LaneLayout& layout_;
  Text& text_;
};

}  // namespace

void WriteDispatcher(const ir::Program& program, const LaneLayout& layout,
                     const std::vector<uint32_t>& roots, Text& text) {
  text.Open("static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume)");
  text.Line("WbEnd E;");
  text.Line("E.w = WB_RETURNED;");
  text.Line("E.fuel = fuel;");
  text.Open("switch (A.function)");
  Dispatcher cases(layout, text);
  for (uint32_t root : roots) cases.Case(program.function(root));
  text.Line("default: { break; }");
  text.Close();
  text.Line("return E;");
  text.Close();
}

}  // namespace wb
