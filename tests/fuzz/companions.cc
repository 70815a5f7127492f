#include "tests/fuzz/companions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace wb::fuzz {
namespace {

constexpr uint32_t kDigestBytes = 256;  // in one round

// All bytes count, wherever they lie, and so does the size.
std::string DigestFunction(const std::string& name, const std::string& memory) {
  const std::string size = "(memory.size " + memory + ")";
  std::string text = "(func (export \"" + name +
                     "\") (result i64) (local $at i32) (local $d i64)\n"
                     "  (local.set $d (i64.extend_i32_u " +
                     size + "))\n  block loop\n  (br_if 1 (i32.ge_u (local.get $at) (i32.shl " +
                     size + " (i32.const 16))))\n  local.get $d\n";
  for (uint32_t at = 0; at < kDigestBytes; at += 8) {
    text += "  i64.const 7\n  i64.rotl\n  local.get $at\n  i64.load " + memory +
            " offset=" + std::to_string(at) + "\n  i64.xor\n";
  }
  return text + "  local.set $d\n  (local.set $at (i32.add (local.get $at) (i32.const " +
         std::to_string(kDigestBytes) + ")))\n  br 0\n  end end\n  local.get $d)\n";
}

bool IsPlainName(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || (std::ispunct(c) != 0 && c != '"' && c != '\\');
  });
}

std::string TypeWord(const std::string& word, const std::vector<ValueType>& types) {
  std::string text;
  for (ValueType type : types) text += " (" + word + " " + std::string(TypeName(type)) + ")";
  return text;
}

// What `get` pushes as one i64, two for a vector.
std::string AsWords(ValueType type, const std::string& get) {
  switch (type) {
    case ValueType::kI32: return "(i64.extend_i32_u " + get + ")";
    case ValueType::kI64: return get;
    case ValueType::kF32: return "(i64.extend_i32_u (i32.reinterpret_f32 " + get + "))";
    case ValueType::kF64: return "(i64.reinterpret_f64 " + get + ")";
    case ValueType::kV128:
      return "(i64x2.extract_lane 0 " + get + ") (i64x2.extract_lane 1 " + get + ")";
    default: return "(i64.extend_i32_u (ref.is_null " + get + "))";
  }
}

std::string ZeroOf(ValueType type) {
  if (type == ValueType::kV128) return "(v128.const i64x2 0 0)";
  if (type == ValueType::kFuncRef) return "(ref.null func)";
  if (type == ValueType::kExternRef) return "(ref.null extern)";
  return "(" + std::string(TypeName(type)) + ".const 0)";
}

std::string SupportFunction(const std::string& name, const FunctionType& type) {
  std::string text = "(func (export \"" + name + "\")" + TypeWord("param", type.params) +
                     TypeWord("result", type.results) + "\n";
  for (size_t i = 0; i < type.params.size(); ++i) {
    const bool two = type.params[i] == ValueType::kV128;
    text += "  " + AsWords(type.params[i], "(local.get " + std::to_string(i) + ")") +
            (two ? "\n  call $see call $see\n" : "\n  call $see\n");
  }
  for (ValueType result : type.results) text += "  " + ZeroOf(result);
  return text + ")\n";
}

// Tables that operators of the module's bodies change.
std::set<uint64_t> ChangedTables(const Module& module) {
  std::set<uint64_t> changed;
  for (const Body& body : module.bodies) {
    for (const Instruction& instruction : body.instructions) {
      switch (instruction.opcode) {
        case Opcode::kTableSet:
        case Opcode::kTableGrow:
        case Opcode::kTableFill:
        case Opcode::kTableCopy: changed.insert(instruction.imm); break;
        case Opcode::kTableInit: changed.insert(instruction.imm2); break;
        default: break;
      }
    }
  }
  return changed;
}

