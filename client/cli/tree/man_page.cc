#include "client/cli/tree/man_page.h"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string_view>
#include <vector>

#include "client/cli/tree/command_words.h"

namespace wb::cli {
namespace {

// A line of text: man(7) takes "\" for an escape, "-" for a hyphen, and "." or "'" at a line's
// beginning for a request.
std::string ManText(std::string_view text) {
  std::string out;
  if (text.starts_with(".") || text.starts_with("'")) out = "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string ManBold(std::string_view text) { return "\\fB" + ManText(text) + "\\fR"; }

// The lines of a description; examples stand apart, as they are typed.
std::string ManParagraphs(const std::string& description) {
  std::string out;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kExample)) {
      out += ".PP\n.nf\n.RS\n" + ManText(line.substr(std::string_view(kExample).size())) +
             "\n.RE\n.fi\n.PP\n";
    } else if (line.find("  ") != std::string::npos) {  // a row of a table
      out += ".br\n" + ManText(line) + "\n.br\n";
    } else if (!line.empty()) {
      out += ManText(line) + "\n";
    }
  }
  return out;
}

// A long list of choices may go on in the next line.
std::string Breakable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == ',') out += "\\:";
  }
  return out;
}

// "-o, --output {table,json}".
std::string FlagTitle(const CLI::Option& flag) {
  std::string title;
  for (const std::string& name : NamesOf(flag))
    title += (title.empty() ? "" : ", ") + ManBold(name);
  const std::string value = ValueOf(flag);
  return value.empty() ? title : title + " " + Breakable(ManText(value));
}

std::string OptionItem(const CLI::Option& option, const std::string& title) {
  const std::string text = MeaningOf(option);
  return ".TP\n" + title + "\n" + (text.empty() ? "\\&\n" : ManParagraphs(text));
}

std::string ArgumentName(const CLI::Option& argument) {
  return "\\fI" + ManText(argument.get_name(true)) + "\\fR";
}

// Arguments, then flags.
std::string OptionItems(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* one : ArgumentsOf(app)) out += OptionItem(*one, ArgumentName(*one));
  for (const CLI::Option* one : FlagsOf(app)) out += OptionItem(*one, FlagTitle(*one));
  return out;
}

std::string Synopsis(const CLI::App& app) {
  std::string out = ManBold(FullCommand(app)) + " [options]";
  for (const CLI::Option* argument : ArgumentsOf(app)) {
    const std::string name = ArgumentName(*argument);
    out += argument->get_required() ? " " + name : " [" + name + "]";
  }
  return out + "\n";
}

// Each command that can be run, in a section of its own.
void AddManCommands(const CLI::App& app, std::string* out) {
  for (const CLI::App* command : ShownCommandsOf(app)) {
    *out +=
        ".SS " + ManText(FullCommand(*command)) + "\n" + ManParagraphs(command->get_description());
    if (ShownCommandsOf(*command).empty())
      *out += ".PP\n" + Synopsis(*command) + OptionItems(*command);
    AddManCommands(*command, out);
  }
}

}  // namespace

std::string ManPage(const CLI::App& app, const std::string& version) {
  // "wasmburstctl submits ... to wasmburstd.": the rest of the sentence is the page's title.
  const std::string description = app.get_description();
  std::string title = description.substr(0, description.find('\n'));
  if (title.ends_with(".")) title.pop_back();
  title = title.substr(title.find(' ') + 1);
  std::string out = ".TH WASMBURSTCTL 1 \"\" \"WasmBurst " + version + "\" \"WasmBurst\"\n";
  out += ".ad l\n.nh\n";  // names of flags and files stay whole
  out += ".SH NAME\nwasmburstctl \\- " + ManText(title) + "\n";
  out += ".SH SYNOPSIS\n" + ManBold("wasmburstctl") +
         " [options] \\fIcommand\\fR [options] [arguments]\n";
  out += ".SH DESCRIPTION\n" + ManParagraphs(description);
  out +=
      ".SH OPTIONS\nOf every command; they may stand before it or behind it.\n" + OptionItems(app);
  out += ".SH COMMANDS\n";
  AddManCommands(app, &out);
  out += ".SH FILES\n.TP\n" + ManBold("~/.config/wasmburst/contexts.toml") +
         "\nWhat \"wasmburstctl context\" keeps; under XDG_CONFIG_HOME where that is set.\n";
  return out;
}

}  // namespace wb::cli
