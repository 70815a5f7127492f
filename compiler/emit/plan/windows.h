#pragma once

// Which texts run in lanes that hold a part of memory 0 (compiler/docs/windows.md).

#include <cstdint>

#include "compiler/emit/plan/compile_options.h"
#include "compiler/ir/ir.h"

namespace wb {

// What the text can do with a MemoryWindow. In every form it also runs in lanes that hold all.
enum class WindowForm : uint8_t {
  kNone,
  kFromStart,  // windows begin at byte 0
  kAnywhere,   // they begin wherever the launch says
};
WindowForm WindowFormOf(const ir::Program& program, const CompileOptions& options);

// The bytes of memory 0 from the first to the last that the program itself names: its data, what
// rows come to without a test (Program::inside_from; every window holds these), and some of what
// lies below a stack pointer. Empty: it names none.
struct NamedMemory {
  uint64_t from = 0;
  uint64_t end = 0;
};
NamedMemory NamedMemoryOf(const ir::Program& program);

}  // namespace wb
