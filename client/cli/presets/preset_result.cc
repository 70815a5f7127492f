#include "client/cli/presets/preset_result.h"

#include <algorithm>

#include "client/cli/presets/step_writer.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// AssemblyScript's runtime: fields of a typed array.
constexpr int32_t kArrayData = 4;
constexpr int32_t kArrayBytes = 8;
constexpr int32_t kArrayLength = 12;  // of an Array<T>, in elements

bool ReturnsI32(const v1::ModuleExport& function, int count) {
  return function.results_size() == count &&
         std::all_of(function.results().begin(), function.results().end(),
                     [](int type) { return type == v1::I32; });
}

PresetResult Behind(v1::Operand area) {
  v1::Operand length = area;
  length.mutable_add()->set_i32(4);
  return {LoadOperand(area), LoadOperand(length)};
}

}  // namespace

std::optional<PresetResult> PresetResultOf(Preset preset, const v1::ModuleExport& function,
                                           uint32_t call,
                                           const std::optional<v1::Operand>& return_area) {
  if (return_area) return Behind(*return_area);
  const v1::Operand first = ResultOperandOf(call);
  const bool has_pair = preset == Preset::kBytes || preset == Preset::kWasmBindgen;
  if (has_pair && ReturnsI32(function, 2)) return PresetResult{first, ResultOperandOf(call, 1)};
  if (!ReturnsI32(function, 1)) return std::nullopt;
  switch (preset) {
    case Preset::kCString: return PresetResult{first, std::nullopt};
    case Preset::kAsString:
    case Preset::kAsBuffer:
      return PresetResult{first, LoadOperand(ResultOperandOf(call, 0, kObjectSize))};
    case Preset::kAsArray:
      return PresetResult{LoadOperand(ResultOperandOf(call, 0, kArrayData)),
                          LoadOperand(ResultOperandOf(call, 0, kArrayBytes))};
    case Preset::kAsDynamicArray:
      return PresetResult{LoadOperand(ResultOperandOf(call, 0, kArrayData)),
                          LoadOperand(ResultOperandOf(call, 0, kArrayLength))};
    default: return std::nullopt;
  }
}

}  // namespace wb::cli
