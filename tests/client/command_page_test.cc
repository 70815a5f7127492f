#include "client/cli/tree/command_page.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"

namespace wb::cli {
namespace {

TEST(CommandPage, ShowsArgumentsFlagsAndExamples) {
  CLI::App app("tool does things_well.\nExample: tool go <x>\nCodes: 0 or 1.");
  std::string global;
  app.add_option("-g,--global", global, "one|two [a_b]")->type_name("{one,two}");
  CLI::App* go = app.add_subcommand("go", "Go.\nname    what\nb       c\nEnd.");
  std::string where;
  go->add_option("where", where, "a place")->required();
  bool fast = false;
  go->add_flag("--fast", fast, "at once:\n<now>");
  EXPECT_EQ(CommandPage(app), R"(# Commands of wasmburstctl

tool does things\_well.

```text
tool go <x>
```

Codes: 0 or 1.

## Options of every command

They may stand before it or behind it.

| option | what |
| --- | --- |
| `-h, --help` | Print this help message and exit |
| `-g, --global {one,two}` | one\|two \[a\_b\] |

## wasmburstctl go

Go.

```text
name    what
b       c
```

End.

`wasmburstctl go [options] where`

| option | what |
| --- | --- |
| `where` | a place (required) |
| `--fast` | at once:<br>\<now> |
)");
}

void ExpectOnPage(const CLI::App& app, const std::string& name, const std::string& page) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string full = name + " " + command->get_name();
    const size_t at = page.find("\n## " + full + "\n");
    ASSERT_NE(at, std::string::npos) << full;
    const std::string section = page.substr(at, page.find("\n## ", at + 1) - at);
    for (const CLI::Option* option : command->get_options()) {
      if (option == command->get_help_ptr()) continue;
      for (const std::string& flag : option->get_lnames()) {
        EXPECT_NE(section.find("--" + flag), std::string::npos) << full << " --" << flag;
      }
    }
    ExpectOnPage(*command, full, page);
  }
}

TEST(CommandPage, HasEveryCommandAndFlag) {
  CLI::App app("wasmburstctl does things.");
  Command chosen;
  for (const auto add :
       {AddRunCommand, AddModuleCommands, AddJobCommands, AddSessionCommands, AddDeviceCommands,
        AddTopCommand, AddAdminCommands, AddConfigCommands, AddIdentityCommands, AddContextCommands,
        AddTlsCommands, AddDoctorCommand, AddCheckCommands, AddDebugCommands, AddHelpCommands}) {
    add(&app, &chosen);
  }
  ExpectOnPage(app, "wasmburstctl", CommandPage(app));
}

}  // namespace
}  // namespace wb::cli
