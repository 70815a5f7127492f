#include "compiler/passes/table_lookups.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace wb {
namespace {

// Callees of all table calls of a module together, and entries of all lookups.
constexpr uint64_t kMaxSpent = uint64_t{1} << 22;

uint32_t TrapEntry(Trap trap) { return ir::kLookupTrap | static_cast<uint32_t>(trap) << 26; }

}  // namespace

TableLookups::TableLookups(const Module& module) : module_(module), tables_(module.tables.size()) {
  for (const ElementSegment& segment : module.elements) {
    if (segment.mode == SegmentMode::kActive) Fill(segment);
  }
}

// Segments that do not fit trap at instantiation; nothing of them is ever read.
void TableLookups::Fill(const ElementSegment& segment) {
  const uint64_t start = segment.offset.instruction.imm;
  const uint64_t end = start + segment.elements.size();
  if (end > module_.tables[segment.table].limits.min) return;
  std::vector<uint32_t>& table = tables_[segment.table];
  if (table.size() < end) table.resize(end, 0);
  for (size_t i = 0; i < segment.elements.size(); ++i) {
    const Instruction& element = segment.elements[i].instruction;
    const bool null = element.opcode != Opcode::kRefFunc;
    table[start + i] = null ? 0 : static_cast<uint32_t>(element.imm) + 1;
  }
}

ir::Lookup TableLookups::Make(uint32_t table, uint32_t type) const {
  ir::Lookup lookup;
  lookup.table = table;
  lookup.type = type;
  lookup.size = module_.tables[table].limits.min;
  std::unordered_map<uint32_t, uint32_t> number_of;
  for (uint32_t element : tables_[table]) {
    if (element == 0) {
      lookup.entries.push_back(TrapEntry(Trap::kUninitializedElement));
      continue;
    }
    const uint32_t function = element - 1;
    if (!(module_.type_of(function) == module_.types[type])) {
      lookup.entries.push_back(TrapEntry(Trap::kIndirectCallType));
      continue;
    }
    auto [found, fresh] =
        number_of.try_emplace(function, static_cast<uint32_t>(lookup.callees.size()));
    if (fresh) lookup.callees.push_back(function);
    lookup.entries.push_back(found->second);
  }
  return lookup;
}

Status TableLookups::Charge(uint64_t amount, uint32_t offset) {
  spent_ += amount;
  if (spent_ <= kMaxSpent) return {};
  return Status(Reason::kWasmUnsupportedFeature,
                "Table calls with more than [" + std::to_string(kMaxSpent) +
                    "] possible callees in all are not supported.",
                {{"offset", std::to_string(offset)}});
}

Result<uint32_t> TableLookups::Find(uint32_t table, uint32_t type, uint32_t offset) {
  // Types that are equal share a lookup.
  const uint32_t first = static_cast<uint32_t>(
      std::find(module_.types.begin(), module_.types.end(), module_.types[type]) -
      module_.types.begin());
  auto [found, fresh] =
      index_of_.try_emplace({table, first}, static_cast<uint32_t>(lookups_.size()));
  if (fresh) {
    WB_TRY(Charge(tables_[table].size(), offset));
    lookups_.push_back(Make(table, first));
  }
  WB_TRY(Charge(1 + lookups_[found->second].callees.size(), offset));
  return found->second;
}

}  // namespace wb
