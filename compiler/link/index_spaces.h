#pragma once

// The first half of Link. It resolves every import and refuses all that it cannot resolve in one
// error. It lays the index spaces of all parts out in those of the whole. Bodies, segments and
// exports come later (linker.cc), since the order of the memories is not known before.

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/imports/primitive.h"
#include "compiler/imports/refused_imports.h"
#include "compiler/link/index_maps.h"
#include "compiler/link/link.h"

namespace wb {

// An import that must be at least this large when the part is instantiated. Only then it is known.
struct SizeCheck {
  ExternKind kind = ExternKind::kMemory;
  uint32_t index = 0;  // of the whole
  uint32_t min = 0;    // pages or elements
};

struct PlacedPart {
  IndexMaps maps;
  std::vector<SizeCheck> checks;
  std::unordered_map<std::string_view, const Export*> exports;
};

class IndexSpaces {
 public:
  // Adds types, functions (their bodies still empty), tables, memories and globals to `whole`.
  IndexSpaces(const std::vector<LinkPart>& parts, const Imports& host, Module& whole);

  Status Place();  // all parts
  const PlacedPart& at(size_t part) const { return placed_[part]; }

 private:
  struct Found {
    ExternKind kind = ExternKind::kFunction;
    uint32_t index = 0;  // of the whole
  };
  using MemoryOfPart = std::pair<size_t, uint32_t>;  // a part, and the index in it
  struct PlacedPrimitive {
    uint32_t function = 0;  // of the whole
    size_t part = 0;        // that imports it
  };

  void PlacePart(const LinkPart& part);
  uint32_t Resolve(const LinkPart& part, const Import& import, PlacedPart& to);
  std::optional<Found> Find(const LinkPart& part, const Import& import);
  std::optional<Found> FindLater(size_t later, const Import& import);
  uint32_t AddMemory(size_t part, uint32_t index);
  RefusedImports::Provider ProviderOf(const LinkPart& part, const Import& import) const;
  uint32_t AddHost(const Import& import, const Imports::Item& item);
  uint32_t AddPrimitive(const PrimitiveFacts& facts, const FunctionType& of_type);
  void GivePrimitivesMemory();
  uint32_t AddHostFunction(const FunctionType& type);
  bool Fits(const Module& module, const Import& import, uint32_t index, PlacedPart& to);
  bool FitsSize(const Import& import, uint32_t index, const Limits32& wanted, PlacedPart& to);
  void AddOwn(const Module& module, PlacedPart& to);
  void NoteGrowth(const Module& module, const PlacedPart& placed);
  void PutLastMemoryFirst();

  const std::vector<LinkPart>& parts_;
  const Imports& host_;
  Module& whole_;
  std::vector<PlacedPart> placed_;
  std::map<std::pair<std::string, std::string>, uint32_t> host_items_;
  // Memories of parts that are not placed yet -> index of the whole.
  std::map<MemoryOfPart, uint32_t> early_memories_;
  std::vector<PlacedPrimitive> primitives_;
  RefusedImports refused_;
  uint32_t elements_ = 0, data_ = 0;  // segments of the parts so far
  // By index of the whole: code of a part that is placed already may grow it.
  std::vector<bool> memory_grows_, table_grows_;
};

}  // namespace wb
