#pragma once

// What the imports of a module are bound to if no other module is instantiated with it: constants,
// a memory and tables of its own, and functions that do nothing.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "compiler/base/status.h"
#include "compiler/imports/primitive.h"
#include "compiler/wasm/module.h"

namespace wb {

class Imports {
 public:
  struct Function {
    FunctionType type;  // its results are zero
  };
  // Functions of primitive.def are there without being added.
  struct Global {
    ValueType type = ValueType::kI32;
    bool is_mutable = false;
    uint64_t bits = 0;  // its value; references are null
  };
  struct Table {
    ValueType type = ValueType::kFuncRef;
    Limits32 limits;
  };
  struct Memory {
    Limits32 limits;  // pages
  };
  using Item = std::variant<Function, Global, Table, Memory>;

  void Add(std::string module, std::string name, Item item) {
    items_.insert_or_assign({std::move(module), std::move(name)}, std::move(item));
  }
  // Null where nothing is provided under the name.
  const Item* Find(const std::string& module, const std::string& name) const;

 private:
  std::map<std::pair<std::string, std::string>, Item> items_;
};

ExternKind KindOf(const Imports::Item& item);
std::string ItemTypeText(const Imports::Item& item);  // as ExternTypeText

// Whether a table or memory of these limits may be imported with those.
bool LimitsFit(const Limits32& given, const Limits32& wanted);

// The body of a primitive; `memory`: the first of the module that imports it, or Body::kNoMemory.
Body PrimitiveBody(const PrimitiveFacts& facts, uint32_t memory);

// A constant of this type as an operator; references are null.
Instruction ConstantOperator(ValueType type, uint64_t bits);

// The module with definitions of its own in the place of imports, under the same indices; the
// module itself if it imports nothing. Error: IMPORT_NOT_PROVIDED, which names all imports that are
// not provided or of another type (refused_imports.h).
Result<std::shared_ptr<const Module>> BindImports(std::shared_ptr<const Module> module,
                                                  const Imports& imports);

}  // namespace wb
