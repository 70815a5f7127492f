#pragma once

// The binary of a module that stands for imports (bindings.h). Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/link/binding.h"

namespace wb {

struct BoundFunction {
  std::string name;  // of the export
  FunctionType type;
  Binding::Way way = Binding::Way::kTrap;
  std::vector<BoundValue> values;  // its results; empty: zero, of kLookup a trap
  LookupTable table;               // kLookup
  uint32_t record = 0;  // kRecord: the number of the import among those that are recorded
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

// A valid binary if the values have the types of the results. It imports all exports of the module
// that is passed on, and exports them again.
Bytes GeneratedModule(const std::vector<BoundFunction>& functions,
                      const std::vector<BoundGlobal>& globals, const PassedOn& passed = {});

}  // namespace wb
