#pragma once

// Operands of a program file: what is written in JSON, to the API's messages.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/modules.pb.h"
#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

// INVALID_ARGUMENT: the program's [where], and what is wrong with it.
Status ProgramError(const std::string& where, const std::string& words);
// Members of `object` other than the allowed ones are errors, so that a slip does not pass.
Status CheckMembers(const nlohmann::json& object, const std::string& where,
                    std::initializer_list<const char*> allowed);

// By name: columns that are read so far, modules that --module gives. They must outlive it.
class OperandReader {
 public:
  OperandReader(const std::map<std::string, uint32_t>& columns,
                const std::map<std::string, wasmburst::v1::Module>& linked)
      : columns_(columns), linked_(linked) {}

  // `type`: of the value that is wanted, for constants and what is added.
  Result<wasmburst::v1::Operand> Read(const nlohmann::json& json, wasmburst::v1::ValueType type,
                                      const std::string& where) const;
  Result<uint32_t> ColumnNamed(const nlohmann::json& name, const std::string& where) const;
  Result<const wasmburst::v1::Module*> ModuleNamed(const nlohmann::json& name,
                                                   const std::string& where) const;

 private:
  Status ReadSource(const nlohmann::json& json, const std::string& where,
                    wasmburst::v1::Operand* operand) const;
  Status ReadGlobal(const nlohmann::json& json, const std::string& where,
                    wasmburst::v1::GlobalOperand* global) const;

  const std::map<std::string, uint32_t>& columns_;
  const std::map<std::string, wasmburst::v1::Module>& linked_;
};

}  // namespace wb::cli
