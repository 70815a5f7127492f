#include "compiler/link/index_spaces.h"

#include <algorithm>
#include <numeric>

#include "compiler/wasm/extern_type.h"

namespace wb {
namespace {

std::vector<uint32_t>& MapOf(IndexMaps& maps, ExternKind kind) {
  switch (kind) {
    case ExternKind::kTable: return maps.tables;
    case ExternKind::kMemory: return maps.memories;
    case ExternKind::kGlobal: return maps.globals;
    default: return maps.functions;
  }
}

template <typename T>
uint32_t Append(std::vector<T>& to, T item) {
  to.push_back(std::move(item));
  return static_cast<uint32_t>(to.size() - 1);
}

// Takes the place of a refused import, so that the others keep their indices.
constexpr uint32_t kUnresolved = UINT32_MAX;

void NoteGrown(uint32_t index, std::vector<bool>& grows) {
  if (index != kUnresolved) grows[index] = true;
}

}  // namespace

IndexSpaces::IndexSpaces(const std::vector<LinkPart>& parts, const Imports& host, Module& whole)
    : parts_(parts), host_(host), whole_(whole) {}

Status IndexSpaces::Place() {
  for (const LinkPart& part : parts_) PlacePart(part);
  WB_TRY(refused_.ToStatus());
  PutLastMemoryFirst();
  GivePrimitivesMemory();
  return {};
}

void IndexSpaces::PlacePart(const LinkPart& part) {
  PlacedPart placed;
  for (const Import& import : part.module->imports) {
    MapOf(placed.maps, import.kind).push_back(Resolve(part, import, placed));
  }
  AddOwn(*part.module, placed);
  NoteGrowth(*part.module, placed);
  for (const Export& item : part.module->exports) placed.exports.try_emplace(item.name, &item);
  placed_.push_back(std::move(placed));
}

// The index of what is imported; kUnresolved: it is refused.
uint32_t IndexSpaces::Resolve(const LinkPart& part, const Import& import, PlacedPart& to) {
  const std::optional<Found> found = Find(part, import);
  if (!found) {
    refused_.AddUnknown(part.name, *part.module, import, ProviderOf(part, import));
    return kUnresolved;
  }
  if (found->index == kUnresolved) return kUnresolved;  // refused where its exporter imports it
  if (found->kind == import.kind && Fits(*part.module, import, found->index, to)) {
    return found->index;
  }
  refused_.AddOtherType(part.name, *part.module, import, found->kind,
                        ExternTypeText(whole_, found->kind, found->index));
  return kUnresolved;
}

std::optional<IndexSpaces::Found> IndexSpaces::Find(const LinkPart& part, const Import& import) {
  if (const auto from = part.imports_from.find(import.module); from != part.imports_from.end()) {
    if (from->second >= placed_.size()) return FindLater(from->second, import);
    PlacedPart& provider = placed_[from->second];
    const auto exported = provider.exports.find(import.name);
    if (exported == provider.exports.end()) return std::nullopt;
    const ExternKind kind = exported->second->kind;
    return Found{kind, MapOf(provider.maps, kind)[exported->second->index]};
  }
  if (const PrimitiveFacts* facts = FindPrimitive(import.module, import.name)) {
    return Found{ExternKind::kFunction, AddPrimitive(*facts, facts->type)};
  }
  const std::optional<uint32_t> call = FindHostCall(import.module, import.name);
  if (call && import.kind == ExternKind::kFunction) {
    const Found found{ExternKind::kFunction, AddPrimitive(FactsOf(Primitive::kHostCall),
                                                          part.module->type_of(import.index))};
    whole_.bodies[found.index].host_import = *call;
    return found;
  }
  if (const Imports::Item* item = host_.Find(import.module, import.name)) {
    return Found{KindOf(*item), AddHost(import, *item)};
  }
  return std::nullopt;
}

// A memory that a later part defines. What else it exports is refused: instances are made in order.
std::optional<IndexSpaces::Found> IndexSpaces::FindLater(size_t later, const Import& import) {
  if (later >= parts_.size() || import.kind != ExternKind::kMemory) return std::nullopt;
  const Module& module = *parts_[later].module;
  for (const Export& item : module.exports) {
    if (item.name != import.name || item.kind != ExternKind::kMemory) continue;
    if (module.memories[item.index].imported) return std::nullopt;
    return Found{ExternKind::kMemory, AddMemory(later, item.index)};
  }
  return std::nullopt;
}

// A memory that the part defines; one that an earlier part imports is there already.
uint32_t IndexSpaces::AddMemory(size_t part, uint32_t index) {
  const auto [at, fresh] = early_memories_.try_emplace({part, index});
  if (fresh) at->second = Append(whole_.memories, parts_[part].module->memories[index]);
  memory_grows_.resize(whole_.memories.size());
  return at->second;
}

// Each importing part has its own, since it means the part's memory.
uint32_t IndexSpaces::AddPrimitive(const PrimitiveFacts& facts, const FunctionType& of_type) {
  const uint32_t type = Append(whole_.types, of_type);
  whole_.bodies.push_back(PrimitiveBody(facts, Body::kNoMemory));
  primitives_.push_back({Append(whole_.functions, {type, false}), placed_.size()});
  return primitives_.back().function;
}

// When all memories have their indices.
void IndexSpaces::GivePrimitivesMemory() {
  for (const PlacedPrimitive& placed : primitives_) {
    Body& body = whole_.bodies[placed.function];
    const std::vector<uint32_t>& memories = placed_[placed.part].maps.memories;
    if (memories.empty() || !FactsOf(body.primitive).uses_memory) continue;
    body.primitive_memory = memories.front();
  }
}

RefusedImports::Provider IndexSpaces::ProviderOf(const LinkPart& part, const Import& import) const {
  const auto from = part.imports_from.find(import.module);
  if (from != part.imports_from.end() && from->second < placed_.size()) {
    if (parts_[from->second].is_bound) return RefusedImports::Provider::kNone;
    return RefusedImports::Provider::kLacksIt;
  }
  if (from != part.imports_from.end()) return RefusedImports::Provider::kIsLater;
  const auto named = [&import](const LinkPart& other) { return other.name == import.module; };
  const bool later = std::any_of(parts_.begin(), parts_.end(), named);
  return later ? RefusedImports::Provider::kIsLater : RefusedImports::Provider::kNone;
}

uint32_t IndexSpaces::AddHostFunction(const FunctionType& type) {
  const uint32_t type_index = Append(whole_.types, type);
  Body body;
  for (ValueType result : type.results) {
    body.instructions.push_back(ConstantOperator(result, 0));
  }
  whole_.bodies.push_back(std::move(body));
  return Append(whole_.functions, {type_index, false});
}

uint32_t IndexSpaces::AddHost(const Import& import, const Imports::Item& item) {
  const auto [at, fresh] = host_items_.try_emplace({import.module, import.name});
  if (!fresh) return at->second;
  if (const auto* function = std::get_if<Imports::Function>(&item)) {
    at->second = AddHostFunction(function->type);
  } else if (const auto* global = std::get_if<Imports::Global>(&item)) {
    const ConstExpr init{ConstantOperator(global->type, global->bits)};
    at->second = Append(whole_.globals, {global->type, global->is_mutable, false, init});
  } else if (const auto* table = std::get_if<Imports::Table>(&item)) {
    at->second = Append(whole_.tables, {table->type, table->limits, false});
    table_grows_.resize(whole_.tables.size());
  } else {
    at->second =
        Append(whole_.memories, {std::get<Imports::Memory>(item).limits, /*imported=*/false});
    memory_grows_.resize(whole_.memories.size());
  }
  return at->second;
}

bool IndexSpaces::Fits(const Module& module, const Import& import, uint32_t index, PlacedPart& to) {
  switch (import.kind) {
    case ExternKind::kFunction: return whole_.type_of(index) == module.type_of(import.index);
    case ExternKind::kGlobal: {
      const Global& wanted = module.globals[import.index];
      const Global& given = whole_.globals[index];
      return given.type == wanted.type && given.is_mutable == wanted.is_mutable;
    }
    case ExternKind::kTable:
      return whole_.tables[index].type == module.tables[import.index].type &&
             FitsSize(import, index, module.tables[import.index].limits, to);
    case ExternKind::kMemory:
      return FitsSize(import, index, module.memories[import.index].limits, to);
    default: return false;
  }
}

bool IndexSpaces::FitsSize(const Import& import, uint32_t index, const Limits32& wanted,
                           PlacedPart& to) {
  const bool memory = import.kind == ExternKind::kMemory;
  const Limits32& given = memory ? whole_.memories[index].limits : whole_.tables[index].limits;
  if (LimitsFit(given, wanted)) return true;
  const bool grows = memory ? memory_grows_[index] : table_grows_[index];
  if (!grows || !LimitsFit({wanted.min, given.max}, wanted)) return false;
  if (given.max && *given.max < wanted.min) return false;
  to.checks.push_back({import.kind, index, wanted.min});
  return true;
}

void IndexSpaces::AddOwn(const Module& module, PlacedPart& to) {
  IndexMaps& maps = to.maps;
  maps.types = static_cast<uint32_t>(whole_.types.size());
  maps.vectors = static_cast<uint32_t>(whole_.vectors.size());
  maps.elements = elements_;
  maps.data = data_;
  elements_ += static_cast<uint32_t>(module.elements.size());
  data_ += static_cast<uint32_t>(module.data.size());
  whole_.types.insert(whole_.types.end(), module.types.begin(), module.types.end());
  whole_.vectors.insert(whole_.vectors.end(), module.vectors.begin(), module.vectors.end());
  for (const Function& function : module.functions) {
    if (function.imported) continue;
    maps.functions.push_back(Append(whole_.functions, {function.type + maps.types, false}));
  }
  whole_.bodies.resize(whole_.functions.size());
  for (const Table& table : module.tables) {
    if (!table.imported) maps.tables.push_back(Append(whole_.tables, table));
  }
  for (uint32_t i = 0; i < module.memories.size(); ++i) {
    if (!module.memories[i].imported) maps.memories.push_back(AddMemory(placed_.size(), i));
  }
  for (const Global& global : module.globals) {
    if (!global.imported) maps.globals.push_back(Append(whole_.globals, global));
  }
  table_grows_.resize(whole_.tables.size());
}

void IndexSpaces::NoteGrowth(const Module& module, const PlacedPart& placed) {
  for (const Body& body : module.bodies) {
    for (const Instruction& instruction : body.instructions) {
      if (instruction.opcode == Opcode::kMemoryGrow) {
        NoteGrown(placed.maps.memories[instruction.imm], memory_grows_);
      } else if (instruction.opcode == Opcode::kTableGrow) {
        NoteGrown(placed.maps.tables[instruction.imm], table_grows_);
      }
    }
  }
}

// The first memory is the cheapest, and the one that steps write and read.
void IndexSpaces::PutLastMemoryFirst() {
  if (placed_.back().maps.memories.empty()) return;
  const uint32_t first = placed_.back().maps.memories.front();
  const auto swapped = [first](uint32_t memory) {
    return memory == first ? 0 : memory == 0 ? first : memory;
  };
  std::swap(whole_.memories[0], whole_.memories[first]);
  for (PlacedPart& placed : placed_) {
    for (uint32_t& memory : placed.maps.memories) memory = swapped(memory);
    for (SizeCheck& check : placed.checks) {
      if (check.kind == ExternKind::kMemory) check.index = swapped(check.index);
    }
  }
}

}  // namespace wb
