#include <algorithm>
#include <iterator>
#include <string>

#include "compiler/coredump/core_dump.h"
#include "compiler/coredump/core_format.h"
#include "compiler/debug/byte_cursor.h"

namespace wb {
namespace {

Status Malformed(const std::string& what, size_t offset) {
  return Status(Reason::kWasmMalformed,
                "It is no core file: " + what + " (at byte " + std::to_string(offset) + ").",
                {{"offset", std::to_string(offset)}});
}

// One section. The first thing that is wrong is kept, and makes every further read give zeros.
class SectionReader {
 public:
  SectionReader(ByteView contents, size_t offset, CoreDump* core)
      : in_(contents), offset_(offset), core_(*core) {}

  void ReadCustom();
  void ReadMemories();
  void ReadGlobals();
  void ReadChunks();
  bool is_stack() const { return is_stack_; }

  // Everything was read, and nothing was wrong.
  Status End() {
    if (wrong_.empty() && !in_.ok()) wrong_ = "a section ends too early";
    if (wrong_.empty() && !in_.done()) wrong_ = "a section is longer than what it holds";
    return wrong_.empty() ? Status() : Malformed(wrong_, offset_ + in_.at());
  }

 private:
  bool ok() const { return in_.ok() && wrong_.empty(); }
  void Refuse(const char* what) {
    if (ok()) wrong_ = what;
  }
  uint32_t Number() {
    const uint64_t number = in_.Unsigned();
    if (number > 0xffffffff) Refuse("a number has more than 32 bits");
    return static_cast<uint32_t>(number);
  }
  // Each element takes a byte at least, so that a count beyond the rest is wrong.
  template <typename Each>
  void List(Each each) {
    const uint32_t count = Number();
    for (uint32_t i = 0; i < count && ok(); ++i) each();
  }
  std::string Text() { return std::string(AsText(in_.Take(Number()))); }
  void Expect(uint8_t byte, const char* otherwise) {
    if (in_.U8() != byte) Refuse(otherwise);
  }
  int64_t Within32(int64_t number) {
    if (number < INT32_MIN || number > INT32_MAX) Refuse("an i32 has more than 32 bits");
    return number;
  }
  uint64_t I32() { return static_cast<uint32_t>(Within32(in_.Signed())); }

  std::vector<uint32_t> Numbers() {
    std::vector<uint32_t> numbers;
    List([&] { numbers.push_back(Number()); });
    return numbers;
  }
  CoreValue ReadValue();
  std::vector<CoreValue> ReadValues() {
    std::vector<CoreValue> values;
    List([&] { values.push_back(ReadValue()); });
    return values;
  }
  void ReadStack();
  CoreGlobal ReadGlobal();
  void ReadInit(CoreGlobal* global);

