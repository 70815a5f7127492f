#include "compiler/link/generated_module.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "compiler/imports/primitive.h"

namespace wb {
namespace {

// The binary format: sections.
enum Section : uint8_t {
  kTypes = 1,
  kImports = 2,
  kFunctions = 3,
  kGlobals = 6,
  kExports = 7,
  kCode = 10
};

// Operators.
constexpr uint8_t kUnreachable = 0x00, kEnd = 0x0b, kCall = 0x10, kDrop = 0x1a, kLocalGet = 0x20;
constexpr uint8_t kI32Const = 0x41, kI64Const = 0x42, kF32Const = 0x43, kF64Const = 0x44;
constexpr uint8_t kExtendU = 0xad, kI32OfF32 = 0xbc, kI64OfF64 = 0xbd;
constexpr uint8_t kRefNull = 0xd0, kVector = 0xfd, kV128Const = 12, kI64x2Lane = 29;

class Writer {
 public:
  void Byte(uint8_t byte) { bytes_.push_back(byte); }
  void Raw(const Bytes& bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void Number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) Byte(static_cast<uint8_t>(number | 0x80));
    Byte(static_cast<uint8_t>(number));
  }
  void Signed(int64_t number) {
    for (; number < -0x40 || number >= 0x40; number >>= 7) {
      Byte(static_cast<uint8_t>((number & 0x7f) | 0x80));
    }
    Byte(static_cast<uint8_t>(number & 0x7f));
  }
  void Fixed(uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i) Byte(i < 8 ? static_cast<uint8_t>(bits >> (8 * i)) : 0);
  }
  void Sized(const Bytes& bytes) {
    Number(bytes.size());
    Raw(bytes);
  }
  void Text(std::string_view text) {
    Number(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  Bytes Take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

uint8_t TypeCode(ValueType type) {
  switch (type) {
    case ValueType::kI32: return 0x7f;
    case ValueType::kI64: return 0x7e;
    case ValueType::kF32: return 0x7d;
    case ValueType::kF64: return 0x7c;
    case ValueType::kV128: return 0x7b;
    case ValueType::kFuncRef: return 0x70;
    default: return 0x6f;
  }
}

void PutTypes(const std::vector<ValueType>& types, Writer& to) {
  to.Number(types.size());
  for (const ValueType type : types) to.Byte(TypeCode(type));
}

void PutConstant(const BoundValue& value, Writer& to) {
  switch (value.type) {
    case ValueType::kI32: to.Byte(kI32Const); return to.Signed(static_cast<int32_t>(value.bits));
    case ValueType::kI64: to.Byte(kI64Const); return to.Signed(static_cast<int64_t>(value.bits));
    case ValueType::kF32: to.Byte(kF32Const); return to.Fixed(value.bits, 4);
    case ValueType::kF64: to.Byte(kF64Const); return to.Fixed(value.bits, 8);
    case ValueType::kV128:
      to.Byte(kVector);
      to.Number(kV128Const);
      return to.Fixed(value.bits, 16);
    default: to.Byte(kRefNull); return to.Byte(TypeCode(value.type));
  }
}

// One value of a record, as 64 bits.
struct RecordValue {
  ValueType type = ValueType::kI64;
  uint32_t local = 0;
  uint8_t lane = 0;  // of a v128
};

void PutRecordValue(const RecordValue& value, Writer& to) {
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
void PutRecord(const BoundFunction& function, Writer& to) {
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
  Writer code;
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

void PutSection(Section section, size_t items, Writer& content, Writer& to) {
  if (items == 0) return;
  Writer counted;
  counted.Number(items);
  counted.Raw(content.Take());
  to.Byte(section);
  to.Sized(counted.Take());
}

void PutType(const FunctionType& type, Writer& to) {
  to.Byte(0x60);
  PutTypes(type.params, to);
  PutTypes(type.results, to);
}

void PutLimits(const Limits32& limits, Writer& to) {
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
    code_.Sized(CodeOf(function));
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
    Writer out;
    out.Raw({0, 'a', 's', 'm', 1, 0, 0, 0});
    PutSection(kTypes, all_types_, types_, out);
    PutSection(kImports, all_imports_, imports_, out);
    PutSection(kFunctions, functions_, indices_, out);
    PutSection(kGlobals, own_globals_, globals_, out);
    PutSection(kExports, all_exports_, exports_, out);
    PutSection(kCode, functions_, code_, out);
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

  void PutExport(const std::string& name, ExternKind kind, uint32_t index) {
    exports_.Text(name);
    exports_.Byte(static_cast<uint8_t>(kind));
    exports_.Number(index);
    ++all_exports_;
  }

  Writer types_, imports_, indices_, globals_, exports_, code_;
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
