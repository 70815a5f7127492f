#pragma once

// What a module is and how to run it: for `module inspect`. Pure.

#include <optional>
#include <string>
#include <vector>

#include "client/cli/presets/preset.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// "a WASI command", "a WASI reactor", "a library", "no functions to call".
std::string ModuleKind(const wasmburst::v1::Module& module);

// How an import is given, in words.
std::string ImportGivenBy(const wasmburst::v1::ModuleImport& import);

// The preset that the types of a function and the module's other exports speak for; nullopt: plain
// values. AssemblyScript's types do not tell texts, arrays and numbers apart: as-string stands for
// all of them.
std::optional<Preset> FittingPreset(const wasmburst::v1::Module& module,
                                    const wasmburst::v1::ModuleExport& function);

struct GuideLine {
  std::string function;  // empty: the program itself
  std::optional<Preset> preset;
  std::string command;  // for a shell, with values to be replaced
};

// `file` as the user named the module. Nothing for functions that only serve others.
std::vector<GuideLine> RunCommands(const wasmburst::v1::Module& module, const std::string& file);

// Kind, memory, imports, exports and commands, in lines. Without a last line end.
std::string ModuleGuide(const wasmburst::v1::Module& module, const std::string& file);

}  // namespace wb::cli
