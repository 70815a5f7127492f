#include "compiler/emit/text/function_copy.h"

#include "compiler/emit/text/names.h"

namespace wb {

std::string SignatureText(const FunctionCopy& form, const std::string& resume) {
  const ir::Function& function = form.function;
  std::string text = "static " + ReturnText(ir::ResultTypes(function)) + " " +
                     FunctionText(function.index, form.copy) + "(wb_lane L, ";
  if (!function.bounded) text += "uint f, uint room, uint low, ";
  text += "uint fuel";
  if (form.resumable()) text += ", " + resume + "uint r";
  for (ir::Var param = 0; param < function.num_params; ++param) {
    text += ", " + std::string(TypeText(function.vars[param])) + " l" + std::to_string(param);
  }
  return text + ")";
}

}  // namespace wb
