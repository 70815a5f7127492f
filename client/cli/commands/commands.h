#pragma once

// The commands, by noun. Each adds its verbs to the app; parsing sets `chosen`.

#include <optional>
#include <string>
#include <vector>

#include "client/cli/invocation/invocation.h"

namespace CLI {
class App;
}

namespace wb::cli {

// All of them, in the order in which --help has them.
void AddCommands(CLI::App* app, Command* chosen);

void AddModuleCommands(CLI::App* app, Command* chosen);
void AddModuleTextCommands(CLI::App* module, Command* chosen);  // inspect, compile, check
void AddHelpCommands(CLI::App* app, Command* chosen);           // version, completion
void AddDoctorCommand(CLI::App* app, Command* chosen);          // doctor
void AddDebugCommands(CLI::App* app, Command* chosen);          // debug
void AddRunCommand(CLI::App* app, Command* chosen);
void AddJobCommands(CLI::App* app, Command* chosen);         // list, get, watch, cancel, rm
void AddJobRunCommands(CLI::App* job, Command* chosen);      // run, submit, results
void AddInspectionCommands(CLI::App* job, Command* chosen);  // dump, replay
void AddJobProfileCommand(CLI::App* job, Command* chosen);   // profile
void AddJobServeCommand(CLI::App* job, Command* chosen);     // serve
void AddSessionCommands(CLI::App* app, Command* chosen);     // session open, call, read, write, ...
void AddDeviceCommands(CLI::App* app, Command* chosen);      // list, get, top
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

// "01J..." as "jobs/01J..."; other texts as they are. For CLI::Option::transform.
inline std::string FullJobName(const std::string& name) {
  return name.empty() || name.find('/') != std::string::npos ? name : "jobs/" + name;
}

}  // namespace wb::cli
