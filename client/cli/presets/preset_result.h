#pragma once

// Where a preset finds what a call returned. Pure.

#include <cstdint>
#include <optional>

#include "client/cli/presets/preset.h"
#include "wasmburst/v1/modules.pb.h"
#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

constexpr int32_t kObjectSize = -4;  // from an object of AssemblyScript to how many bytes it has

struct PresetResult {
  wasmburst::v1::Operand pointer;
  // Bytes, of an Array<T> elements; nullopt: up to a zero byte.
  std::optional<wasmburst::v1::Operand> length;
};

// Of the call in step `call`, of `function`. `return_area`: where wasm-bindgen has it write pointer
// and length. nullopt: its results are values.
std::optional<PresetResult> PresetResultOf(
    Preset preset, const wasmburst::v1::ModuleExport& function, uint32_t call,
    const std::optional<wasmburst::v1::Operand>& return_area);

}  // namespace wb::cli
