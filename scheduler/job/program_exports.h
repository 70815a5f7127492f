#pragma once

// What a lane program may name of a module: its exports, those of linked modules by instance. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/wasm/module.h"

namespace wb {

// Index into Module::instances, 0 where there is one module only; "" is the last one. nullopt: no
// module has that name.
std::optional<uint32_t> InstanceNamed(const Module& module, const std::string& name);
std::string InstanceNames(const Module& module);  // "env, middle"

// Functions as "run (i32) -> (f64), step () -> ()", globals as "heap (i32), scale (f64)": the first
// twenty, and how many more there are; "no global". `kind` is one of the two.
std::string ListExports(const Module& module, ExternKind kind, uint32_t instance);

// The globals that a module exports and where they lie in a lane. The module must outlive it.
class ExportedGlobals {
 public:
  struct Place {
    ValueType type = ValueType::kI32;
    uint32_t word = 0;  // counted from LaneLayout::globals_at
  };

  explicit ExportedGlobals(const Module& module) : module_(module) {}

  // Null: `instance` exports no global of that name. Valid as long as this object.
  const Place* Find(uint32_t instance, std::string_view name);

 private:
  void MakeIndex();

  const Module& module_;
  bool indexed_ = false;  // at the first look: most programs name no global
  std::map<std::pair<uint32_t, std::string_view>, Place> places_;
};

}  // namespace wb
