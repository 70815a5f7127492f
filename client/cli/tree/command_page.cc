#include "client/cli/tree/command_page.h"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string_view>

#include "client/cli/tree/command_words.h"
#include "client/cli/tree/markdown.h"

namespace wb::cli {
namespace {

// Sentences as a paragraph; examples, and rows of tables within a text, as they stand.
std::string Paragraphs(const std::string& description) {
  std::string out;
  bool is_code = false;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    const bool is_example = line.starts_with(kExample);
    const bool as_it_stands = is_example || line.find("  ") != std::string::npos;
    if (as_it_stands != is_code) out += is_code ? "```\n\n" : "\n```text\n";
    is_code = as_it_stands;
    if (is_example) line = line.substr(std::string_view(kExample).size());
    out += (as_it_stands ? line : MarkdownText(line)) + "\n";
  }
  return out + (is_code ? "```\n" : "");
}

// In a cell of a table the lines of a text stay lines.
std::string Row(const std::string& name, const CLI::Option& option) {
  std::string cell;
  std::istringstream lines(MeaningOf(option));
  for (std::string line; std::getline(lines, line);) {
    cell += (cell.empty() ? "" : "<br>") + MarkdownText(line);
  }
  return "| " + name + " | " + cell + " |\n";
}

std::string FlagName(const CLI::Option& flag) {
  std::string names;
  const std::string value = ValueOf(flag);
  for (const std::string& name : NamesOf(flag)) names += (names.empty() ? "" : ", ") + name;
  return MarkdownCode(value.empty() ? names : names + " " + value);
}

std::string OptionTable(const CLI::App& app) {
  std::string rows;
  for (const CLI::Option* one : ArgumentsOf(app))
    rows += Row(MarkdownCode(one->get_name(true)), *one);
  for (const CLI::Option* one : FlagsOf(app)) rows += Row(FlagName(*one), *one);
  return rows.empty() ? "" : "\n| option | what |\n| --- | --- |\n" + rows;
}

std::string Usage(const CLI::App& app) {
  std::string usage = FullCommand(app) + " [options]";
  for (const CLI::Option* argument : ArgumentsOf(app)) {
    const std::string name = argument->get_name(true);
    usage += argument->get_required() ? " " + name : " [" + name + "]";
  }
  return "\n" + MarkdownCode(usage) + "\n";
}

void AddCommands(const CLI::App& app, std::string* out) {
  for (const CLI::App* command : ShownCommandsOf(app)) {
    const bool runs = ShownCommandsOf(*command).empty();
    *out += "\n## " + FullCommand(*command) + "\n\n" + Paragraphs(command->get_description());
    if (runs) *out += Usage(*command) + OptionTable(*command);
    AddCommands(*command, out);
  }
}

}  // namespace

std::string CommandPage(const CLI::App& app) {
  std::string out = "# Commands of wasmburstctl\n\n" + Paragraphs(app.get_description()) +
                    "\n## Options of every command\n\nThey may stand before it or behind it.\n" +
                    OptionTable(app);
  AddCommands(app, &out);
  return out;
}

}  // namespace wb::cli
