#include "client/cli/tree/man_page.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "client/cli/commands/commands.h"

namespace wb::cli {
namespace {

// The page without what protects its signs.
std::string Plain(std::string page) {
  for (const char* sign : {"\\fB", "\\fR", "\\fI", "\\&"}) {
    for (size_t at = page.find(sign); at != std::string::npos; at = page.find(sign, at)) {
      page.erase(at, 3 - (std::string(sign) == "\\&" ? 1 : 0));
    }
  }
  for (size_t at = page.find("\\-"); at != std::string::npos; at = page.find("\\-", at)) {
    page.erase(at, 1);
  }
  return page;
}

// A command's part of the page.
std::string SectionOf(const std::string& page, const std::string& command) {
  const size_t at = page.find("\n.SS " + command + "\n");
  if (at == std::string::npos) return "";
  return page.substr(at, page.find("\n.S", at + 1) - at);
}

void ExpectAll(const CLI::App& app, const std::string& name, const std::string& page) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) {
    const std::string full = name + " " + command->get_name();
    EXPECT_NE(SectionOf(page, full), "") << full;
    ExpectAll(*command, full, page);
  }
  if (!commands.empty()) return;
  const std::string section = SectionOf(page, name);
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr()) continue;
    for (const std::string& flag : option->get_lnames()) {
      EXPECT_NE(section.find("--" + flag), std::string::npos) << name << " --" << flag;
    }
    if (option->get_positional()) {
      EXPECT_NE(section.find("\n.TP\n" + option->get_name(true) + "\n"), std::string::npos) << name;
    }
  }
}

TEST(ManPage, HasEveryCommandAndOption) {
  CLI::App app("wasmburstctl does things.\nExample: wasmburstctl -x '\\n'\n.odd line");
  std::string global;
  app.add_option("--global", global, "'quoted' first");
  Command chosen;
  AddCommands(&app, &chosen);
  const std::string page = ManPage(app, "1.2.3");
  EXPECT_EQ(page.find(".TH WASMBURSTCTL 1 \"\" \"WasmBurst 1.2.3\""), 0u);
  EXPECT_NE(page.find("\nwasmburstctl \\- does things\n"), std::string::npos);
  EXPECT_NE(page.find("\nwasmburstctl \\-x '\\en'\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\&.odd line\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\&'quoted' first\n"), std::string::npos);
  EXPECT_NE(page.find("\\fB\\-\\-global\\fR TEXT\n"), std::string::npos);
  ExpectAll(app, "wasmburstctl", Plain(page));
}

}  // namespace
}  // namespace wb::cli
