#include "compiler/runtime/runtime.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"
#include "compiler/runtime/embedded.h"

namespace wb {
namespace {

std::string_view Find(std::string_view folder, std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.folder == folder && file.name == name) return file.text;
  }
  WB_CHECK(!"an embedded file of this name");
  return {};
}

struct NamedNumber {
  std::string_view prefix;
  std::string_view name;
  uint32_t value;
};

constexpr NamedNumber kNumbers[] = {
#define WB_ABI(name, value, meaning) {"WB_", #name, value},
#include "compiler/abi/lane.def"
#undef WB_ABI
#define WB_TRAP(name, upper, number, words) {"WB_TRAP_", #upper, number},
#include "compiler/abi/trap.def"
#undef WB_TRAP
#define WB_END(name, upper, number) {"WB_END_", #upper, number},
#include "compiler/abi/end.def"
#undef WB_END
#define WB_PRIMITIVE(name, upper, number, import, results, params, memory) \
  {"WB_PRIMITIVE_", #upper, number},
#include "compiler/abi/primitive.def"
#undef WB_PRIMITIVE
};

constexpr std::string_view kParams[] = {
#define WB_PARAM(name, initial, meaning) #name,
#include "compiler/abi/params.def"
#undef WB_PARAM
};

enum class Group : uint8_t {
  kHead,
  kNativePointers,
  kPlainPointers,
  kContiguous,
  kGroups,
  kInterleaved,
  kTiled,
  kHot,
  kNoHotBytes,
  kCore,
  kNativeFloats,
  kSoftFloats,
  kGuardedF32,
  kFlushedF32,
  kVectors,
  kFolds,
  kLaneGroupMemory,
  kNativeGroupMemory,
  kGroupMemory,
  kOuterLoop,
  kKernel,
  kPrimitives,
  kNoPrimitives,
  kCollectives,
  kNoCollectives,
};

struct Part {
  Group group;
  std::string_view name;
};

constexpr Part kParts[] = {
#define WB_PART(group, file) {Group::k##group, file},
#include "compiler/runtime/parts.def"
#undef WB_PART
};

using Names = std::vector<std::string_view>;

Names NamesOf(std::initializer_list<Group> groups) {
  Names names;
  for (const Part& part : kParts) {
    if (std::find(groups.begin(), groups.end(), part.group) != groups.end()) {
      names.push_back(part.name);
    }
  }
  return names;
}

bool HasGroup(const RuntimeForm& form, Group group) {
  switch (group) {
    case Group::kNativePointers:
      return form.layout != MemoryLayout::kContiguous && form.floats == Floats::kNative;
    case Group::kPlainPointers:
      return form.layout != MemoryLayout::kContiguous && form.floats != Floats::kNative;
    case Group::kContiguous: return form.layout == MemoryLayout::kContiguous;
    case Group::kGroups: return form.layout != MemoryLayout::kContiguous;
    case Group::kInterleaved: return form.layout == MemoryLayout::kInterleaved;
    case Group::kTiled: return form.layout == MemoryLayout::kTiled;
    case Group::kHot: return form.layout == MemoryLayout::kHot;
    case Group::kNoHotBytes: return form.layout != MemoryLayout::kHot;
    case Group::kNativeFloats: return form.floats == Floats::kNative;
    case Group::kSoftFloats: return form.floats != Floats::kNative;
    case Group::kGuardedF32: return form.floats == Floats::kMetal;
    case Group::kFlushedF32: return form.floats == Floats::kFast32;
    case Group::kVectors: return form.vectors;
    case Group::kFolds: return form.folds;
    case Group::kLaneGroupMemory: return form.folds && !form.native_group_memory;
    case Group::kNativeGroupMemory: return form.folds && form.native_group_memory;
    case Group::kGroupMemory: return form.group_memory;
    case Group::kHead:
    case Group::kCore: return true;
    case Group::kOuterLoop:
    case Group::kKernel:
    case Group::kPrimitives:
    case Group::kNoPrimitives:
    case Group::kCollectives:
    case Group::kNoCollectives: return false;
  }
  return false;
}

std::string PartLine(std::string_view name) { return LineText("wasmburst/" + std::string(name)); }

Group AnswersOf(KernelForm form) {
  return form == KernelForm::kPlain ? Group::kNoPrimitives : Group::kPrimitives;
}
Group MeetingsOf(KernelForm form) {
  return form == KernelForm::kMeets ? Group::kCollectives : Group::kNoCollectives;
}

// Where the kernel of a text begins; npos: it has none.
size_t KernelStart(std::string_view text) {
  return text.rfind(PartLine(NamesOf({Group::kKernel}).front()));
}

// With one part in the place of others that follow one another; a text without these as it is.
std::string WithGroups(std::string_view text, std::initializer_list<Group> from, Group to) {
  std::string parts;
  for (const std::string_view name : NamesOf(from)) parts += PartText(name);
  const size_t at = text.find(parts);
  if (at == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, at))
      .append(PartText(NamesOf({to}).front()))
      .append(text.substr(at + parts.size()));
}

