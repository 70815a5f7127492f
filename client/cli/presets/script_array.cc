#include "client/cli/presets/script_array.h"

#include <algorithm>
#include <iterator>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Flags of AssemblyScript's runtime.
constexpr uint32_t kArray = 1 << 1;
constexpr uint32_t kPointerFree = 1 << 5;
constexpr uint32_t kFirstAlignment = 1 << 6;  // of elements of one byte; of two the next bit, ...
constexpr uint32_t kSigned = 1 << 11;
constexpr uint32_t kFloat = 1 << 12;

constexpr int32_t kClassNumber = -8;  // bytes from an object to the number of its class
constexpr int32_t kCount = 12;        // to the number of elements

struct Element {
  const char* name;
  uint32_t log2_size;
  uint32_t kind;
};

constexpr Element kElements[] = {
    {"i8", 0, kSigned},           {"u8", 0, 0},
    {"i16", 1, kSigned},          {"u16", 1, 0},
    {"i32", 2, kSigned},          {"u32", 2, 0},
    {"i64", 3, kSigned},          {"u64", 3, 0},
    {"f32", 2, kSigned | kFloat}, {"f64", 3, kSigned | kFloat},
};

uint32_t FlagsOf(const Element& element) {
  return kArray | kFirstAlignment << element.log2_size | element.kind;
}

// (module (func (export "array_bytes")
//     (param $so_far i32) (param $class i32) (param $wanted i32) (param $count i32)
//     (param $log2_size i32) (result i32)
//   (select (i32.shl (local.get $count) (local.get $log2_size)) (local.get $so_far)
//           (i32.eq (local.get $class) (local.get $wanted)))))
constexpr char kArrayBytesCode[] =
    "\0asm\1\0\0\0"
    "\1\x0a\1\x60\5\x7f\x7f\x7f\x7f\x7f\1\x7f"
    "\3\2\1\0"
    "\7\x0f\1\x0b"
    "array_bytes"
    "\0\0"
    "\x0a\x11\1\x0f\0\x20\3\x20\4\x74\x20\0\x20\1\x20\2\x46\x1b\x0b";
constexpr const char* kArrayBytesFunction = "array_bytes";

std::string Listed(const std::vector<ScriptArrayClass>& classes) {
  std::string names;
  for (const ScriptArrayClass& known : classes) {
    names += (names.empty() ? "[Array<" : ", [Array<") + known.element + ">]";
  }
  return names.empty() ? "none" : names;
}

v1::Operand FieldOf(v1::Operand object, int32_t offset) {
  object.mutable_add()->set_i32(object.add().i32() + offset);
  return LoadOperand(object);
}

}  // namespace

std::vector<ScriptArrayClass> ScriptArrayClasses(const v1::Module& module) {
  std::vector<ScriptArrayClass> classes;
  for (int i = 0; i < module.class_flags_size(); ++i) {
    const auto* element =
        std::find_if(std::begin(kElements), std::end(kElements), [&](const Element& known) {
          return FlagsOf(known) == (module.class_flags(i) & ~kPointerFree);
        });
    if (element == std::end(kElements)) continue;
    classes.push_back({static_cast<uint32_t>(i), element->log2_size, element->name});
  }
  return classes;
}

Result<ScriptArrayClass> ScriptArrayClassOf(const v1::Module& module, const std::string& element) {
  const std::vector<ScriptArrayClass> classes = ScriptArrayClasses(module);
  for (const ScriptArrayClass& known : classes) {
    if (known.element == element) return known;
  }
  return Status(Reason::kInvalidArgument,
                "The module has no class [Array<" + element + ">]; it has " + Listed(classes) +
                    ". Give elements of one of these, or compile with --exportRuntime.");
}

Result<ArgSpec> ElementCounts(const ArgSpec& bytes, const std::string& name,
                              const ScriptArrayClass& type) {
  ArgSpec counts;
  counts.kind = bytes.texts.size() > 1 ? ArgSpec::Kind::kList : ArgSpec::Kind::kConstant;
  for (const std::string& text : bytes.texts) {
    if (text.size() % (size_t{1} << type.log2_size) != 0) {
      return Status(Reason::kInvalidArgument,
                    "The argument [" + name + "] has [" + std::to_string(text.size()) +
                        "] bytes, which are no whole elements of type [" + type.element + "].");
    }
    counts.texts.push_back(std::to_string(text.size() >> type.log2_size));
  }
  return counts;
}

std::string_view ArrayBytesModule() { return {kArrayBytesCode, sizeof(kArrayBytesCode) - 1}; }

v1::Operand ArrayBytes(StepWriter* steps, const v1::Operand& array,
                       const std::vector<ScriptArrayClass>& classes) {
  v1::Operand bytes = NumberOperand(0xffffffff);
  for (const ScriptArrayClass& known : classes) {
    bytes = ResultOperandOf(
        steps->CallLinked(kArrayBytesModule, kArrayBytesFunction,
                          {bytes, FieldOf(array, kClassNumber), NumberOperand(known.number),
                           FieldOf(array, kCount), NumberOperand(known.log2_size)}));
  }
  return bytes;
}

}  // namespace wb::cli
