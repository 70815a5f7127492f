#include "tests/client/presets/modules_under_test.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::ValueType TypeOf(char letter) { return letter == 'l' ? v1::I64 : v1::I32; }

std::string OperandText(const v1::Operand& operand) {
  std::string text;
  if (operand.has_constant()) {
    const v1::Value& value = operand.constant();
    return std::to_string(value.has_i64() ? value.i64() : value.i32());
  }
  if (operand.has_result()) {
    const uint32_t result = operand.result().result();
    text = "r" + std::to_string(operand.result().step());
    if (result != 0) text += "." + std::to_string(result);
  } else if (operand.has_load32()) {
    text = "[" + OperandText(operand.load32().pointer()) + "]";
  } else if (operand.source_case() == v1::Operand::kColumnLength) {
    text = "length " + std::to_string(operand.column_length());
  } else {
    text = "column " + std::to_string(operand.column());
  }
  if (!operand.has_add()) return text;
  const int add = operand.add().i32();
  return text + (add < 0 ? "" : "+") + std::to_string(add);
}

std::string StepText(const v1::Step& step) {
  if (step.has_write()) {
    return "write " + OperandText(step.write().pointer()) + " column " +
           std::to_string(step.write().column());
  }
  if (step.has_store()) {
    return "store " + OperandText(step.store().pointer()) + " = " +
           OperandText(step.store().value());
  }
  if (step.has_read()) {
    const v1::ReadStep& read = step.read();
    const std::string length = read.until_zero() ? "until zero" : OperandText(read.length());
    return "read " + OperandText(read.pointer()) + ", " + length + " as " + read.output();
  }
  std::string text;
  for (const v1::Operand& arg : step.call().args()) {
    text += (text.empty() ? "" : ", ") + OperandText(arg);
  }
  const std::string& module = step.call().module();
  return (module.empty() ? "" : module + ".") + step.call().function() + "(" + text + ")";
}

}  // namespace

v1::Module ModuleWith(const std::vector<FunctionUnderTest>& functions) {
  v1::Module module;
  for (const FunctionUnderTest& function : functions) {
    v1::ModuleExport* exported = module.add_exports();
    exported->set_name(function.name);
    exported->set_kind("function");
    for (const char letter : function.params) exported->add_params(TypeOf(letter));
    for (const char letter : function.results) exported->add_results(TypeOf(letter));
  }
  return module;
}

void AddImport(v1::Module* module, const std::string& from, const std::string& name,
               const std::string& kind, const std::string& type) {
  v1::ModuleImport* import = module->add_imports();
  import->set_module(from);
  import->set_name(name);
  import->set_kind(kind);
  import->set_type(type);
}

std::string StepsText(const v1::Job& job) {
  std::string text;
  for (const v1::Step& step : job.steps()) text += (text.empty() ? "" : "; ") + StepText(step);
  return text;
}

}  // namespace wb::cli
