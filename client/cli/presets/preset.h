#pragma once

// The calling conventions that --call-as names (preset.def). Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

enum class Preset : uint8_t {
#define WB_PRESET(id, name, form, output, meaning) k##id,
#include "client/cli/presets/preset.def"
#undef WB_PRESET
};

// What the bytes of a preset's arguments and of its output are.
enum class PresetForm : uint8_t { kBytes, kText, kUtf16 };

struct PresetInfo {
  Preset preset;
  const char* name;
  PresetForm form;
  const char* output;  // the name of the output that its result is read into
  const char* meaning;
};

const PresetInfo& InfoOf(Preset preset);
wasmburst::v1::TextEncoding EncodingOf(PresetForm form);
std::optional<Preset> PresetNamed(std::string_view name);
std::vector<std::string> PresetNames();
// A line for each, for --help.
std::string PresetForms();

}  // namespace wb::cli
