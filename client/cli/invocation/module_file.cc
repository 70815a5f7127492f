#include "client/cli/invocation/module_file.h"

#include <CLI/CLI.hpp>

#include <string_view>
#include <utility>

#include "client/cli/encoding/source_map_section.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/files.h"
#include "client/cli/program/module_text.h"
#include "client/cli/program/wat.h"
#include "client/services/modules.h"

namespace wb::cli {

namespace v1 = wasmburst::v1;

Result<v1::Module> UploadModule(Invocation& invocation, const std::string& wasm) {
  Progress progress(invocation.flags().quiet);
  return PushModule(invocation.client(), wasm, false,
                    [&progress](uint64_t sent, uint64_t of) { progress.ShowUpload(sent, of); });
}

void ShowModule(const Invocation& invocation, const v1::Module& module) {
  if (invocation.json()) {
    invocation.PrintMessage(module);
  } else {
    PrintLine(module.name() + "\n" + ModuleText(module));
  }
}

std::string FullModuleName(const std::string& name) {
  constexpr size_t kDigits = 64;
  if (name.starts_with("sha256:")) return "modules/" + name;
  const bool digest =
      name.size() == kDigits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
  return digest ? "modules/sha256:" + name : name;
}

bool NamesModule(const std::string& text) {
  return text.starts_with("modules/") || text.starts_with("sha256:");
}

Result<std::string> ReadModuleFile(const std::string& path) {
  WB_ASSIGN(std::string bytes, ReadFile(path));
  bool binary = bytes.starts_with(std::string_view("\0asm", 4)) || !path.ends_with(".wat");
  if (binary) return bytes;
  return AssembleWat(bytes, path);
}

Result<std::string> ReadModuleFile(const ModuleFile& file) {
  WB_ASSIGN(std::string wasm, ReadModuleFile(file.path));
  if (file.source_map.empty()) return wasm;
  WB_ASSIGN(const std::string map, ReadFile(file.source_map));
  return WithSourceMap(std::move(wasm), map, file.source_map);
}

Result<v1::Module> ModuleFrom(Invocation& invocation, const std::string& file_or_name) {
  return ModuleFrom(invocation, ModuleFile{file_or_name, ""});
}

Result<v1::Module> ModuleFrom(Invocation& invocation, const ModuleFile& file) {
  if (NamesModule(file.path)) {
    if (file.source_map.empty()) return GetModule(invocation.client(), FullModuleName(file.path));
    return Status(Reason::kInvalidArgument,
                  "--source-map [" + file.source_map + "] goes with a file; [" + file.path +
                      "] was uploaded before. Give the file, or push it with --source-map.");
  }
  WB_ASSIGN(std::string wasm, ReadModuleFile(file));
  return UploadModule(invocation, wasm);
}

void AddModuleFileOptions(CLI::App* command, const std::string& forms, ModuleFile* file) {
  command->add_option("file", file->path, forms)->type_name("FILE")->required();
  command
      ->add_option("--source-map", file->source_map,
                   "the source map that the compiler wrote beside the module (AssemblyScript, "
                   "Emscripten): traps then have lines. It becomes part of the module")
      ->type_name("FILE");
}

}  // namespace wb::cli
