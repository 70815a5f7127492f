#include "client/cli/program/program_operand.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Json = nlohmann::json;

Status ReadResult(const Json& json, const std::string& where, v1::ResultOperand* result) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number_unsigned() ||
      !json[1].is_number_unsigned()) {
    return ProgramError(where, "needs two numbers: a step and which of its results");
  }
  result->set_step(json[0].get<uint32_t>());
  result->set_result(json[1].get<uint32_t>());
  return {};
}

}  // namespace

Status ProgramError(const std::string& where, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The program's [" + where + "] " + words + ".",
                {{"field", where}});
}

Status CheckMembers(const Json& object, const std::string& where,
                    std::initializer_list<const char*> allowed) {
  for (const auto& [key, value] : object.items()) {
    auto same = [&key = key](const char* name) { return key == name; };
    if (!std::any_of(allowed.begin(), allowed.end(), same)) {
      return ProgramError(where + "." + key, "is not known");
    }
  }
  return {};
}

Result<v1::Operand> OperandReader::Read(const Json& json, v1::ValueType type,
                                        const std::string& where) const {
  v1::Operand operand;
  if (json.is_number() || json.is_string()) {
    std::string text = json.is_string() ? json.get<std::string>() : json.dump();
    WB_ASSIGN(*operand.mutable_constant(), ParseValue(text, type));
    return operand;
  }
  if (!json.is_object()) return ProgramError(where, "is neither number, text nor object");
  WB_TRY(ReadSource(json, where, &operand));
  if (json.contains("add")) {
    WB_ASSIGN(*operand.mutable_add(), ParseValue(json["add"].dump(), type));
  }
  return operand;
}

// The one member that says where the value comes from.
Status OperandReader::ReadSource(const Json& json, const std::string& where,
                                 v1::Operand* operand) const {
  if (json.contains("global")) return ReadGlobal(json, where, operand->mutable_global());
  WB_TRY(CheckMembers(json, where, {"column", "column_length", "load32", "result", "add"}));
  if (json.size() != (json.contains("add") ? 2u : 1u)) {
    return ProgramError(where,
                        "needs one of [column], [column_length], [result], [global], [load32]");
  }
  if (json.contains("column")) {
    WB_ASSIGN(const uint32_t column, ColumnNamed(json["column"], where));
    operand->set_column(column);
  } else if (json.contains("column_length")) {
    WB_ASSIGN(const uint32_t column, ColumnNamed(json["column_length"], where));
    operand->set_column_length(column);
  } else if (json.contains("load32")) {
    WB_ASSIGN(*operand->mutable_load32()->mutable_pointer(),
              Read(json["load32"], v1::I32, where + ".load32"));
  } else {
    return ReadResult(json["result"], where + ".result", operand->mutable_result());
  }
  return {};
}

Status OperandReader::ReadGlobal(const Json& json, const std::string& where,
                                 v1::GlobalOperand* global) const {
  WB_TRY(CheckMembers(json, where, {"global", "module", "add"}));
  if (!json["global"].is_string()) return ProgramError(where + ".global", "is no text");
  global->set_name(json["global"].get<std::string>());
  if (!json.contains("module")) return {};
  WB_TRY(ModuleNamed(json["module"], where + ".module").status());
  global->set_module(json["module"].get<std::string>());
  return {};
}

Result<uint32_t> OperandReader::ColumnNamed(const Json& name, const std::string& where) const {
  auto at = name.is_string() ? columns_.find(name.get<std::string>()) : columns_.end();
  if (at == columns_.end()) {
    return ProgramError(where, "names the column " + name.dump() + ", which is not there");
  }
  return at->second;
}

Result<const v1::Module*> OperandReader::ModuleNamed(const Json& name,
                                                     const std::string& where) const {
  auto at = name.is_string() ? linked_.find(name.get<std::string>()) : linked_.end();
  if (at == linked_.end()) {
    return ProgramError(where,
                        "names the module " + name.dump() + ", which --module does not give");
  }
  return &at->second;
}

}  // namespace wb::cli
