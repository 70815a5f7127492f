#include "compiler/emit/plan/windows.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/wasm/module.h"

namespace wb {
namespace {

// With all of a smaller memory a GPU has enough lanes.
constexpr uint32_t kSmallPages = 16;
// What begins below this is in a window from byte 0, whose text is faster.
constexpr uint64_t kNearStart = uint64_t{64} << 10;
// Of a stack, which grows downwards.
constexpr uint64_t kStackBytes = uint64_t{16} << 10;
// A stack pointer of compilers is a multiple of 16.
constexpr uint32_t kStackAlignment = 16;

// Where the first global that may be a stack pointer begins; 0: there is none.
uint64_t StackOf(const ir::Program& program) {
  const Module& module = *program.module;
  const uint64_t bytes = uint64_t{program.memories[0].min_pages} * abi::PAGE_BYTES;
  for (uint32_t i = 0; i < module.globals.size(); ++i) {
    const Global& global = module.globals[i];
    if (!global.is_mutable || global.type != ValueType::kI32) continue;
    const uint32_t value = program.image.globals[program.global_words[i]];
    if (value != 0 && value % kStackAlignment == 0 && value <= bytes) return value;
  }
  return 0;
}

void Name(NamedMemory& named, uint64_t from, uint64_t end) {
  if (from >= end) return;
  named.from = named.end == 0 ? from : std::min(named.from, from);
  named.end = std::max(named.end, end);
}

}  // namespace

NamedMemory NamedMemoryOf(const ir::Program& program) {
  NamedMemory named;
  Name(named, program.inside_from, program.inside_end);
  for (const ir::MemoryRange& range : program.image.memory) {
    if (range.memory == 0) Name(named, range.address, range.address + range.bytes.size());
  }
  const uint64_t stack = StackOf(program);
  Name(named, stack - std::min(stack, kStackBytes), stack);
  return named;
}

WindowForm WindowFormOf(const ir::Program& program, const CompileOptions& options) {
  if (options.windows == Windows::kNever || program.memories.empty()) return WindowForm::kNone;
  const uint32_t pages = program.memories[0].min_pages;
  if (pages == 0) return WindowForm::kNone;  // a window begins within these
  if (options.windows == Windows::kAnywhere) return WindowForm::kAnywhere;
  if (options.windows == Windows::kWhereLarge && pages <= kSmallPages) return WindowForm::kNone;
  const bool near = NamedMemoryOf(program).from < kNearStart;
  return near ? WindowForm::kFromStart : WindowForm::kAnywhere;
}

}  // namespace wb
