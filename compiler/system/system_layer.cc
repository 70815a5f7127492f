#include "compiler/system/system_layer.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/system/embedded.h"
#include "compiler/system/kept_exports.h"

namespace wb {
namespace {

// The most that an error lists, since it travels in the header of an answer.
constexpr size_t kMostListed = 12;

constexpr std::string_view kPreview1 = "wasi_snapshot_preview1", kUnstable = "wasi_unstable";

constexpr std::array kFunctions = {
#define WB_WASI(name, result, params) std::string_view(#name),
#include "compiler/system/wasi.def"
#undef WB_WASI
};

// Of wasi_unstable, with what the layer exports it as.
struct Unstable {
  std::string_view name, of_layer;
};
constexpr std::array kChanged = {
#define WB_WASI(name, result, params) Unstable{#name, "unstable_" #name},
#include "compiler/system/wasi_unstable.def"
#undef WB_WASI
};

// The layer's own name of what is imported.
std::string_view OfLayer(const Import& import) {
  const auto at = std::find_if(kChanged.begin(), kChanged.end(), [&import](const Unstable& item) {
    return item.name == import.name;
  });
  if (import.module == kUnstable && at != kChanged.end()) return at->of_layer;
  return import.name;
}

bool IsSystem(const Import& import) {
  return import.module == kPreview1 || import.module == kUnstable;
}

bool IsProvided(const Import& import) {
  return import.kind == ExternKind::kFunction &&
         std::find(kFunctions.begin(), kFunctions.end(), import.name) != kFunctions.end();
}

std::shared_ptr<const Module> Decoded(ByteView binary) {
  auto module = Module::Decode(binary);
  WB_CHECK(module.ok());
  return std::move(module).value();
}

// The system layer's module with what the guest calls, and what ends it.
std::shared_ptr<const Module> SystemFor(const Module& guest) {
  static const std::shared_ptr<const Module> whole = Decoded(SystemBinary());
  KeptNames called = {{kFinishExport, kFinishExport}};
  for (const Import& import : guest.imports) {
    if (IsSystem(import)) called.emplace(OfLayer(import), import.name);
  }
  return Decoded(WithExportsOnly(*whole, called));
}

Status CheckFunctions(const Module& guest) {
  std::string listed, first;
  size_t unknown = 0;
  for (const Import& import : guest.imports) {
    if (!IsSystem(import) || IsProvided(import)) continue;
    const std::string name = import.module + "." + import.name;
    if (unknown == 0) first = name;
    if (unknown++ < kMostListed) listed += (unknown == 1 ? "[" : ", [") + name + "]";
  }
  if (unknown == 0) return {};
  if (unknown > kMostListed) listed += " and " + std::to_string(unknown - kMostListed) + " more";
  return Status(
      Reason::kImportNotProvided,
      (unknown == 1 ? "Import " : "Imports ") + listed + (unknown == 1 ? " is" : " are") +
          " not among the functions of WASI that are served: those of "
          "wasi_snapshot_preview1. Rebuild the program for it (clang --target=wasm32-wasi).",
      {{"import", first}});
}

// One function of a name is linked to a program, so it cannot have both of those that differ.
Status CheckVersions(const Module& guest) {
  std::map<std::string_view, std::string_view> chosen;
  for (const Import& import : guest.imports) {
    if (!IsSystem(import)) continue;
    const auto [at, fresh] = chosen.emplace(import.name, OfLayer(import));
    if (fresh || at->second == OfLayer(import)) continue;
    return Status(
        Reason::kImportNotProvided,
        "The program imports [" + import.name +
            "] of both wasi_snapshot_preview1 and wasi_unstable, which differ. Rebuild it "
            "for wasi_snapshot_preview1 (clang --target=wasm32-wasi).",
        {{"import", import.module + "." + import.name}});
  }
  return {};
}

Status CheckMemory(const Module& guest) {
  const Export* memory = guest.FindExport("memory", ExternKind::kMemory);
  if (memory != nullptr && !guest.memories[memory->index].imported) return {};
  if (!ImportsSystem(guest)) {
    return Status(Reason::kInvalidArgument,
                  "The module is to run as a program, whose inputs go through the memory that it "
                  "exports as [memory], but it defines and exports none of that name. Call its "
                  "functions instead (wasmburstctl job run FILE --call EXPORT).");
  }
  return Status(Reason::kImportNotProvided,
                "The program imports functions of WASI, which read and write the memory that it "
                "exports as [memory], but it defines and exports none of that name. Export it "
                "(wasm-ld does so without --import-memory).");
}

Status CheckOthers(const std::vector<LinkPart>& parts) {
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (!ImportsSystem(*parts[i].module)) continue;
    return Status(
        Reason::kImportNotProvided,
        "Module [" + parts[i].name +
            "] imports functions of WASI, which serve the memory of the last module only. "
            "Give it as the program itself, or rebuild it without WASI.",
        {{"module", parts[i].name}});
  }
  return {};
}

}  // namespace

bool ImportsSystem(const Module& module) {
  return std::any_of(module.imports.begin(), module.imports.end(), IsSystem);
}

Result<std::vector<LinkPart>> WithSystemLayer(std::vector<LinkPart> parts) {
  if (parts.empty()) return Status(Reason::kInvalidArgument, "There is no program.");
  const Module& guest = *parts.back().module;
  WB_TRY(CheckFunctions(guest));
  WB_TRY(CheckVersions(guest));
  WB_TRY(CheckMemory(guest));
  WB_TRY(CheckOthers(parts));
  const uint32_t last = kSystemParts + static_cast<uint32_t>(parts.size()) - 1;
  static const std::shared_ptr<const Module> bridge = Decoded(BridgeBinary());
  std::vector<LinkPart> whole = {{"bridge", bridge, {{"guest", last}, {"system", kSystemPart}}},
                                 {"system", SystemFor(guest), {{"bridge", kBridgePart}}}};
  for (LinkPart& part : parts) {
    for (auto& [name, from] : part.imports_from) from += kSystemParts;
    whole.push_back(std::move(part));
  }
  for (const std::string_view name : {kPreview1, kUnstable}) {
    whole.back().imports_from[std::string(name)] = kSystemPart;
  }
  return whole;
}

Result<std::shared_ptr<const Module>> WholeProgram(std::shared_ptr<const Module> module) {
  if (!ImportsSystem(*module)) return module;
  WB_ASSIGN(const std::vector<LinkPart> parts, WithSystemLayer({{"", std::move(module), {}}}));
  return Link(parts, {}, Instantiation::kAtStart);
}

}  // namespace wb
