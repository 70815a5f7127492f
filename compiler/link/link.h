#pragma once

// Several modules that import from one another, made one: index spaces one behind the other, what
// is imported under the index of what is exported. The rest of the compiler sees a module like any
// other. Pure; linear in the size of the modules.
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
  // The name of a module in imports -> an earlier part. Others are looked for in the host's
  // imports.
  std::map<std::string, uint32_t> imports_from;
};

enum class Instantiation : uint8_t {
  kAtStart,  // all parts in order before the first step, by the start function
  kBySteps,  // by calling each part's export kInstantiateExport; nothing of a part may be used
             // before
};
inline constexpr std::string_view kInstantiateExport = "(instantiate)";

// How a part is instantiated, where the initial image does not hold its effects already: its active
// segments in order, then its start function; a trap leaves the effects of what came before. Costs
// fuel and stack for the start function alone, as where it is the only module.
//
// Items of the host are one each, whichever parts import them. The memory of the last part, if it
// has one, is memory 0 of the whole.
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
