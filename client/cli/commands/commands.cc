#include "client/cli/commands/commands.h"

namespace wb::cli {
namespace {

using AddNoun = void (*)(CLI::App* app, Command* chosen);

constexpr AddNoun kNouns[] = {
    AddRunCommand,  AddModuleCommands, AddJobCommands,    AddSessionCommands,  AddDeviceCommands,
    AddTopCommand,  AddAdminCommands,  AddConfigCommands, AddIdentityCommands, AddContextCommands,
    AddTlsCommands, AddDoctorCommand,  AddCheckCommands,  AddDebugCommands,    AddHelpCommands,
};

}  // namespace

void AddCommands(CLI::App* app, Command* chosen) {
  for (const AddNoun add : kNouns) add(app, chosen);
}

}  // namespace wb::cli
