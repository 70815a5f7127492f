#pragma once

// The binary of a module that stands for imports (bindings.h). Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/link/binding.h"

namespace wb {

struct BoundFunction {
  std::string name;  // of the export
  FunctionType type;
  Binding::Way way = Binding::Way::kTrap;
  std::vector<BoundValue> values;  // its results; empty: zero
  // kRecord, kHost: the number of the import among those that are recorded, or asked for.
  uint32_t number = 0;
};

struct BoundGlobal {
  std::string name;  // of the export
  bool is_mutable = false;
  BoundValue value;
};

// A module of the job under the name that is imported from: it gives a part of the imports.
struct PassedOn {
  std::string name;
  const Module* module = nullptr;  // null: none
};

// The name by which the made module imports memory of the module that calls it.
inline constexpr std::string_view kImporter = "(importer)";

// `memory`: the export of the importing module whose memory host calls mean; empty: they mean none.
// A valid binary if the values have the types of the results. It imports all exports of the module
// that is passed on, and exports them again.
Bytes GeneratedModule(const std::vector<BoundFunction>& functions,
                      const std::vector<BoundGlobal>& globals, const PassedOn& passed = {},
                      const std::string& memory = "");

}  // namespace wb
