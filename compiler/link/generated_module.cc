#include "compiler/link/generated_module.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "compiler/imports/primitive.h"
#include "compiler/link/constants.h"
#include "compiler/link/lookup_code.h"
#include "compiler/link/operator_bytes.h"

namespace wb {
namespace {

using namespace operators;

// The binary format: sections.
enum Section : uint8_t {
  kTypes = 1,
  kImports = 2,
  kFunctions = 3,
  kMemories = 5,
  kGlobals = 6,
  kExports = 7,
  kCode = 10,
  kData = 11
};

// One value of a record, as 64 bits.
struct RecordValue {
  ValueType type = ValueType::kI64;
  uint32_t local = 0;
  uint8_t lane = 0;  // of a v128
};

void PutRecordValue(const RecordValue& value, BinaryWriter& to) {
  to.Byte(kLocalGet);
  to.Number(value.local);
  if (value.type == ValueType::kF32) to.Byte(kI32OfF32);
  if (value.type == ValueType::kF64) to.Byte(kI64OfF64);
  if (value.type == ValueType::kI32 || value.type == ValueType::kF32) to.Byte(kExtendU);
  if (value.type != ValueType::kV128) return;
  to.Byte(kVector);
  to.Number(kI64x2Lane);
  to.Byte(value.lane);
}

std::vector<RecordValue> RecordValues(const FunctionType& type) {
  std::vector<RecordValue> values;
  for (uint32_t i = 0; i < type.params.size(); ++i) {
    values.push_back({type.params[i], i, 0});
    if (type.params[i] == ValueType::kV128) values.push_back({type.params[i], i, 1});
  }
  return values;
}

// Function 0 is the primitive `output_values`. It takes four values at a time; the first of all is
// the number of the import.
void PutRecord(const BoundFunction& function, BinaryWriter& to) {
  const std::vector<RecordValue> values = RecordValues(function.type);
  const size_t all = values.size() + 1;
  for (size_t first = 0; first < all; first += abi::MOST_VALUES) {
    const size_t count = std::min<size_t>(all - first, abi::MOST_VALUES);
    PutConstant({ValueType::kI32, kRecordStream}, to);
    PutConstant({ValueType::kI32, count}, to);
    for (size_t i = first; i < first + abi::MOST_VALUES; ++i) {
      if (i == 0 || i >= all) {
        PutConstant({ValueType::kI64, i == 0 ? function.number : 0u}, to);
      } else {
        PutRecordValue(values[i - 1], to);
      }
    }
    to.Byte(kCall);
    to.Number(0);
    to.Byte(kDrop);
  }
}

Bytes CodeOf(const BoundFunction& function) {
  BinaryWriter code;
  code.Number(0);  // locals
  if (function.way == Binding::Way::kTrap) code.Byte(kUnreachable);
  if (function.way == Binding::Way::kRecord) PutRecord(function, code);
  if (function.way != Binding::Way::kTrap) {
    for (size_t i = 0; i < function.type.results.size(); ++i) {
      const BoundValue zero{function.type.results[i], 0};
      PutConstant(function.values.empty() ? zero : function.values[i], code);
    }
  }
  code.Byte(kEnd);
  return code.Take();
}

void PutSection(Section section, size_t items, BinaryWriter& content, BinaryWriter& to) {
  if (items == 0) return;
  BinaryWriter counted;
  counted.Number(items);
  counted.Raw(content.Take());
  to.Byte(section);
  to.Sized(counted.Take());
}

void PutType(const FunctionType& type, BinaryWriter& to) {
  to.Byte(0x60);
  PutTypes(type.params, to);
  PutTypes(type.results, to);
}

void PutLimits(const Limits32& limits, BinaryWriter& to) {
  to.Byte(limits.max ? 1 : 0);
  to.Number(limits.min);
  if (limits.max) to.Number(*limits.max);
}

constexpr size_t kKinds = 4;  // of imports and exports, by their number in the binary format

// Sections, as their items come. Imports come before what the module defines.
class ModuleWriter {
 public:
  void ImportPrimitive() {
    const PrimitiveFacts& facts = FactsOf(Primitive::kOutputValues);
    BeginImport(kPrimitiveModule, facts.name, ExternKind::kFunction);
    imports_.Number(AddType(facts.type));
  }

  void PassOn(const std::string& from, const Module& module, const Export& item) {
    const uint32_t index = BeginImport(from, item.name, item.kind);
    PutExport(item.name, item.kind, index);
    const Table* table = item.kind == ExternKind::kTable ? &module.tables[item.index] : nullptr;
    switch (item.kind) {
      case ExternKind::kFunction: imports_.Number(AddType(module.type_of(item.index))); return;
      case ExternKind::kMemory: PutLimits(module.memories[item.index].limits, imports_); return;
      case ExternKind::kTable:
        imports_.Byte(TypeCode(table->type));
        PutLimits(table->limits, imports_);
        return;
      default:
        imports_.Byte(TypeCode(module.globals[item.index].type));
        imports_.Byte(module.globals[item.index].is_mutable ? 1 : 0);
    }
  }

