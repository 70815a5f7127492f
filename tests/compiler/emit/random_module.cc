#include "tests/compiler/emit/random_module.h"

#include <string_view>

#include "tests/compiler/emit/random_function.h"

namespace wb::test {
namespace {

// What functions work on (random_function.h).
constexpr std::string_view kHead = R"((module
(type $leaf (func (param i32 v128) (result i32)))
(data (i32.const 3) "wasm bursts")
(data $data "forty bytes that memory.init copies from")
(global $i32 (export "global_i32") (mut i32) (i32.const 5))
(global $i64 (export "global_i64") (mut i64) (i64.const -6))
(global $f32 (export "global_f32") (mut f32) (f32.const 0.5))
(global $f64 (export "global_f64") (mut f64) (f64.const -nan:0x77))
(global $v128 (export "global_v128") (mut v128) (v128.const i32x4 1 0xffa00001 0x7fc00000 -4))
(global $funcref (export "global_funcref") (mut funcref) (ref.func $leaf2))
(table $fixed 6 6 funcref)
(table $t (export "t") 12 20 funcref)
(table $p (export "p") 12 funcref)
(elem (table $fixed) (i32.const 0) func $leaf0 $leaf1 $leaf2 $leaf3 $leaf4 $leaf5)
(elem (table $t) (i32.const 0) func $leaf1 $leaf0 $leaf2 $leaf5 $leaf3 $leaf4 $leaf0)
(elem (table $p) (i32.const 1) func $leaf5 $leaf3 $leaf0 $leaf1)
(elem $segment func $leaf3 $leaf1 $leaf4 $leaf0 $leaf2)
)";

// Behind the functions, whose numbers so begin at 0. They loop, change a table that they may have
// been called through, write memory, trap, call one another by a table.
constexpr std::string_view kLeafFunctions = R"(
(func $leaf0 (type $leaf) (i32.add (local.get 0) (i32x4.extract_lane 1 (local.get 1))))
(func $leaf1 (type $leaf) (local $i i32)
  (loop $l
    (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                        (i32.and (local.get 0) (i32.const 3)))))
  (local.get $i))
(func $leaf2 (type $leaf)
  (table.set $t (i32.and (local.get 0) (i32.const 7)) (ref.func $leaf3)) (table.size $t))
(func $leaf3 (type $leaf)
  (v128.store (i32.and (local.get 0) (i32.const 1007)) (local.get 1)) (i32.const 3))
(func $leaf4 (type $leaf) (i32.div_u (i32.const 1000) (i32.and (local.get 0) (i32.const 127))))
(func $leaf5 (type $leaf)
  (call_indirect $fixed (type $leaf) (i32.sub (local.get 0) (i32.const 1))
    (i8x16.add (local.get 1) (local.get 1)) (i32.and (local.get 0) (i32.const 1))))
)";

std::string CanonicalFunctions() {
  std::string text;
  for (const char* type : {"f32", "f64"}) {
    const std::string name(type);
    text += "(func $canonical_" + name + " (param " + name + ") (result " + name +
            ")\n  (select (local.get 0) (" + name + ".const nan) (" + name +
            ".eq (local.get 0) (local.get 0))))\n";
    const std::string shape = name + (name == "f32" ? "x4" : "x2");
    text += "(func $canonical_" + shape + " (param v128) (result v128)\n  (v128.bitselect" +
            " (local.get 0) (" + shape + ".splat (" + name + ".const nan)) (" + shape +
            ".eq (local.get 0) (local.get 0))))\n";
  }
  return text;
}

// The exported results of one of these: numbers only.
Types NumbersOf(ValueType type) {
  if (type == ValueType::kV128) return {ValueType::kI64, ValueType::kI64};
  if (type == ValueType::kFuncRef) return {ValueType::kI32};
  return {type};
}

// An argument of this type, of an export's own: (i32, i64, f32, f64).
std::string ArgumentText(ValueType type) {
  switch (type) {
    case ValueType::kI32: return "  local.get 0\n";
    case ValueType::kI64: return "  local.get 1\n";
    case ValueType::kF32: return "  local.get 2\n";
    case ValueType::kF64: return "  local.get 3\n";
    case ValueType::kV128:
      return "  (i64x2.replace_lane 1 (i64x2.splat (local.get 1)) (i64.reinterpret_f64 (local.get "
             "3)))\n";
    default: return "  ref.func $leaf1\n";
  }
}

