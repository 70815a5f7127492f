#include "compiler/passes/place_state.h"

#include <algorithm>
#include <string>

#include "compiler/base/check.h"
#include "compiler/imports/primitive.h"
#include "compiler/passes/unsupported.h"

namespace wb {
namespace {

// Elements of all tables together: what the text, the image or a lane has to hold.
constexpr uint64_t kMaxElements = uint64_t{1} << 22;

// `words`: the value, least significant first; those past its type's are not read.
uint32_t AddGlobal(ir::Program& program, ValueType type, const V128& words) {
  program.global_words.push_back(program.globals_size);
  program.image.globals.insert(program.image.globals.end(), words.begin(),
                               words.begin() + TypeWords(type));
  program.globals_size += TypeWords(type);
  return static_cast<uint32_t>(program.global_words.size() - 1);
}

// Validation demands that a global.get in a constant expression names an imported global. Without
// imports there are none, so constants and references are left.
Status PlaceGlobals(const Module& module, ir::Program& program) {
  for (const Global& global : module.globals) {
    const Instruction& init = global.init.instruction;
    if (init.opcode == Opcode::kV128Const) {
      AddGlobal(program, global.type, module.vectors[init.imm]);
      continue;
    }
    const auto bits = ir::ConstantOf(global.init);
    if (!bits) {
      return Status(
          Reason::kWasmUnsupportedFeature,
          "A global of type [" + std::string(TypeName(global.type)) + "] is not supported.",
          {{"offset", std::to_string(global.init.instruction.offset)}});
    }
    AddGlobal(program, global.type,
              {static_cast<uint32_t>(*bits), static_cast<uint32_t>(*bits >> 32), 0, 0});
  }
  WB_CHECK(program.global_words == module.GlobalWords());
  return {};
}

ir::Segment PlaceSegment(SegmentMode mode, size_t size, bool dropped, ir::Program& program) {
  ir::Segment segment;
  // Instantiation drops active segments; declarative ones are never there.
  if (mode != SegmentMode::kPassive) return segment;
  segment.size = static_cast<uint32_t>(size);
  if (dropped) segment.dropped_global = AddGlobal(program, ValueType::kI32, {});
  return segment;
}

void PlaceSegments(const Module& module, const StateUse& use, ir::Program& program) {
  for (size_t i = 0; i < module.data.size(); ++i) {
    const DataSegment& segment = module.data[i];
    program.data.push_back(
        PlaceSegment(segment.mode, segment.bytes.size(), use.data_dropped[i], program));
  }
  for (size_t i = 0; i < module.elements.size(); ++i) {
    const ElementSegment& segment = module.elements[i];
    program.elements.push_back(
        PlaceSegment(segment.mode, segment.elements.size(), use.elements_dropped[i], program));
  }
}

// Elements past the last that a segment writes are null and not kept.
Status FillTables(const Module& module, ir::Program& program) {
  uint64_t kept = 0;
  for (const ElementSegment& segment : module.elements) {
    if (segment.mode != SegmentMode::kActive) continue;
    const auto start = ir::ConstantOf(segment.offset);
    if (!start) return Unsupported("A segment offset that is not a constant", segment.file_offset);
    if (program.image.trap != Trap::kNone) continue;
    ir::Table& table = program.tables[segment.table];
    const uint64_t end = *start + segment.elements.size();
    if (end > table.size) {
      program.image.trap = Trap::kOutOfBoundsTable;
      program.image.trap_offset = segment.file_offset;
      continue;
    }
    if (segment.elements.empty()) continue;
    kept += end > table.elements.size() ? end - table.elements.size() : 0;
    if (kept > kMaxElements) {
      return Unsupported("A table filled up to element [" + std::to_string(end) + "]",
                         segment.file_offset);
    }
    if (table.elements.size() < end) table.elements.resize(end, ir::kNullReference);
    for (size_t i = 0; i < segment.elements.size(); ++i) {
      const auto element = ir::ConstantOf(segment.elements[i]);
      if (!element) return Unsupported("An element that is not a constant", segment.file_offset);
      table.elements[*start + i] = static_cast<uint32_t>(*element);
    }
  }
  return {};
}

uint32_t CapacityOf(const Table& table, bool grows) {
  if (!grows) return table.limits.min;
  const uint32_t most = std::min(table.limits.max.value_or(kMaxGrownElements), kMaxGrownElements);
  return std::max(table.limits.min, most);
}

Status PlaceTables(const Module& module, const StateUse& use, ir::Program& program) {
  for (const Table& table : module.tables) program.tables.push_back({.size = table.limits.min});
  WB_TRY(FillTables(module, program));
  for (ir::Table& table : program.tables) {
    table.has_null = std::find(table.elements.begin(), table.elements.end(), ir::kNullReference) !=
                     table.elements.end();
  }
  for (size_t i = 0; i < module.tables.size(); ++i) {
    ir::Table& table = program.tables[i];
    if (use.tables_grown[i]) {
      table.size_global = AddGlobal(program, ValueType::kI32, {table.size});
    }
  }
  uint64_t words = 0;
  for (size_t i = 0; i < module.tables.size(); ++i) {
    ir::Table& table = program.tables[i];
    table.in_lane = use.tables[i];
    if (!table.in_lane) continue;
    table.capacity = CapacityOf(module.tables[i], use.tables_grown[i]);
    table.at = program.globals_size + static_cast<uint32_t>(words);
    words += table.capacity;
    if (words > kMaxElements) {
      return Unsupported("Table [" + std::to_string(i) + "] of [" + std::to_string(table.size) +
                             "] elements that code reads or changes",
                         0);
    }
    program.image.tables.push_back({table.at, table.size, table.elements});
  }
  program.tables_size = static_cast<uint32_t>(words);
  return {};
}

// What GROUP_* of lane.def are, zeros in an instance that begins.
void PlaceGroupHeader(const Module& module, ir::Program& program) {
  bool is_of_group = false;
  for (const Body& body : module.bodies) {
    is_of_group = is_of_group || IsOfGroup(body.primitive);
    program.shares_group_memory =
        program.shares_group_memory || body.primitive == Primitive::kGroupMemory;
  }
  if (!is_of_group) return;
  program.group_global = AddGlobal(program, ValueType::kI32, {});
  for (uint32_t i = 1; i < abi::GROUP_HEADER_WORDS; ++i) AddGlobal(program, ValueType::kI32, {});
}

// The size of memory 0 is in the lane's header.
Status PlaceMemories(const Module& module, ir::Program& program) {
  if (module.memories.size() > ir::kMaxMemories) {
    return Unsupported("More than [" + std::to_string(ir::kMaxMemories) + "] memories", 0);
  }
  if (module.memories.empty()) return {};
  program.image.has_memory = true;
  program.image.max_pages = 0;
  for (const Memory& memory : module.memories) {
    ir::Memory& to = program.memories.emplace_back();
    to.min_pages = memory.limits.min;
    to.max_pages = std::min(memory.limits.max.value_or(65536), 65536u);
    if (program.memories.size() > 1) {
      to.pages_global = AddGlobal(program, ValueType::kI32, {to.min_pages});
    }
    program.image.max_pages = std::max(program.image.max_pages, to.max_pages);
  }
  program.image.min_pages = program.memories[0].min_pages;
  return {};
}

}  // namespace

Status PlaceState(const Module& module, const StateUse& use, ir::Program& program) {
  WB_TRY(PlaceGlobals(module, program));
  PlaceGroupHeader(module, program);
  PlaceSegments(module, use, program);
  WB_TRY(PlaceMemories(module, program));
  return PlaceTables(module, use, program);
}

}  // namespace wb
