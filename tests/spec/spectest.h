#pragma once

// What the specification's scripts import from the module `spectest`, and how exported globals are
// read: by functions that the runner adds to a module.

#include <memory>
#include <string>
#include <vector>

#include "compiler/imports/imports.h"

namespace wb::spec {

// Printing does nothing; a memory or a table is the importing module's own.
const Imports& Spectest();

// The export that reads the exported global of this name.
std::string GetterName(const std::string& global);

// The module with such an export for each of these globals; names that it does not export as
// globals are left out.
std::shared_ptr<const Module> WithGetters(std::shared_ptr<const Module> module,
                                          const std::vector<std::string>& globals);

}  // namespace wb::spec
