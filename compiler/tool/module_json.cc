#include "compiler/tool/module_json.h"

#include <nlohmann/json.hpp>

#include "compiler/compiler.h"
#include "compiler/wasm/extern_type.h"
#include "compiler/wasm/script_classes.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

std::string NameOf(const Module& module) { return "modules/sha256:" + module.digest().Hex(); }

// "I32", as the enumeration of program.proto.
Json TypesJson(const std::vector<ValueType>& types) {
  Json list = Json::array();
  for (const ValueType type : types) {
    std::string name(TypeName(type));
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    list.push_back(name);
  }
  return list;
}

Json ImportJson(const Module& module, const Import& import) {
  return {{"module", import.module},
          {"name", import.name},
          {"kind", ExternKindName(import.kind)},
          {"type", ExternTypeText(module, import.kind, import.index)}};
}

Json ExportJson(const Module& module, const Export& exported) {
  Json json = {{"name", exported.name}, {"kind", ExternKindName(exported.kind)}};
  if (exported.kind == ExternKind::kFunction) {
    const FunctionType& type = module.type_of(exported.index);
    json["params"] = TypesJson(type.params);
    json["results"] = TypesJson(type.results);
  } else if (exported.kind == ExternKind::kGlobal) {
    json["value_type"] = TypesJson({module.globals[exported.index].type})[0];
  }
  json["type"] = ExternTypeText(module, exported.kind, exported.index);
  return json;
}

std::string Text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string ModuleJson(const Module& module) {
  Json json = {{"name", NameOf(module)}, {"size_bytes", module.binary().size()}};
  json["imports"] = Json::array();
  for (const Import& import : module.imports) json["imports"].push_back(ImportJson(module, import));
  json["exports"] = Json::array();
  for (const Export& exported : module.exports) {
    json["exports"].push_back(ExportJson(module, exported));
  }
  if (!module.memories.empty()) {
    json["memory_min_pages"] = module.memories[0].limits.min;
    json["memory_max_pages"] = module.memories[0].limits.max.value_or(0);
  }
  json["has_start_function"] = module.start.has_value();
  json["functions"] = module.bodies.size();
  json["class_flags"] = ScriptClassFlags(module);
  return Text(json);
}

std::string CompiledJson(const Module& module, const std::string& text) {
  Json json = {{"module", NameOf(module)}, {"text", text}, {"compiler_version", CompilerVersion()}};
  json["entry_points"] = Json::array();
  for (const Export& exported : module.exports) {
    if (exported.kind == ExternKind::kFunction) {
      json["entry_points"].push_back(ExportJson(module, exported));
    }
  }
  return Text(json);
}

std::string ErrorJson(const Status& status) {
  Json error = {{"reason", ReasonName(status.reason())}, {"message", status.message()}};
  error["details"] = Json::array();
  for (const Detail& detail : status.details()) {
    error["details"].push_back({{"key", detail.key}, {"value", detail.value}});
  }
  return Text({{"error", error}});
}

}  // namespace wb