std::string WithEpilogue(std::string_view text, std::string_view epilogue) {
  const size_t kernel = KernelStart(text);
  if (kernel == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, kernel))
      .append(LineText("wasmburst/epilogue"))
      .append(epilogue);
}

}  // namespace

std::string_view FloatsName(Floats floats) {
  switch (floats) {
    case Floats::kNative: return "native";
    case Floats::kMetal: return "metal";
    case Floats::kFast32: return "fast32";
  }
  return "unknown";
}

std::string_view LayoutName(MemoryLayout layout) {
  switch (layout) {
    case MemoryLayout::kContiguous: return "contiguous";
    case MemoryLayout::kInterleaved: return "interleaved";
    case MemoryLayout::kTiled: return "tiled";
    case MemoryLayout::kHot: return "hot";
  }
  return "unknown";
}

std::span<const std::string_view> AllTexts() {
  static const Names names = [] {
    Names all;
    for (const Part& part : kParts) all.push_back(part.name);
    return all;
  }();
  return names;
}
std::span<const std::string_view> VectorTexts() {
  static const Names names = NamesOf({Group::kVectors});
  return names;
}
std::span<const std::string_view> NativeFloatParts() {
  static const Names names = NamesOf({Group::kNativeFloats});
  return names;
}
std::span<const std::string_view> MetalFloatParts() {
  static const Names names = NamesOf({Group::kSoftFloats, Group::kGuardedF32});
  return names;
}
std::span<const std::string_view> Fast32FloatParts() {
  static const Names names = NamesOf({Group::kSoftFloats, Group::kFlushedF32});
  return names;
}

std::string LineText(std::string_view file, size_t line) {
  return "#line " + std::to_string(line) + " \"" + std::string(file) + "\"\n";
}

std::string PartText(std::string_view name) { return PartLine(name).append(RuntimeText(name)); }

std::string OpeningText(const RuntimeForm& form, std::string_view module_constants) {
  std::string text;
  for (const Part& part : kParts) {
    if (!HasGroup(form, part.group)) continue;
    text += PartText(part.name);
    if (part.group != Group::kHead) continue;
    text.append(LineText("wasmburst/constants")).append(ConstantsText()).append(ParamsText());
    text += module_constants;
  }
  return text + LineText(kModuleFile);
}

std::string ClosingText(KernelForm form) {
  std::string text;
  for (const std::string_view name :
       NamesOf({Group::kOuterLoop, Group::kKernel, AnswersOf(form), MeetingsOf(form)})) {
    text += PartText(name);
  }
  return text;
}

std::string TiledText(std::string_view text) {
  return WithGroups(text, {Group::kInterleaved}, Group::kTiled);
}

