#pragma once

// Arguments of a call by a preset: numbers, and bytes as the preset keeps them in memory. Pure, but
// for the files that arguments name.

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/presets/preset.h"
#include "client/cli/program/program.h"
#include "compiler/base/status.h"

namespace wb::cli {

struct PresetOptions {
  Preset preset = Preset::kBytes;
  bool plain_result = false;  // the call's result is a number, and no pointer
  ProgramOptions program;     // `call`, `args`, `reads`, `instances`, `files`, `alloc`, `write_at`
};

struct PresetArgument {
  ArgSpec spec;      // as it was written
  ArgSpec kept;      // bytes: as memory holds them; else `spec`
  std::string name;  // for people
  bool is_bytes() const { return spec.kind == ArgSpec::Kind::kBytes; }
};

// The file of --each-file, then those of --arg. INVALID_ARGUMENT with the argument and the
// instance; IO_ERROR.
Result<std::vector<PresetArgument>> ReadPresetArguments(const PresetOptions& options);

// So many as the longest argument has values, or 1; unless options say it. INVALID_ARGUMENT.
Result<uint64_t> InstancesOf(const PresetOptions& options,
                             const std::vector<PresetArgument>& arguments);

}  // namespace wb::cli