  // A host call is imported from the engine, and means the memory that is imported with it.
  void ImportHostCall(const BoundFunction& function) {
    const uint32_t index =
        BeginImport(kPrimitiveModule, HostCallName(function.number), ExternKind::kFunction);
    imports_.Number(AddType(function.type));
    PutExport(function.name, ExternKind::kFunction, index);
  }

  void ImportMemory(const std::string& name) {
    BeginImport(kImporter, name, ExternKind::kMemory);
    PutLimits({}, imports_);
  }

  void Define(const BoundFunction& function) {
    indices_.Number(AddType(function.type));
    code_.Sized(function.way == Binding::Way::kLookup ? AddLookup(function) : CodeOf(function));
    ++functions_;
    PutExport(function.name, ExternKind::kFunction, Count(ExternKind::kFunction)++);
  }

  void Define(const BoundGlobal& global) {
    globals_.Byte(TypeCode(global.value.type));
    globals_.Byte(global.is_mutable ? 1 : 0);
    PutConstant(global.value, globals_);
    globals_.Byte(kEnd);
    ++own_globals_;
    PutExport(global.name, ExternKind::kGlobal, Count(ExternKind::kGlobal)++);
  }

  Bytes Finish() {
    DefineTables();
    BinaryWriter out;
    out.Raw(Bytes{0, 'a', 's', 'm', 1, 0, 0, 0});
    PutSection(kTypes, all_types_, types_, out);
    PutSection(kImports, all_imports_, imports_, out);
    PutSection(kFunctions, functions_, indices_, out);
    PutSection(kMemories, tables_.empty() ? 0 : 1, memories_, out);
    PutSection(kGlobals, own_globals_, globals_, out);
    PutSection(kExports, all_exports_, exports_, out);
    PutSection(kCode, functions_, code_, out);
    PutSection(kData, tables_.empty() ? 0 : 1, data_, out);
    return out.Take();
  }

 private:
  uint32_t& Count(ExternKind kind) { return counts_[static_cast<size_t>(kind)]; }

  uint32_t AddType(const FunctionType& type) {
    PutType(type, types_);
    return all_types_++;
  }

  // The index of what is imported.
  uint32_t BeginImport(std::string_view module, std::string_view name, ExternKind kind) {
    imports_.Text(module);
    imports_.Text(name);
    imports_.Byte(static_cast<uint8_t>(kind));
    ++all_imports_;
    return Count(kind)++;
  }

  // The function's code. What a table of many rows holds goes to the module's own memory, which
  // follows those that are passed on.
  Bytes AddLookup(const BoundFunction& function) {
    const TablePlace place = {Count(ExternKind::kMemory), static_cast<uint32_t>(tables_.size())};
    if (IsInMemory(function.table)) {
      const Bytes rows = TableBytes(function.table);
      tables_.insert(tables_.end(), rows.begin(), rows.end());
    }
    return LookupCode(function.table, function.values, place);
  }

  void DefineTables() {
    if (tables_.empty()) return;
    const auto pages =
        static_cast<uint32_t>((tables_.size() + abi::PAGE_BYTES - 1) / abi::PAGE_BYTES);
    PutLimits({pages, pages}, memories_);
    constexpr uint8_t kActiveIn = 2;  // a segment that names its memory
    data_.Byte(kActiveIn);
    data_.Number(Count(ExternKind::kMemory));
    PutConstant({ValueType::kI32, 0}, data_);
    data_.Byte(kEnd);
    data_.Sized(tables_);
  }

  void PutExport(const std::string& name, ExternKind kind, uint32_t index) {
    exports_.Text(name);
    exports_.Byte(static_cast<uint8_t>(kind));
    exports_.Number(index);
    ++all_exports_;
  }

  BinaryWriter types_, imports_, indices_, memories_, globals_, exports_, code_, data_;
  Bytes tables_;  // the rows of all look-ups that are in memory
  uint32_t all_types_ = 0, all_imports_ = 0, all_exports_ = 0;
  uint32_t functions_ = 0, own_globals_ = 0;  // that it defines
  std::array<uint32_t, kKinds> counts_{};     // the index spaces
};

bool IsRecorded(const BoundFunction& function) { return function.way == Binding::Way::kRecord; }

bool AsksHost(const BoundFunction& function) { return function.way == Binding::Way::kHost; }

}  // namespace

Bytes GeneratedModule(const std::vector<BoundFunction>& functions,
                      const std::vector<BoundGlobal>& globals, const PassedOn& passed,
                      const std::string& memory) {
  ModuleWriter writer;
  if (!memory.empty()) writer.ImportMemory(memory);
  if (std::any_of(functions.begin(), functions.end(), IsRecorded)) writer.ImportPrimitive();
  if (passed.module != nullptr) {
    for (const Export& item : passed.module->exports) {
      if (item.kind != ExternKind::kTag) writer.PassOn(passed.name, *passed.module, item);
    }
  }
  for (const BoundFunction& function : functions) {
    if (AsksHost(function)) writer.ImportHostCall(function);
  }
  for (const BoundFunction& function : functions) {
    if (!AsksHost(function)) writer.Define(function);
  }
  for (const BoundGlobal& global : globals) writer.Define(global);
  return writer.Finish();
}

}  // namespace wb