uint32_t HotBytesIn(std::string_view text) {
  constexpr std::string_view kNamed = "constant uint WB_HOT_BYTES = ";
  const size_t at = text.find(kNamed);
  uint32_t bytes = 0;
  if (at == std::string_view::npos) return bytes;
  std::from_chars(text.data() + at + kNamed.size(), text.data() + text.size(), bytes);
  return bytes;
}

std::string HotText(std::string_view text) {
  if (HotBytesIn(text) == 0) return std::string(text);
  return WithGroups(text, {Group::kInterleaved, Group::kNoHotBytes}, Group::kHot);
}

std::string TextWithoutKernel(std::string_view text) {
  return WithEpilogue(text, PreludeText("host/epilogue"));
}

std::string CudaTextWithoutKernel(std::string_view text) {
  std::string epilogue(PreludeText("cuda/module_epilogue.cu"));
  if (KernelFormOf(text) == KernelForm::kMeets) epilogue += PreludeText("cuda/group_epilogue.cu");
  return WithEpilogue(text, epilogue);
}

std::optional<KernelForm> KernelFormOf(std::string_view text) {
  const size_t kernel = KernelStart(text);
  if (kernel == std::string_view::npos) return std::nullopt;
  const auto has = [&](Group group) {
    return text.find(PartLine(NamesOf({group}).front()), kernel) != std::string_view::npos;
  };
  if (has(Group::kCollectives)) return KernelForm::kMeets;
  return has(Group::kPrimitives) ? KernelForm::kAnswers : KernelForm::kPlain;
}

std::string_view RuntimeText(std::string_view name) { return Find("runtime", name); }
std::string_view PreludeText(std::string_view name) { return Find("prelude", name); }

std::string CudaEpilogue(bool resident) {
  if (!resident) return std::string(PreludeText("cuda/epilogue.cu"));
  return "\n#define WB_BOARD_PARAMS WbParams\n" + std::string(PreludeText("cuda/board.h")) +
         std::string(PreludeText("cuda/resident.cu"));
}

std::string CudaKernelText(MemoryLayout layout, KernelForm form, bool resident) {
  const bool meets = form == KernelForm::kMeets;
  std::string constants(PreludeText("cuda/module_constants.cu"));
  if (meets) constants += PreludeText("cuda/group_constants.cu");
  constants += form != KernelForm::kPlain ? "constant uint WB_PRIMITIVES = 1u;\n"
                                          : "constant uint WB_PRIMITIVES = 0u;\n";
  constants +=
      meets ? "constant uint WB_COLLECTIVES = 1u;\n" : "constant uint WB_COLLECTIVES = 0u;\n";
  constants += "constant uint WB_LOCKSTEP = 1u;\n";
  std::string text =
      OpeningText({.layout = layout, .folds = meets, .native_group_memory = true}, constants);
  text.append(PreludeText("cuda/module_call.cu"));
  for (const std::string_view name : NamesOf({Group::kKernel, AnswersOf(form), MeetingsOf(form)})) {
    text += PartText(name);
  }
  return text + CudaEpilogue(resident);
}

std::string ConstantsText() {
  std::string text = "// ---- numbers that kernel and host agree on (compiler/abi).\n";
  for (const NamedNumber& number : kNumbers) {
    text.append("constant uint ").append(number.prefix).append(number.name);
    text.append(" = ").append(std::to_string(number.value)).append("u;\n");
  }
  return text + "\n";
}

std::string ParamsText() {
  std::string text =
      "// ---- what a launch is given (compiler/abi/params.def).\nstruct WbParams {\n";
  for (const std::string_view name : kParams) text.append("  uint ").append(name).append(";\n");
  return text + "};\n\n";
}

Digest RuntimeDigest() {
  DigestBuilder builder;
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    builder.Add(file.folder).Add(file.name).Add(file.text);
  }
  for (const std::string_view name : AllTexts()) builder.Add(name);
  return builder.Add(ConstantsText()).Add(ParamsText()).Finish();
}

}  // namespace wb
