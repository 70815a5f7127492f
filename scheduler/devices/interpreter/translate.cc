// A lowered module to bytecode: what its functions read besides memory, and the functions.

#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/function_translator.h"

namespace wb {
namespace {

void TranslateSegments(const Module& module, ByteProgram& program) {
  for (const DataSegment& segment : module.data) {
    const bool kept = segment.mode == SegmentMode::kPassive;
    program.data.push_back(kept ? PackWords(segment.bytes) : std::vector<uint32_t>());
  }
  for (const ElementSegment& segment : module.elements) {
    std::vector<uint32_t>& words = program.elements.emplace_back();
    if (segment.mode != SegmentMode::kPassive) continue;
    for (const ConstExpr& element : segment.elements) {
      words.push_back(static_cast<uint32_t>(*ir::ConstantOf(element)));
    }
  }
}

void TranslateMemories(const LoweredModule& module, ByteProgram& program) {
  for (const ir::Memory& memory : module.program.memories) {
    ByteMemory& to = program.memories.emplace_back();
    to.max_pages = memory.max_pages;
    to.pages_at = abi::LANE_PAGES;
    if (memory.pages_global == ir::kNoGlobal) continue;
    to.pages_at = module.layout.globals_at + module.program.global_words[memory.pages_global];
  }
}

void TranslateTables(const LoweredModule& module, ByteProgram& program) {
  const uint32_t globals = module.layout.globals_at;
  for (const ir::Table& table : module.program.tables) {
    ByteTable& to = program.tables.emplace_back();
    to.in_lane = table.in_lane;
    to.at = globals + table.at;
    to.size = table.size;
    if (table.size_global != ir::kNoGlobal) {
      to.size_at = globals + module.program.global_words[table.size_global];
    }
    if (!table.in_lane) to.elements = table.elements;
  }
}

}  // namespace

ByteProgram Translate(const LoweredModule& module, const TranslateOptions& options) {
  ByteProgram program;
  program.layout = module.layout;
  program.asks = module.program.asks;
  program.lookups = module.program.lookups;
  program.callee_numbers = module.program.callee_numbers;
  program.callee_slots = ir::SlotsByNumber(module.program);
  program.imported_functions = module.program.module->imported_functions;
  TranslateSegments(*module.program.module, program);
  TranslateMemories(module, program);
  TranslateTables(module, program);
  for (const ir::Function& function : module.program.functions) {
    program.functions.push_back(FunctionTranslator(module, function, options).Run());
  }
  return program;
}

}  // namespace wb
