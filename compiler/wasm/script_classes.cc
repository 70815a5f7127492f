#include "compiler/wasm/script_classes.h"

#include <algorithm>
#include <optional>

namespace wb {
namespace {

constexpr uint64_t kWordBytes = 4;
constexpr uint64_t kMostBytes = kWordBytes * (1 + kMostScriptClasses);

std::optional<uint32_t> ConstantOf(const ConstExpr& expression) {
  if (expression.instruction.opcode != Opcode::kI32Const) return std::nullopt;
  return static_cast<uint32_t>(expression.instruction.imm);
}

std::optional<uint32_t> TableAddress(const Module& module) {
  for (const Export& exported : module.exports) {
    if (exported.name != "__rtti_base" || exported.kind != ExternKind::kGlobal) continue;
    const Global& global = module.globals[exported.index];
    if (global.imported || global.is_mutable) return std::nullopt;
    return ConstantOf(global.init);
  }
  return std::nullopt;
}

// What memory 0 holds from `address` on as the module starts. An optimiser leaves zeros out of the
// segments, so a table may lie in several.
Bytes InitialBytes(const Module& module, uint64_t address) {
  Bytes image(kMostBytes);
  for (const DataSegment& segment : module.data) {
    const std::optional<uint32_t> offset = ConstantOf(segment.offset);
    if (segment.mode != SegmentMode::kActive || segment.memory != 0 || !offset) continue;
    const uint64_t from = std::max<uint64_t>(*offset, address);
    const uint64_t end = std::min<uint64_t>(*offset + segment.bytes.size(), address + kMostBytes);
    if (from >= end) continue;
    std::copy(segment.bytes.begin() + static_cast<int64_t>(from - *offset),
              segment.bytes.begin() + static_cast<int64_t>(end - *offset),
              image.begin() + static_cast<int64_t>(from - address));
  }
  return image;
}

uint32_t WordAt(const Bytes& bytes, size_t word) {
  uint32_t value = 0;
  for (size_t i = kWordBytes; i-- > 0;) value = value << 8 | bytes[kWordBytes * word + i];
  return value;
}

}  // namespace

std::vector<uint32_t> ScriptClassFlags(const Module& module) {
  const std::optional<uint32_t> address = TableAddress(module);
  if (!address) return {};
  const Bytes image = InitialBytes(module, *address);
  const uint32_t count = WordAt(image, 0);
  if (count > kMostScriptClasses) return {};
  std::vector<uint32_t> flags(count);
  for (uint32_t i = 0; i < count; ++i) flags[i] = WordAt(image, 1 + i);
  return flags;
}

}  // namespace wb
