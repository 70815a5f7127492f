#include "client/cli/presets/preset_arguments.h"

#include <algorithm>
#include <utility>

#include "client/cli/encoding/text_encoding.h"

namespace wb::cli {
namespace {

Status BadText(const std::string& name, size_t instance, const std::string& words) {
  return Status(Reason::kInvalidArgument,
                "The text [" + name + "] of instance [" + std::to_string(instance) + "] " + words);
}

Result<std::string> Kept(PresetForm form, const std::string& text, const std::string& name,
                         size_t instance) {
  if (form == PresetForm::kBytes) return text;
  if (form == PresetForm::kUtf16) {
    std::optional<std::string> units = Utf16OfUtf8(text);
    if (units) return *std::move(units);
    return BadText(name, instance, "is not UTF-8; give UTF-8, which is passed on as UTF-16.");
  }
  if (text.find('\0') == std::string::npos) return text + '\0';
  return BadText(name, instance,
                 "holds a zero byte, where a C text ends; pass it by --call-as bytes.");
}

Result<PresetArgument> ArgumentOf(PresetForm form, ArgSpec spec, std::string name) {
  PresetArgument argument{spec, std::move(spec), std::move(name)};
  if (!argument.is_bytes()) return argument;
  for (size_t i = 0; i < argument.kept.texts.size(); ++i) {
    WB_ASSIGN(argument.kept.texts[i], Kept(form, argument.kept.texts[i], argument.name, i));
  }
  return argument;
}

}  // namespace

Result<std::vector<PresetArgument>> ReadPresetArguments(const PresetOptions& options) {
  const PresetForm form = InfoOf(options.preset).form;
  std::vector<PresetArgument> arguments;
  if (options.program.files) {
    const ArgSpec& files = *options.program.files;
    WB_ASSIGN(PresetArgument argument, ArgumentOf(form, files, files.name));
    arguments.push_back(std::move(argument));
  }
  for (size_t i = 0; i < options.program.args.size(); ++i) {
    WB_ASSIGN(ArgSpec spec, ParseArgSpec(options.program.args[i]));
    const std::string name = InputName(spec, i);
    WB_ASSIGN(PresetArgument argument, ArgumentOf(form, std::move(spec), name));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Result<uint64_t> InstancesOf(const PresetOptions& options,
                             const std::vector<PresetArgument>& arguments) {
  uint64_t longest = 1;
  for (const PresetArgument& argument : arguments) {
    WB_ASSIGN(const std::optional<uint64_t> length, LengthOf(argument.spec));
    if (length) longest = std::max(longest, *length);
  }
  return options.program.instances.value_or(longest);
}

}  // namespace wb::cli
