#include "compiler/imports/imports.h"

#include <optional>

#include "compiler/imports/primitive.h"
#include "compiler/imports/refused_imports.h"
#include "compiler/wasm/const_expr.h"
#include "compiler/wasm/extern_type.h"

namespace wb {
namespace {

// Puts definitions in the place of imports, kind by kind. False: the import is of another type.
class Binder {
 public:
  explicit Binder(const Module& module) : module_(std::make_shared<Module>(module)) {
    bodies_.resize(module_->imported_functions);
  }

  bool Bind(const Import& import, const Imports::Item& item) {
    switch (import.kind) {
      case ExternKind::kFunction: return Function(import.index, item);
      case ExternKind::kGlobal: return Global(import.index, item);
      case ExternKind::kTable: return Table(import.index, item);
      case ExternKind::kMemory: return Memory(import.index, item);
      default: return false;
    }
  }

  // Nothing is bound where the type is another one.
  bool BindPrimitive(const Import& import, const PrimitiveFacts& facts) {
    if (import.kind != ExternKind::kFunction) return false;
    if (!(facts.type == module_->type_of(import.index))) return false;
    module_->functions[import.index].imported = false;
    bodies_[import.index] = PrimitiveBody(facts, module_->memories.empty() ? Body::kNoMemory : 0);
    return true;
  }

  std::shared_ptr<const Module> Finish() {
    module_->imports.clear();
    module_->imported_functions = 0;
    module_->bodies.insert(module_->bodies.begin(), bodies_.begin(), bodies_.end());
    for (wb::Global& global : module_->globals) Resolve(global.init);
    for (DataSegment& segment : module_->data) Resolve(segment.offset);
    for (ElementSegment& segment : module_->elements) {
      Resolve(segment.offset);
      for (ConstExpr& element : segment.elements) Resolve(element);
    }
    return std::move(module_);
  }

 private:
  bool Function(uint32_t index, const Imports::Item& item) {
    const auto* given = std::get_if<Imports::Function>(&item);
    if (given == nullptr || !(given->type == module_->type_of(index))) return false;
    module_->functions[index].imported = false;
    for (ValueType result : given->type.results) {
      bodies_[index].instructions.push_back(ConstantOperator(result, 0));
    }
    return true;
  }
  bool Global(uint32_t index, const Imports::Item& item) {
    const auto* given = std::get_if<Imports::Global>(&item);
    wb::Global& global = module_->globals[index];
    if (given == nullptr || given->type != global.type || given->is_mutable != global.is_mutable) {
      return false;
    }
    global.imported = false;
    global.init.instruction = ConstantOperator(given->type, given->bits);
    return true;
  }
  bool Table(uint32_t index, const Imports::Item& item) {
    const auto* given = std::get_if<Imports::Table>(&item);
    wb::Table& table = module_->tables[index];
    if (given == nullptr || given->type != table.type || !LimitsFit(given->limits, table.limits)) {
      return false;
    }
    table.imported = false;
    table.limits = given->limits;
    return true;
  }
  bool Memory(uint32_t index, const Imports::Item& item) {
    const auto* given = std::get_if<Imports::Memory>(&item);
    wb::Memory& memory = module_->memories[index];
    if (given == nullptr || !LimitsFit(given->limits, memory.limits)) return false;
    memory.imported = false;
    memory.limits = given->limits;
    return true;
  }
  // Constant expressions name imported globals only, which are bound by now.
  void Resolve(ConstExpr& expression) {
    expression.instruction = ValueOf(*module_, expression, [&](uint64_t global) {
      return module_->globals[global].init.instruction;
    });
  }

  std::shared_ptr<Module> module_;
  std::vector<Body> bodies_;
};

}  // namespace

bool LimitsFit(const Limits32& given, const Limits32& wanted) {
  if (given.min < wanted.min) return false;
  return !wanted.max || (given.max && *given.max <= *wanted.max);
}

Body PrimitiveBody(const PrimitiveFacts& facts, uint32_t memory) {
  Body body;
  body.primitive = facts.primitive;
  body.code = facts.code;
  if (facts.uses_memory) body.primitive_memory = memory;
  return body;
}

Instruction ConstantOperator(ValueType type, uint64_t bits) {
  switch (type) {
    case ValueType::kI32: return {Opcode::kI32Const, 0, 0, bits};
    case ValueType::kI64: return {Opcode::kI64Const, 0, 0, bits};
    case ValueType::kF32: return {Opcode::kF32Const, 0, 0, bits};
    case ValueType::kF64: return {Opcode::kF64Const, 0, 0, bits};
    case ValueType::kFuncRef:
    case ValueType::kExternRef: return {Opcode::kRefNull, 0, 0, static_cast<uint64_t>(type)};
    default: return {};
  }
}

ExternKind KindOf(const Imports::Item& item) {
  if (std::holds_alternative<Imports::Function>(item)) return ExternKind::kFunction;
  if (std::holds_alternative<Imports::Global>(item)) return ExternKind::kGlobal;
  if (std::holds_alternative<Imports::Table>(item)) return ExternKind::kTable;
  return ExternKind::kMemory;
}

std::string ItemTypeText(const Imports::Item& item) {
  Module one;  // of the item alone
  if (const auto* function = std::get_if<Imports::Function>(&item)) {
    one.types.push_back(function->type);
    one.functions.push_back({0, false});
  } else if (const auto* global = std::get_if<Imports::Global>(&item)) {
    one.globals.push_back({global->type, global->is_mutable, false, {}});
  } else if (const auto* table = std::get_if<Imports::Table>(&item)) {
    one.tables.push_back({table->type, table->limits, false});
  } else {
    one.memories.push_back({std::get<Imports::Memory>(item).limits, false});
  }
  return ExternTypeText(one, KindOf(item), 0);
}

const Imports::Item* Imports::Find(const std::string& module, const std::string& name) const {
  const auto found = items_.find({module, name});
  return found == items_.end() ? nullptr : &found->second;
}

Result<std::shared_ptr<const Module>> BindImports(std::shared_ptr<const Module> module,
                                                  const Imports& imports) {
  if (module->imports.empty()) return module;
  Binder binder(*module);
  RefusedImports refused;
  for (const Import& import : module->imports) {
    const Imports::Item* item = imports.Find(import.module, import.name);
    const PrimitiveFacts* primitive = FindPrimitive(import.module, import.name);
    if (primitive != nullptr) {
      if (binder.BindPrimitive(import, *primitive)) continue;
      refused.AddOtherType("", *module, import, ExternKind::kFunction, primitive->type.ToString());
    } else if (item == nullptr) {
      refused.AddUnknown("", *module, import, RefusedImports::Provider::kNone);
    } else if (!binder.Bind(import, *item)) {
      refused.AddOtherType("", *module, import, KindOf(*item), ItemTypeText(*item));
    }
  }
  WB_TRY(refused.ToStatus());
  return binder.Finish();
}

}  // namespace wb
