#include "client/cli/presets/preset.h"

#include <algorithm>
#include <iterator>

namespace wb::cli {
namespace {

constexpr PresetInfo kPresets[] = {
#define WB_PRESET(id, name, form, output, meaning) \
  {Preset::k##id, name, PresetForm::form, output, meaning},
#include "client/cli/presets/preset.def"
#undef WB_PRESET
};

constexpr size_t kNameWidth = 18;

}  // namespace

const PresetInfo& InfoOf(Preset preset) { return kPresets[static_cast<size_t>(preset)]; }

wasmburst::v1::TextEncoding EncodingOf(PresetForm form) {
  switch (form) {
    case PresetForm::kBytes: return wasmburst::v1::NO_TEXT;
    case PresetForm::kText: return wasmburst::v1::UTF_8;
    case PresetForm::kUtf16: return wasmburst::v1::UTF_16;
  }
  return wasmburst::v1::NO_TEXT;
}

std::optional<Preset> PresetNamed(std::string_view name) {
  const auto* at = std::find_if(std::begin(kPresets), std::end(kPresets),
                                [name](const PresetInfo& info) { return info.name == name; });
  if (at == std::end(kPresets)) return std::nullopt;
  return at->preset;
}

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const PresetInfo& info : kPresets) names.emplace_back(info.name);
  return names;
}

std::string PresetForms() {
  std::string text;
  for (const PresetInfo& info : kPresets) {
    std::string name = info.name;
    name.resize(kNameWidth, ' ');
    text += (text.empty() ? "" : "\n") + name + info.meaning;
  }
  return text;
}

}  // namespace wb::cli