// Export "fN": calls function N and gives its results as numbers.
std::string ExportText(uint32_t index, const Types& params, const Types& results, Types* exported) {
  std::string body, numbers, declared, arguments;
  for (ValueType type : params) arguments += ArgumentText(type);
  for (size_t i = results.size(); i-- > 0;) {
    body += "  local.set $r" + std::to_string(i) + "\n";
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string result = "$r" + std::to_string(i);
    declared += "(local " + result + " " + std::string(TypeName(results[i])) + ")";
    const std::string get = "(local.get " + result + ")";
    if (results[i] == ValueType::kV128) {
      numbers += "  (i64x2.extract_lane 0 " + get + ") (i64x2.extract_lane 1 " + get + ")\n";
    } else {
      numbers +=
          results[i] == ValueType::kFuncRef ? "  (ref.is_null " + get + ")\n" : "  " + get + "\n";
    }
    for (ValueType number : NumbersOf(results[i])) exported->push_back(number);
  }
  const std::string number = std::to_string(index);
  return "(func (export \"f" + number + "\") (param i32 i64 f32 f64)" +
         TypesText("result", *exported) + declared + "\n" + arguments + "  call " + number + "\n" +
         body + numbers + ")\n";
}

Types ResultsOfOne(Choices& choices) {
  Types results(choices.Below(4));
  for (ValueType& type : results) type = RandomType(choices);
  return results;
}

// Mostly one of each type.
Types ParamsOfOne(Choices& choices) {
  Types params = {std::begin(kParamTypes), std::end(kParamTypes)};
  if (!choices.Chance(30)) return params;
  params.resize(choices.Below(8));
  for (ValueType& type : params) type = RandomType(choices);
  return params;
}

Callee RandomCallee(Choices& choices) {
  Callee callee;
  callee.params = ParamsOfOne(choices);
  callee.results = ResultsOfOne(choices);
  return callee;
}

std::string MemoryText(Choices& choices, const std::string& name) {
  const uint32_t pages = 1 + choices.Below(2);
  return "(memory $" + name + " (export \"" + name + "\") " + std::to_string(pages) + " " +
         std::to_string(pages + choices.Below(4 - pages)) + ")\n";
}

// The start function calls one of the others.
std::string StartText(const Types& params, const Types& results) {
  std::string text = "(func $start (local i32 i64 f32 f64)\n";
  for (ValueType type : params) text += ArgumentText(type);
  text += "  call 0\n";
  for (size_t i = 0; i < results.size(); ++i) text += "  drop\n";
  return text + ")\n(start $start)\n";
}

// A counter of calls, and a table of all functions.
std::string RecursionText(uint32_t functions) {
  std::string text = "(global $calls (mut i32) (i32.const 16))\n(table $all " +
                     std::to_string(functions) + " funcref)\n(elem (table $all) (i32.const 0) func";
  for (uint32_t i = 0; i < functions; ++i) text += " " + std::to_string(i);
  return text + ")\n";
}

}  // namespace

RandomModule MakeRandomModule(uint64_t seed, uint32_t functions, Nans nans, Calls calls) {
  Choices choices(seed);
  return MakeRandomModule(choices, functions, nans, calls);
}

RandomModule MakeRandomModule(Choices& choices, uint32_t functions, Nans nans, Calls calls) {
  const bool recursive = calls == Calls::kRecursive;
  RandomModule module;
  std::vector<Callee> callees;
  module.wat = kHead;
  module.wat += MemoryText(choices, "memory");
  const uint32_t memories = choices.Chance(8) ? 2 : 1;
  if (memories > 1) module.wat += MemoryText(choices, "second");
  const bool starts = choices.Chance(12);
  if (recursive) {
    module.wat += RecursionText(functions);
    for (uint32_t i = 0; i < functions; ++i) callees.push_back(RandomCallee(choices));
  }
  std::string exports;
  for (uint32_t i = 0; i < functions; ++i) {
    Callee own = recursive ? callees[i] : RandomCallee(choices);
    FunctionMaker maker(choices, callees, nans, calls, memories);
    module.wat += maker.Make(own.params, own.results);
    exports += ExportText(i, own.params, own.results, &module.results.emplace_back());
    if (starts && i == 0) exports += StartText(own.params, own.results);
    own.level = maker.level();
    if (!recursive) callees.push_back(std::move(own));
  }
  module.wat += kLeafFunctions;
  module.wat += CanonicalFunctions() + exports + ")\n";
  return module;
}

}  // namespace wb::test
