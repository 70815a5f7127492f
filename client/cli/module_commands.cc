#include <CLI/CLI.hpp>

#include "client/cli/commands.h"
#include "client/cli/files.h"
#include "client/cli/literal.h"
#include "client/cli/wat.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr std::string_view kModulePrefix = "modules/";

std::string TypesText(const google::protobuf::RepeatedField<int>& types) {
  std::string text;
  for (int type : types) {
    text += (text.empty() ? "" : ", ") + TypeText(static_cast<v1::ValueType>(type));
  }
  return "(" + text + ")";
}

void ShowModule(Session& session, const v1::Module& module) {
  if (session.json()) {
    session.PrintMessage(module);
    return;
  }
  Session::PrintLine(module.name());
  for (const v1::ModuleExport& exported : module.exports()) {
    std::string line = "  " + exported.kind() + " " + exported.name();
    if (exported.kind() == "function") {
      line += " " + TypesText(exported.params()) + " -> " + TypesText(exported.results());
    }
    session.Talk(line);
  }
}

Result<int> Push(Session& session, const std::string& file) {
  WB_ASSIGN(std::string wasm, ReadModuleFile(file));
  WB_ASSIGN(v1::Module module, session.client().PushModule(wasm));
  ShowModule(session, module);
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

struct CompileOptions {
  std::string file;
  std::string emit = "msl";
  std::string layout = "contiguous";
  bool check = false;
};

Result<int> Compile(Session& session, const CompileOptions& options) {
  v1::CompileModuleRequest request;
  if (options.file.starts_with(kModulePrefix)) {
    request.set_name(options.file);
  } else {
    WB_ASSIGN(*request.mutable_wasm(), ReadModuleFile(options.file));
  }
  request.set_emit(options.emit == "ir" ? v1::CompileModuleRequest::IR
                                        : v1::CompileModuleRequest::MSL);
  request.set_layout(options.layout == "interleaved" ? v1::CompileModuleRequest::INTERLEAVED
                                                     : v1::CompileModuleRequest::CONTIGUOUS);
  request.set_check(options.check);
  WB_ASSIGN(v1::CompileModuleResponse response, session.client().CompileModule(request));
  if (session.json()) {
    session.PrintMessage(response);
  } else {
    Session::Print(response.text());
  }
  for (const std::string& finding : response.findings()) session.Talk(finding);
  if (response.checked()) {
    session.Talk(response.findings_size() == 0 ? "The text is within the subset."
                                               : "The text is outside the subset.");
  }
  return response.findings_size() == 0 ? 0 : kJobFailed;
}

void AddCompile(CLI::App* noun, Command* chosen) {
  auto options = std::make_shared<CompileOptions>();
  auto* compile = noun->add_subcommand(
      "compile",
      "Print what the compiler makes of a module.\n"
      "Example: wasmburstctl module compile --emit msl --check mandelbrot.wasm");
  compile->add_option("file", options->file, "FILE.wasm, FILE.wat, - or modules/sha256:...")
      ->required();
  compile->add_option("--emit", options->emit, "msl: the kernel text; ir: the compiler's own form")
      ->check(CLI::IsMember({"msl", "ir"}));
  compile->add_option("--layout", options->layout, "memory of 32 lanes: contiguous or interleaved")
      ->check(CLI::IsMember({"contiguous", "interleaved"}));
  compile->add_flag("--check", options->check, "pass the kernel text through the subset checker");
  compile->callback([chosen, options] {
    *chosen = [options](Session& session) { return Compile(session, *options); };
  });
}

}  // namespace

Result<std::string> ReadModuleFile(const std::string& path) {
  WB_ASSIGN(std::string bytes, ReadFile(path));
  bool binary = bytes.starts_with(std::string_view("\0asm", 4)) || !path.ends_with(".wat");
  if (binary) return bytes;
  return AssembleWat(bytes, path);
}

Result<v1::Module> ModuleFrom(Session& session, const std::string& file_or_name) {
  if (file_or_name.starts_with(kModulePrefix)) return session.client().GetModule(file_or_name);
  WB_ASSIGN(std::string wasm, ReadModuleFile(file_or_name));
  return session.client().PushModule(wasm);
}

void AddModuleCommands(CLI::App* app, Command* chosen) {
  auto* noun = app->add_subcommand("module", "Modules: WebAssembly binaries that were uploaded.");
  noun->require_subcommand(1);
  auto text = std::make_shared<std::string>();
  auto* push = noun->add_subcommand("push",
                                    "Upload a module; prints its name.\n"
                                    "Example: wasmburstctl module push mandelbrot.wasm");
  push->add_option("file", *text, "FILE.wasm, FILE.wat or -")->required();
  push->callback(
      [chosen, text] { *chosen = [text](Session& session) { return Push(session, *text); }; });
  auto* list = noun->add_subcommand("list",
                                    "List the modules.\n"
                                    "Example: wasmburstctl module list -o jsonl");
  list->callback([chosen] { *chosen = ListModules; });
  auto* get = noun->add_subcommand("get",
                                   "Show a module's exports and imports.\n"
                                   "Example: wasmburstctl module get modules/sha256:... -o json");
  get->add_option("name", *text, "modules/sha256:...")->required();
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
  remove->add_option("name", *text, "modules/sha256:...")->required();
  remove->callback([chosen, text] {
    *chosen = [text](Session& session) -> Result<int> {
      WB_TRY(session.client().DeleteModule(*text));
      return 0;
    };
  });
  AddCompile(noun, chosen);
}

}  // namespace wb::cli