// Size, and which elements are null.
std::string TableFunction(size_t table) {
  const std::string name = "$t" + std::to_string(table);
  return "(func (export \"" + TableExport(table) +
         "\") (result i64) (local $at i32) (local $d i64)\n  (local.set $d (i64.extend_i32_u "
         "(table.size " +
         name + ")))\n  block loop\n  (br_if 1 (i32.ge_u (local.get $at) (table.size " + name +
         ")))\n  (local.set $d (i64.xor (i64.rotl (local.get $d) (i64.const 1)) (i64.extend_i32_u "
         "(ref.is_null (table.get " +
         name +
         " (local.get $at))))))\n  (local.set $at (i32.add (local.get $at) (i32.const 1)))\n"
         "  br 0\n  end end\n  local.get $d)\n";
}

}  // namespace

std::string DigestExport(size_t memory) { return "(digest " + std::to_string(memory) + ")"; }
std::string TableExport(size_t table) { return "(table " + std::to_string(table) + ")"; }

std::string WorldText(uint32_t min_pages, uint32_t max_pages) {
  return "(module (memory (export \"" + std::string(kMemoryExport) + "\") " +
         std::to_string(min_pages) + " " + std::to_string(max_pages) + ")\n" +
         DigestFunction(std::string(kDigestExport), "0") + ")\n";
}

Result<std::string> SupportText(const Module& subject) {
  std::map<std::string, FunctionType> functions;
  for (const Import& import : subject.imports) {
    if (import.kind == ExternKind::kMemory) continue;
    const bool known = import.kind == ExternKind::kFunction && IsPlainName(import.name);
    if (!known || functions.contains(import.name)) {
      return Status(Reason::kWasmUnsupportedFeature, "The import [" + import.module + "." +
                                                         import.name + "] is not supported here.");
    }
    functions[import.name] = subject.type_of(import.index);
  }
  if (functions.empty()) return std::string();
  std::string text =
      "(module (global $seen (mut i64) (i64.const 0))\n"
      "(func $see (param i64) (global.set $seen (i64.xor (i64.mul (global.get $seen) "
      "(i64.const 0x9e3779b97f4a7c15)) (local.get 0))))\n"
      "(func (export \"" +
      std::string(kSeenExport) + "\") (result i64) global.get $seen)\n";
  for (const auto& [name, type] : functions) text += SupportFunction(name, type);
  return text + ")\n";
}

Observer ObserverOf(const Module& subject) {
  Observer observer;
  const std::set<uint64_t> changed = ChangedTables(subject);
  std::string imports, functions, results, values;
  for (size_t i = 0; i < subject.exports.size(); ++i) {
    const Export& item = subject.exports[i];
    if (!IsPlainName(item.name)) continue;
    const std::string from = "(import \"subject\" \"" + item.name + "\" ";
    if (item.kind == ExternKind::kMemory && !subject.memories[item.index].imported) {
      const std::string name = "$m" + std::to_string(i);
      imports += from + "(memory " + name + " 0))\n";
      functions += DigestFunction(DigestExport(i), name);
      observer.memories.push_back(i);
    } else if (item.kind == ExternKind::kTable && changed.contains(item.index)) {
      imports += from + "(table $t" + std::to_string(i) + " 0 " +
                 std::string(TypeName(subject.tables[item.index].type)) + "))\n";
      functions += TableFunction(i);
      observer.tables.push_back(i);
    } else if (item.kind == ExternKind::kGlobal && subject.globals[item.index].is_mutable) {
      const ValueType type = subject.globals[item.index].type;
      const std::string name = "$g" + std::to_string(i);
      imports += from + "(global " + name + " (mut " + std::string(TypeName(type)) + ")))\n";
      results += type == ValueType::kV128 ? " i64 i64" : " i64";
      values += "  " + AsWords(type, "(global.get " + name + ")") + "\n";
      observer.globals = true;
    }
  }
  if (observer.globals) {
    functions += "(func (export \"" + std::string(kGlobalsExport) + "\") (result" + results +
                 ")\n" + values + ")\n";
  }
  if (!functions.empty()) observer.text = "(module\n" + imports + functions + ")\n";
  return observer;
}

}  // namespace wb::fuzz
