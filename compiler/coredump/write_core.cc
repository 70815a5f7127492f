#include <string_view>
#include <vector>

#include "compiler/base/binary_writer.h"
#include "compiler/coredump/core_dump.h"
#include "compiler/coredump/core_format.h"

namespace wb {
namespace {

class CoreWriter : public BinaryWriter {
 public:
  void Numbers(const std::vector<uint32_t>& numbers) {
    Number(numbers.size());
    for (const uint32_t number : numbers) Number(number);
  }
  void Section(CoreSection section, const CoreWriter& contents) {
    Byte(static_cast<uint8_t>(section));
    Sized(contents.bytes());
  }
  void Custom(std::string_view name, const CoreWriter& contents) {
    CoreWriter section;
    section.Text(name);
    section.Raw(contents.bytes());
    Section(CoreSection::kCustom, section);
  }
};

void PutValue(const CoreValue& value, CoreWriter& to) {
  switch (value.type) {
    case ValueType::kI32: to.Byte(kTypeI32); return to.Signed(static_cast<int32_t>(value.bits));
    case ValueType::kI64: to.Byte(kTypeI64); return to.Signed(static_cast<int64_t>(value.bits));
    case ValueType::kF32: to.Byte(kTypeF32); return to.Fixed(value.bits, 4);
    case ValueType::kF64: to.Byte(kTypeF64); return to.Fixed(value.bits, 8);
    default: to.Byte(kMissingValue);
  }
}

void PutValues(const std::vector<CoreValue>& values, CoreWriter& to) {
  to.Number(values.size());
  for (const CoreValue& value : values) PutValue(value, to);
}

void PutStack(const CoreDump& core, CoreWriter& to) {
  CoreWriter stack;
  stack.Byte(0);
  stack.Text(core.thread);
  stack.Number(core.frames.size());
  for (const CoreFrame& frame : core.frames) {
    stack.Byte(0);
    stack.Number(frame.instance);
    stack.Number(frame.function);
    stack.Number(frame.offset);
    PutValues(frame.locals, stack);
    PutValues(frame.stack, stack);
  }
  to.Custom(kCoreStackName, stack);
}

void PutProcess(const CoreDump& core, CoreWriter& to) {
  CoreWriter process;
  process.Byte(0);
  process.Text(core.process);
  to.Custom(kCoreName, process);
  CoreWriter modules;
  modules.Number(core.modules.size());
  for (const std::string& name : core.modules) {
    modules.Byte(0);
    modules.Text(name);
  }
  to.Custom(kCoreModulesName, modules);
  CoreWriter instances;
  instances.Number(core.instances.size());
  for (const CoreInstance& instance : core.instances) {
    instances.Byte(0);
    instances.Number(instance.module);
    instances.Numbers(instance.memories);
    instances.Numbers(instance.globals);
  }
  to.Custom(kCoreInstancesName, instances);
}

void PutMemories(const std::vector<uint32_t>& memories, CoreWriter& to) {
  if (memories.empty()) return;
  CoreWriter section;
  section.Number(memories.size());
  for (const uint32_t pages : memories) {
    section.Byte(0);  // without a maximum
    section.Number(pages);
  }
  to.Section(CoreSection::kMemory, section);
}

uint8_t TypeByte(ValueType type) {
  switch (type) {
    case ValueType::kI64: return kTypeI64;
    case ValueType::kF32: return kTypeF32;
    case ValueType::kF64: return kTypeF64;
    case ValueType::kV128: return kTypeV128;
    case ValueType::kFuncRef: return kTypeFuncRef;
    case ValueType::kExternRef: return kTypeExternRef;
    default: return kTypeI32;
  }
}

void PutGlobal(const CoreGlobal& global, CoreWriter& to) {
  to.Byte(TypeByte(global.type));
  to.Byte(0);  // not mutable
  switch (global.type) {
    case ValueType::kI64:
      to.Byte(kOpI64Const);
      to.Signed(static_cast<int64_t>(global.low));
      break;
    case ValueType::kF32:
      to.Byte(kOpF32Const);
      to.Fixed(global.low, 4);
      break;
    case ValueType::kF64:
      to.Byte(kOpF64Const);
      to.Fixed(global.low, 8);
      break;
    case ValueType::kV128:
      to.Byte(kOpVector);
      to.Byte(kOpV128Const);
      to.Fixed(global.low, 8);
      to.Fixed(global.high, 8);
      break;
    case ValueType::kFuncRef:
    case ValueType::kExternRef:
      to.Byte(kOpRefNull);
      to.Byte(TypeByte(global.type));
      break;
    default: to.Byte(kOpI32Const); to.Signed(static_cast<int32_t>(global.low));
  }
  to.Byte(kOpEnd);
}

void PutGlobals(const std::vector<CoreGlobal>& globals, CoreWriter& to) {
  if (globals.empty()) return;
  CoreWriter section;
  section.Number(globals.size());
  for (const CoreGlobal& global : globals) PutGlobal(global, section);
  to.Section(CoreSection::kGlobal, section);
}

void PutChunks(const std::vector<CoreChunk>& chunks, CoreWriter& to) {
  if (chunks.empty()) return;
  CoreWriter section;
  section.Number(chunks.size());
  for (const CoreChunk& chunk : chunks) {
    section.Byte(chunk.memory == 0 ? 0 : 2);  // active, of the first memory or of a named one
    if (chunk.memory != 0) section.Number(chunk.memory);
    section.Byte(kOpI32Const);
    section.Signed(static_cast<int32_t>(chunk.at));
    section.Byte(kOpEnd);
    section.Sized(chunk.bytes);
  }
  to.Section(CoreSection::kData, section);
}

}  // namespace

Bytes WriteCore(const CoreDump& core) {
  CoreWriter file;
  file.Raw(kCoreMagic);
  PutProcess(core, file);
  PutStack(core, file);
  if (!core.facts.empty()) {
    CoreWriter facts;
    facts.Raw(AsBytes(core.facts));
    file.Custom(kCoreFactsName, facts);
  }
  PutMemories(core.memories, file);
  PutGlobals(core.globals, file);
  PutChunks(core.chunks, file);
  return file.Take();
}

}  // namespace wb
