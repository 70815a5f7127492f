#pragma once

// A module as a command is given it: a file, or the name of one that was uploaded.

#include <string>

#include "client/cli/invocation/invocation.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/modules.pb.h"

namespace CLI {
class App;
}

namespace wb::cli {

// A module's bytes from a file (wasm, or text that is assembled; "-": standard input).
Result<std::string> ReadModuleFile(const std::string& path);

// A module that a command was given.
struct ModuleFile {
  std::string path;        // or a module's name
  std::string source_map;  // a file; empty: none
};
// The flags that fill it. `forms`: what may stand for FILE, for --help.
void AddModuleFileOptions(CLI::App* command, const std::string& forms, ModuleFile* file);
// The source map is part of the module then.
Result<std::string> ReadModuleFile(const ModuleFile& file);
// Its imports and exports, on standard output.
void ShowModule(const Invocation& invocation, const wasmburst::v1::Module& module);

// Whether a text is a module's name ("modules/sha256:..." or "sha256:...") and no file's.
bool NamesModule(const std::string& text);
// "sha256:..." and 64 digits as "modules/sha256:..."; other texts as they are. For
// CLI::Option::transform.
std::string FullModuleName(const std::string& name);
// A module's name as it is, else the file, uploaded.
Result<wasmburst::v1::Module> ModuleFrom(Invocation& invocation, const ModuleFile& file);
Result<wasmburst::v1::Module> ModuleFrom(Invocation& invocation, const std::string& file_or_name);
// Its bytes, uploaded; how far that is shows on standard error.
Result<wasmburst::v1::Module> UploadModule(Invocation& invocation, const std::string& wasm);

}  // namespace wb::cli