  ByteCursor in_;
  const size_t offset_;
  CoreDump& core_;
  std::string wrong_;
  bool is_stack_ = false;
};

CoreValue SectionReader::ReadValue() {
  switch (in_.U8()) {
    case kMissingValue: return {};
    case kTypeI32: return {ValueType::kI32, I32()};
    case kTypeI64: return {ValueType::kI64, static_cast<uint64_t>(in_.Signed())};
    case kTypeF32: return {ValueType::kF32, in_.U32()};
    case kTypeF64: return {ValueType::kF64, in_.U64()};
    default: Refuse("a value has an unknown type"); return {};
  }
}

void SectionReader::ReadStack() {
  is_stack_ = true;
  Expect(0, "a thread does not begin with 0");
  core_.thread = Text();
  List([&] {
    Expect(0, "a frame does not begin with 0");
    CoreFrame frame;
    frame.instance = Number();
    frame.function = Number();
    frame.offset = Number();
    frame.locals = ReadValues();
    frame.stack = ReadValues();
    core_.frames.push_back(std::move(frame));
  });
}

void SectionReader::ReadCustom() {
  const std::string name = Text();
  if (name == kCoreName) {
    Expect(0, "the process does not begin with 0");
    core_.process = Text();
  } else if (name == kCoreModulesName) {
    List([&] {
      Expect(0, "a module does not begin with 0");
      core_.modules.push_back(Text());
    });
  } else if (name == kCoreInstancesName) {
    List([&] {
      Expect(0, "an instance does not begin with 0");
      CoreInstance instance;
      instance.module = Number();
      instance.memories = Numbers();
      instance.globals = Numbers();
      core_.instances.push_back(std::move(instance));
    });
  } else if (name == kCoreStackName) {
    ReadStack();
  } else {
    const ByteView rest = in_.Take(in_.left());
    if (name == kCoreFactsName) core_.facts = AsText(rest);
  }
}

void SectionReader::ReadMemories() {
  List([&] {
    const uint8_t flags = in_.U8();
    if (flags > 1) Refuse("a memory has unknown flags");
    const uint32_t pages = Number();
    if (flags == 1) (void)Number();
    if (pages > kMostCorePages) Refuse("a memory has more than 65,536 pages");
    core_.memories.push_back(pages);
  });
}

void SectionReader::ReadInit(CoreGlobal* global) {
  switch (in_.U8()) {
    case kOpI32Const: global->low = I32(); break;
    case kOpI64Const: global->low = static_cast<uint64_t>(in_.Signed()); break;
    case kOpF32Const: global->low = in_.U32(); break;
    case kOpF64Const: global->low = in_.U64(); break;
    case kOpVector:
      Expect(kOpV128Const, "a global is no constant");
      global->low = in_.U64();
      global->high = in_.U64();
      break;
    case kOpRefNull: (void)in_.U8(); break;
    default: Refuse("a global is no constant");
  }
  Expect(kOpEnd, "a constant does not end");
}

CoreGlobal SectionReader::ReadGlobal() {
  CoreGlobal global;
  switch (in_.U8()) {
    case kTypeI32: global.type = ValueType::kI32; break;
    case kTypeI64: global.type = ValueType::kI64; break;
    case kTypeF32: global.type = ValueType::kF32; break;
    case kTypeF64: global.type = ValueType::kF64; break;
    case kTypeV128: global.type = ValueType::kV128; break;
    case kTypeFuncRef: global.type = ValueType::kFuncRef; break;
    case kTypeExternRef: global.type = ValueType::kExternRef; break;
    default: Refuse("a global has an unknown type");
  }
  if (in_.U8() > 1) Refuse("a global has unknown flags");
  ReadInit(&global);
  return global;
}

void SectionReader::ReadGlobals() {
  List([&] { core_.globals.push_back(ReadGlobal()); });
}

void SectionReader::ReadChunks() {
  List([&] {
    CoreChunk chunk;
    const uint32_t flags = Number();
    if (flags != 0 && flags != 2) Refuse("a data segment is not active");
    if (flags == 2) chunk.memory = Number();
    Expect(kOpI32Const, "a data segment's offset is no constant");
    chunk.at = static_cast<uint32_t>(I32());
    Expect(kOpEnd, "a constant does not end");
    const ByteView bytes = in_.Take(Number());
    chunk.bytes.assign(bytes.begin(), bytes.end());
    core_.chunks.push_back(std::move(chunk));
  });
}

bool AreBelow(const std::vector<uint32_t>& numbers, size_t count) {
  return std::all_of(numbers.begin(), numbers.end(), [count](uint32_t n) { return n < count; });
}

// What the sections name of one another is there.
Status CheckWhole(const CoreDump& core, size_t end) {
  for (const CoreInstance& instance : core.instances) {
    if (instance.module >= core.modules.size()) {
      return Malformed("an instance is of a module that is not there", end);
    }
    if (!AreBelow(instance.memories, core.memories.size()) ||
        !AreBelow(instance.globals, core.globals.size())) {
      return Malformed("an instance has a memory or global that is not there", end);
    }
  }
  for (const CoreFrame& frame : core.frames) {
    if (frame.instance >= core.instances.size()) {
      return Malformed("a frame is of an instance that is not there", end);
    }
  }
  for (const CoreChunk& chunk : core.chunks) {
    const bool is_there = chunk.memory < core.memories.size();
    const uint64_t room = is_there ? core.memories[chunk.memory] * kCorePageBytes : 0;
    if (!is_there || chunk.at + uint64_t{chunk.bytes.size()} > room) {
      return Malformed("a data segment does not lie in its memory", end);
    }
  }
  return {};
}

Status ReadSection(uint8_t id, SectionReader* reader) {
  switch (static_cast<CoreSection>(id)) {
    case CoreSection::kCustom: reader->ReadCustom(); break;
    case CoreSection::kMemory: reader->ReadMemories(); break;
    case CoreSection::kGlobal: reader->ReadGlobals(); break;
    case CoreSection::kData: reader->ReadChunks(); break;
    default: return {};  // of a module that is no core file
  }
  return reader->End();
}

}  // namespace

Result<CoreDump> ReadCore(ByteView file) {
  ByteCursor in(file);
  const ByteView magic = in.Take(std::size(kCoreMagic));
  if (!std::equal(magic.begin(), magic.end(), std::begin(kCoreMagic), std::end(kCoreMagic))) {
    return Malformed("it does not begin as a module does", 0);
  }
  CoreDump core;
  bool has_stack = false;
  while (!in.done()) {
    const uint8_t id = in.U8();
    const uint64_t size = in.Unsigned();
    const size_t offset = in.at();
    const ByteView contents = in.Take(size);
    if (!in.ok()) return Malformed("a section is longer than the file", offset);
    SectionReader reader(contents, offset, &core);
    WB_TRY(ReadSection(id, &reader));
    has_stack = has_stack || reader.is_stack();
  }
  if (!has_stack) return Malformed("it has no section [corestack]", file.size());
  WB_TRY(CheckWhole(core, file.size()));
  return core;
}

}  // namespace wb
