#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/encoding/source_map_section.h"
#include "client/cli/output/progress.h"
#include "client/cli/program/files.h"
#include "client/cli/program/module_text.h"
#include "client/cli/program/wat.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kModuleNames = "modules/sha256:..., or the digest behind it";

Result<v1::Module> PushShown(Session& session, const std::string& wasm) {
  Progress progress(session.flags().quiet);
  return session.client().PushModule(
      wasm, false, [&progress](uint64_t sent, uint64_t of) { progress.ShowUpload(sent, of); });
}

Result<int> Push(Session& session, const ModuleFile& file) {
  WB_ASSIGN(std::string wasm, ReadModuleFile(file));
  WB_ASSIGN(v1::Module module, PushShown(session, wasm));
  if (session.json()) {
    session.PrintMessage(module);
  } else {
    Session::PrintLine(module.name());
    session.Talk(ModuleText(module));
  }
  return 0;
}

Result<int> ListModules(Session& session) {
  std::vector<std::vector<std::string>> rows = {{"NAME", "SIZE", "EXPORTS"}};
  v1::ListModulesRequest request;
  v1::ListModulesResponse all;
  do {
    WB_ASSIGN(v1::ListModulesResponse page, session.client().ListModules(request));
    for (const v1::Module& module : page.modules()) {
      rows.push_back(
          {module.name(), SizeText(module.size_bytes()), std::to_string(module.exports_size())});
      if (session.format() == Format::kJsonl) session.PrintMessage(module);
    }
    request.set_page_token(page.next_page_token());
    all.MergeFrom(page);
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  if (session.format() == Format::kTable) Session::Print(Table(rows));
  if (session.format() == Format::kJson) session.PrintMessage(all);
  return 0;
}

}  // namespace

void ShowModule(const Session& session, const v1::Module& module) {
  if (session.json()) {
    session.PrintMessage(module);
  } else {
    Session::PrintLine(module.name() + "\n" + ModuleText(module));
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

Result<v1::Module> ModuleFrom(Session& session, const std::string& file_or_name) {
  return ModuleFrom(session, ModuleFile{file_or_name, ""});
}

Result<v1::Module> ModuleFrom(Session& session, const ModuleFile& file) {
  if (NamesModule(file.path)) {
    if (file.source_map.empty()) return session.client().GetModule(FullModuleName(file.path));
    return Status(Reason::kInvalidArgument,
                  "--source-map [" + file.source_map + "] goes with a file; [" + file.path +
                      "] was uploaded before. Give the file, or push it with --source-map.");
  }
  WB_ASSIGN(std::string wasm, ReadModuleFile(file));
  return PushShown(session, wasm);
}

void AddModuleFileOptions(CLI::App* command, const std::string& forms, ModuleFile* file) {
  command->add_option("file", file->path, forms)->type_name("FILE")->required();
  command
      ->add_option("--source-map", file->source_map,
                   "the source map that the compiler wrote beside the module (AssemblyScript, "
                   "Emscripten): traps then have lines. It becomes part of the module")
      ->type_name("FILE");
}

void AddModuleCommands(CLI::App* app, Command* chosen) {
  auto* noun = app->add_subcommand("module", "Modules: WebAssembly binaries that were uploaded.");
  noun->require_subcommand(1);
  auto text = std::make_shared<std::string>();
  auto* push = noun->add_subcommand("push",
                                    "Upload a module; prints its name, and on standard error what "
                                    "it imports and exports.\n"
                                    "Example: wasmburstctl module push mandelbrot.wasm");
  auto file = std::make_shared<ModuleFile>();
  AddModuleFileOptions(push, "FILE.wasm, FILE.wat or -", file.get());
  push->callback(
      [chosen, file] { *chosen = [file](Session& session) { return Push(session, *file); }; });
  auto* list = noun->add_subcommand("list",
                                    "List the modules.\n"
                                    "Example: wasmburstctl module list -o jsonl");
  list->callback([chosen] { *chosen = ListModules; });
  auto* get = noun->add_subcommand("get",
                                   "Show an uploaded module's imports and exports, with types; "
                                   "inspect shows those of a file.\n"
                                   "Example: wasmburstctl module get modules/sha256:... -o json");
  get->add_option("name", *text, kModuleNames)->transform(FullModuleName)->required();
  get->callback([chosen, text] {
    *chosen = [text](Session& session) -> Result<int> {
      WB_ASSIGN(v1::Module module, session.client().GetModule(*text));
      ShowModule(session, module);
      return 0;
    };
  });
  auto* remove = noun->add_subcommand("rm",
                                      "Delete a module; jobs that use it keep it.\n"
                                      "Example: wasmburstctl module rm modules/sha256:...");
  remove->add_option("name", *text, kModuleNames)->transform(FullModuleName)->required();
  remove->callback([chosen, text] {
    *chosen = [text](Session& session) -> Result<int> {
      WB_TRY(session.client().DeleteModule(*text));
      return 0;
    };
  });
  AddModuleTextCommands(noun, chosen);
}

}  // namespace wb::cli
