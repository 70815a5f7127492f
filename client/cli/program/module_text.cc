#include "client/cli/program/module_text.h"

#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::string TypesText(const google::protobuf::RepeatedField<int>& types) {
  std::string text;
  for (int type : types) {
    text += (text.empty() ? "" : ", ") + TypeText(static_cast<v1::ValueType>(type));
  }
  return "(" + text + ")";
}

// Daemons before the types in words say those of functions only.
std::string ExportType(const v1::ModuleExport& exported) {
  if (!exported.type().empty() || exported.kind() != "function") return exported.type();
  return TypesText(exported.params()) + " -> " + TypesText(exported.results());
}

}  // namespace

std::string ModuleText(const v1::Module& module,
                       const std::function<std::string(const v1::ModuleImport&)>& note) {
  std::string text;
  for (const v1::ModuleImport& import : module.imports()) {
    text += "  import " + import.kind() + " " + import.module() + "." + import.name() + " " +
            import.type() + (note ? "  (" + note(import) + ")" : "") + "\n";
  }
  for (const v1::ModuleExport& exported : module.exports()) {
    text +=
        "  export " + exported.kind() + " " + exported.name() + " " + ExportType(exported) + "\n";
  }
  if (text.empty()) return "  no imports, no exports";
  text.pop_back();
  return text;
}

}  // namespace wb::cli
