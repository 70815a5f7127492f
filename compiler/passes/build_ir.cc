#include <algorithm>

#include "compiler/imports/primitive.h"
#include "compiler/passes/build_primitive.h"
#include "compiler/passes/build_trampoline.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/place_state.h"
#include "compiler/passes/rows/bulk_functions.h"
#include "compiler/passes/rows/function_builder.h"
#include "compiler/passes/unsupported.h"

namespace wb {
namespace {

Status FillMemory(const Module& module, ir::Program& program) {
  ir::Image& image = program.image;
  for (const DataSegment& segment : module.data) {
    if (segment.mode != SegmentMode::kActive) continue;
    const auto address = ir::ConstantOf(segment.offset);
    if (!address) {
      return Unsupported("A segment offset that is not a constant", segment.file_offset);
    }
    if (image.trap != Trap::kNone) continue;
    const uint64_t bytes = uint64_t{program.memories[segment.memory].min_pages} * abi::PAGE_BYTES;
    if (*address + segment.bytes.size() > bytes) {
      image.trap = Trap::kOutOfBoundsMemory;
      image.trap_offset = segment.file_offset;
    } else if (!segment.bytes.empty()) {
      image.memory.push_back({segment.memory, static_cast<uint32_t>(*address), segment.bytes});
    }
  }
  return {};
}

// Of the first `count` of them.
uint32_t WordsOf(const std::vector<ValueType>& types, size_t count) {
  uint32_t words = 0;
  for (size_t i = 0; i < count; ++i) words += TypeWords(types[i]);
  return words;
}

// Functions of our own, where their indices say. One that is a root needs room in the stage.
void AddSynthetic(const BulkFunctions& bulk_functions, ir::Program& program) {
  const auto add = [&](ir::Function function) {
    program.stage_words =
        std::max(program.stage_words, WordsOf(function.vars, function.num_params));
    program.functions[function.index - program.module->imported_functions] = std::move(function);
  };
  for (const ir::Lookup& lookup : program.lookups) {
    if (lookup.trampoline != ir::kNoFunction) add(BuildTrampoline(program, lookup, false));
    if (lookup.tail_trampoline != ir::kNoFunction) add(BuildTrampoline(program, lookup, true));
  }
  bulk_functions.ForEach(
      [&](const BulkKind& kind, uint32_t index) { add(BuildBulkFunction(program, kind, index)); });
}

Status BuildFunction(uint32_t index, TableLookups& lookups, BulkFunctions& bulk_functions,
                     ir::Program& program) {
  const Module& module = *program.module;
  if (module.bodies[index - module.imported_functions].primitive != Primitive::kNone) {
    program.asks = true;
    program.functions.push_back(BuildPrimitive(program, index));
    program.stage_words = std::max(program.stage_words, StageWordsOf(program.functions.back()));
    program.meets =
        program.meets || IsOfGroup(module.bodies[index - module.imported_functions].primitive);
    return {};
  }
  WB_ASSIGN(ir::Function function,
            FunctionBuilder(program, lookups, bulk_functions, index).Build());
  for (const ir::Inst& inst : function.insts) {
    if (inst.op == ir::Op::kMemoryGrow) program.memories[inst.memory].grows = true;
  }
  const FunctionType& type = module.type_of(index);
  program.stage_words = std::max({program.stage_words, WordsOf(type.params, type.params.size()),
                                  WordsOf(type.results, type.results.size())});
  program.functions.push_back(std::move(function));
  return {};
}

}  // namespace

Result<ir::Program> BuildIr(std::shared_ptr<const Module> module, const Stop& stop) {
  ir::Program program;
  program.module = module;
  const StateUse use = FindStateUse(*module);
  WB_TRY(PlaceState(*module, use, program));
  WB_TRY(FillMemory(*module, program));  // element segments come before data segments
  uint32_t next_function = static_cast<uint32_t>(module->functions.size());
  TableLookups lookups(*module, use, program, next_function);
  BulkFunctions bulk_functions(next_function);
  program.functions.reserve(module->bodies.size());
  for (size_t i = 0; i < module->bodies.size(); ++i) {
    WB_TRY(CheckStop(stop));
    const uint32_t index = module->imported_functions + static_cast<uint32_t>(i);
    WB_TRY(BuildFunction(index, lookups, bulk_functions, program));
  }
  program.grows_memory = !program.memories.empty() && program.memories.front().grows;
  program.lookups = lookups.Take();
  program.functions.resize(next_function - module->imported_functions);
  AddSynthetic(bulk_functions, program);
  return program;
}

}  // namespace wb
