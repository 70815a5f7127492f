#include "compiler/imports/refused_imports.h"

#include "compiler/imports/primitive.h"
#include "compiler/wasm/extern_type.h"

namespace wb {
namespace {

// The most that an error holds, since it travels in the header of an answer.
constexpr size_t kMostListed = 12;
constexpr size_t kMostModules = 5;
constexpr size_t kLongestName = 100;

std::string Cut(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  size_t end = kLongestName;
  while (end > 0 && (static_cast<uint8_t>(name[end]) & 0xc0) == 0x80) --end;  // within a character
  return name.substr(0, end) + "...";
}

std::string FullName(const Import& import) { return Cut(import.module) + "." + Cut(import.name); }

std::string OfPart(const std::string& part) {
  return part.empty() ? "" : " of [" + Cut(part) + "]";
}

bool IsWasi(const std::string& module) {
  return module == "wasi_unstable" || module == "wasi_snapshot_preview1";
}

void AddModule(const std::string& name, std::set<std::string>* modules) {
  if (modules->size() < kMostModules) modules->insert(Cut(name));
}

std::string Listed(const std::set<std::string>& names, const std::string& before,
                   const std::string& after) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + before + name + after;
  return text;
}

}  // namespace

void RefusedImports::NoteFirst(const std::string& part, const Import& import) {
  if (!first_.empty()) return;
  first_ = FullName(import);
  first_part_ = part;
}

void RefusedImports::AddUnknown(const std::string& part, const Module& module, const Import& import,
                                Provider provider) {
  NoteFirst(part, import);
  if (IsWasi(import.module) && provider == Provider::kNone) {
    wasi_ = true;
  } else if (import.module == kPrimitiveModule && provider == Provider::kNone) {
    primitives_ = true;
  } else if (import.module == kGpuStdModule && provider == Provider::kNone) {
    gpu_std_ = true;
  } else {
    AddModule(import.module, provider == Provider::kNone      ? &wanted_
                             : provider == Provider::kLacksIt ? &lacking_
                                                              : &later_);
  }
  if (unknowns_++ >= kMostListed) return;
  unknown_ += (unknowns_ == 1 ? "[" : ", [") + FullName(import) + "]" + OfPart(part) + " (a " +
              std::string(ExternKindName(import.kind)) + ", " +
              Cut(ExternTypeText(module, import.kind, import.index)) + ")";
}

void RefusedImports::AddOtherType(const std::string& part, const Module& module,
                                  const Import& import, ExternKind given_kind,
                                  const std::string& given) {
  NoteFirst(part, import);
  if (others_++ >= kMostListed) return;
  std::string wants = Cut(ExternTypeText(module, import.kind, import.index));
  std::string gives = Cut(given);
  if (given_kind != import.kind) {
    wants = "a " + std::string(ExternKindName(import.kind)) + ", " + wants;
    gives = "a " + std::string(ExternKindName(given_kind)) + ", " + gives;
  }
  other_types_ += (others_ == 1 ? "Import [" : " Import [") + FullName(import) + "]" +
                  OfPart(part) + " is wanted as " + wants + ", but [" + Cut(import.module) +
                  "] exports it as " + gives + " (incompatible import type).";
}

std::string RefusedImports::UnknownText() const {
  if (unknowns_ == 0) return "";
  std::string text = (unknowns_ == 1 ? "Import " : "Imports ") + unknown_;
  if (unknowns_ > kMostListed) text += " and " + std::to_string(unknowns_ - kMostListed) + " more";
  return text + (unknowns_ == 1 ? " is" : " are") + " not provided (unknown import)." + WaysOut();
}

std::string RefusedImports::WaysOut() const {
  std::string text;
  if (wasi_)
    text += " This is a WASI program; the system layer, which serves it, is linked to jobs.";
  if (primitives_) {
    text += " The module [" + std::string(kPrimitiveModule) + "] is the engine's own. It has " +
            PrimitiveNames() + ".";
  }
  if (gpu_std_) {
    text += " The module [" + std::string(kGpuStdModule) +
            "] is the engine's own; compiler/docs/collectives.md lists its functions.";
  }
  if (!wanted_.empty()) {
    text += " Give what exports them: " + Listed(wanted_, "--module ", "=FILE") + ".";
    text += " Or bind functions and globals: " + Listed(wanted_, "--bind ", ".NAME=trap") +
            " (or ignore, record, host, constant:TYPE:VALUE, lookup:FILE.csv).";
  }
  if (!lacking_.empty()) {
    text += " Given, but without these exports: " + Listed(lacking_, "[", "]") + ".";
  }
  if (!later_.empty()) {
    text += " A module imports from those before it only; give these earlier: " +
            Listed(later_, "[", "]") + ".";
  }
  return text;
}

Status RefusedImports::ToStatus() const {
  if (first_.empty()) return {};
  std::string text = UnknownText();
  if (others_ > 0) text += (text.empty() ? "" : " ") + other_types_;
  if (others_ > kMostListed) {
    text += " And " + std::to_string(others_ - kMostListed) + " more are of another type.";
  }
  std::vector<Detail> details = {{"import", first_}};
  if (!first_part_.empty()) details.push_back({"module", first_part_});
  return Status(Reason::kImportNotProvided, std::move(text), std::move(details));
}

}  // namespace wb
