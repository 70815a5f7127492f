#pragma once

// Makes one module of several that import from one another. Their index spaces lie one behind the
// other, and what is imported has the index of what is exported. The rest of the compiler sees a
// module like any other. Pure; linear in the size of the modules.
// Source: WebAssembly core specification 2.0, 4.5 (modules: external typing, instantiation).

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/imports/imports.h"
#include "compiler/wasm/module.h"

namespace wb {

struct LinkPart {
  std::string name;  // of the instance, for people
  std::shared_ptr<const Module> module;
  // The name of a module in imports -> an earlier part, or a later one, of which only a memory that
  // it defines can be imported. Others are looked for in the host's imports.
  std::map<std::string, uint32_t> imports_from;
  bool is_bound = false;  // made of bindings (bindings.h)
};

enum class Instantiation : uint8_t {
  kAtStart,  // all parts in order before the first step, by the start function
  kBySteps,  // by calling each part's export kInstantiateExport; nothing of a part may be used
             // before
};
inline constexpr std::string_view kInstantiateExport = "(instantiate)";

// A part is instantiated by its active segments in order, as far as the initial image does not hold
// their effects already, and then by its start function. A trap leaves the effects of what came
// before. Only the start function costs fuel and stack, as for a single module.
//
// A memory that an earlier part imports is there from the start, with what its own part's image
// holds.
//
// Parts that import the same item of the host share it. The memory of the last part, if it has one,
// is memory 0 of the whole.
//
// Errors: IMPORT_NOT_PROVIDED for all imports that are unknown or of an incompatible type
// (refused_imports.h); INVALID_ARGUMENT without parts. A table or memory that is smaller than
// wanted but may have grown by then is tested when its importer is instantiated.
Result<std::shared_ptr<const Module>> Link(const std::vector<LinkPart>& parts, const Imports& host,
                                           Instantiation instantiation);

// Every part may import from the earlier ones by their names.
std::vector<LinkPart> PartsByName(
    const std::vector<std::pair<std::string, std::shared_ptr<const Module>>>& modules);

}  // namespace wb
