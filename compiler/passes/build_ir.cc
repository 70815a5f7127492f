#include <algorithm>

#include "compiler/passes/function_builder.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

Status Unsupported(const std::string& what, uint32_t offset) {
  return Status(Reason::kWasmUnsupportedFeature, what + " is not supported.",
                {{"offset", std::to_string(offset)}});
}

Status CheckImports(const Module& module) {
  if (module.imports.empty()) return {};
  const Import& import = module.imports.front();
  return Status(Reason::kImportNotProvided,
                "Import [" + import.module + "." + import.name + "] (a " +
                    std::string(ExternKindName(import.kind)) + ") is not provided.",
                {{"import", import.module + "." + import.name}});
}

bool IsConstant(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kI32Const:
    case Opcode::kI64Const:
    case Opcode::kF32Const:
    case Opcode::kF64Const:
    case Opcode::kV128Const: return true;
    default: return false;
  }
}

// The words of a constant, least significant first; those past its type's are zero.
V128 WordsOf(const Module& module, const Instruction& constant) {
  if (constant.opcode == Opcode::kV128Const) return module.vectors[constant.imm];
  return {static_cast<uint32_t>(constant.imm), static_cast<uint32_t>(constant.imm >> 32), 0, 0};
}

// Without imports every global.get in a constant expression would name an imported global, which
// validation demands; what is left are constants and references.
Status PlaceGlobals(const Module& module, ir::Program& program) {
  for (const Global& global : module.globals) {
    if (!IsConstant(global.init.instruction)) {
      return Unsupported("A global of type [" + std::string(TypeName(global.type)) + "]",
                         global.init.instruction.offset);
    }
    program.global_words.push_back(program.globals_size);
    const V128 words = WordsOf(module, global.init.instruction);
    program.image.globals.insert(program.image.globals.end(), words.begin(),
                                 words.begin() + TypeWords(global.type));
    program.globals_size += TypeWords(global.type);
  }
  return {};
}

// Element segments come before data segments. What they hold is TableLookups' matter.
Status CheckElements(const Module& module, ir::Image& image) {
  for (const ElementSegment& segment : module.elements) {
    if (segment.mode != SegmentMode::kActive) continue;
    if (!IsConstant(segment.offset.instruction)) {
      return Unsupported("A segment offset that is not a constant", segment.file_offset);
    }
    uint64_t end = segment.offset.instruction.imm + segment.elements.size();
    if (image.trap == Trap::kNone && end > module.tables[segment.table].limits.min) {
      image.trap = Trap::kOutOfBoundsTable;
      image.trap_offset = segment.file_offset;
    }
  }
  return {};
}

Status PlaceData(const Module& module, ir::Image& image) {
  for (const DataSegment& segment : module.data) {
    if (segment.mode != SegmentMode::kActive) continue;
    if (!IsConstant(segment.offset.instruction)) {
      return Unsupported("A segment offset that is not a constant", segment.file_offset);
    }
    if (image.trap != Trap::kNone) continue;
    uint64_t address = segment.offset.instruction.imm;
    if (address + segment.bytes.size() > uint64_t{image.min_pages} * abi::PAGE_BYTES) {
      image.trap = Trap::kOutOfBoundsMemory;
      image.trap_offset = segment.file_offset;
    } else if (!segment.bytes.empty()) {
      image.memory.push_back({static_cast<uint32_t>(address), segment.bytes});
    }
  }
  return {};
}

Status PlaceMemory(const Module& module, ir::Image& image) {
  if (module.memories.size() > 1) return Unsupported("More than one memory", 0);
  if (module.memories.empty()) return {};
  const Limits32& limits = module.memories.front().limits;
  image.has_memory = true;
  image.min_pages = limits.min;
  image.max_pages = std::min(limits.max.value_or(65536), 65536u);
  return {};
}

uint32_t WordsOf(const std::vector<ValueType>& types) {
  uint32_t words = 0;
  for (ValueType type : types) words += TypeWords(type);
  return words;
}

}  // namespace

Result<ir::Program> BuildIr(std::shared_ptr<const Module> module) {
  WB_TRY(CheckImports(*module));
  ir::Program program;
  program.module = module;
  WB_TRY(PlaceMemory(*module, program.image));
  WB_TRY(PlaceGlobals(*module, program));
  WB_TRY(CheckElements(*module, program.image));
  WB_TRY(PlaceData(*module, program.image));
  TableLookups lookups(*module);
  program.functions.reserve(module->bodies.size());
  for (size_t i = 0; i < module->bodies.size(); ++i) {
    uint32_t index = module->imported_functions + static_cast<uint32_t>(i);
    WB_ASSIGN(ir::Function function, FunctionBuilder(*module, lookups, index).Build());
    for (const ir::Inst& inst : function.insts) {
      program.grows_memory = program.grows_memory || inst.op == ir::Op::kMemoryGrow;
    }
    const FunctionType& type = module->type_of(index);
    program.stage_words =
        std::max({program.stage_words, WordsOf(type.params), WordsOf(type.results)});
    program.functions.push_back(std::move(function));
  }
  program.lookups = lookups.Take();
  return program;
}

}  // namespace wb
