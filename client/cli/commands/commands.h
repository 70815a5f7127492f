#pragma once

// The commands, by noun. Each adds its verbs to the app; parsing sets `chosen`.

#include <optional>
#include <string>
#include <vector>

#include "client/cli/output/session.h"
#include "client/cli/output/watch.h"

namespace CLI {
class App;
}

namespace wb::cli {

void AddModuleCommands(CLI::App* app, Command* chosen);
void AddModuleTextCommands(CLI::App* module, Command* chosen);  // inspect, compile, check
void AddHelpCommands(CLI::App* app, Command* chosen);           // version, completion
void AddDoctorCommand(CLI::App* app, Command* chosen);          // doctor
void AddDebugCommands(CLI::App* app, Command* chosen);          // debug
void AddRunCommand(CLI::App* app, Command* chosen);
void AddJobCommands(CLI::App* app, Command* chosen);        // list, get, watch, cancel, rm
void AddJobRunCommands(CLI::App* job, Command* chosen);     // run, submit, results
void AddJobProfileCommand(CLI::App* job, Command* chosen);  // profile
void AddJobServeCommand(CLI::App* job, Command* chosen);    // serve
void AddSessionCommands(CLI::App* app, Command* chosen);    // session open, call, read, write, ...
void AddDeviceCommands(CLI::App* app, Command* chosen);     // list, get, top
void AddDeviceBurstsCommand(CLI::App* device, Command* chosen);  // bursts
void AddDeviceGateCommands(CLI::App* device, Command* chosen);   // cordon, uncordon, drain
void AddAdminCommands(CLI::App* app, Command* chosen);           // server, cache
void AddCheckCommands(CLI::App* app, Command* chosen);           // check
void AddConfigCommands(CLI::App* app, Command* chosen);          // config
void AddIdentityCommands(CLI::App* app, Command* chosen);        // whoami, tenant, token
void AddContextCommands(CLI::App* app, Command* chosen);         // context
void AddTlsCommands(CLI::App* app, Command* chosen);             // tls
void AddTopCommand(CLI::App* app, Command* chosen);              // top

// Where the "--" of a run stands among the words of a command line; nullopt for another command and
// where there is none. The words behind it are the program's: the parser of flags would change
// some.
std::optional<size_t> ProgramArgumentsAt(const std::vector<std::string>& words);

// Words of `run` behind its file that no flag took: they were meant for the program. What to write
// instead; nullopt where there are none. Of an app that has parsed.
std::optional<std::string> StrayArguments(const CLI::App& app);

// --watch, --interval and --count of a list.
void AddWatchFlags(CLI::App* command, WatchOptions* options);

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
void ShowModule(const Session& session, const wasmburst::v1::Module& module);

// Whether a text is a module's name ("modules/sha256:..." or "sha256:...") and no file's.
bool NamesModule(const std::string& text);
// "sha256:..." and 64 digits as "modules/sha256:..."; other texts as they are. For
// CLI::Option::transform.
std::string FullModuleName(const std::string& name);
// A module's name as it is, else the file, uploaded.
Result<wasmburst::v1::Module> ModuleFrom(Session& session, const ModuleFile& file);
Result<wasmburst::v1::Module> ModuleFrom(Session& session, const std::string& file_or_name);

// "01J..." as "jobs/01J..."; other texts as they are. For CLI::Option::transform.
inline std::string FullJobName(const std::string& name) {
  return name.empty() || name.find('/') != std::string::npos ? name : "jobs/" + name;
}

}  // namespace wb::cli
