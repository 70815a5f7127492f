#include "client/cli/tree/man_page.h"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string_view>
#include <vector>

namespace wb::cli {
namespace {

constexpr std::string_view kExample = "Example: ";

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
      out += ".PP\n.nf\n.RS\n" + ManText(line.substr(kExample.size())) + "\n.RE\n.fi\n.PP\n";
    } else if (line.find("  ") != std::string::npos) {  // a row of a table
      out += ".br\n" + ManText(line) + "\n.br\n";
    } else if (!line.empty()) {
      out += ManText(line) + "\n";
    }
  }
  return out;
}

std::string FullCommand(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? "wasmburstctl" : FullCommand(*parent) + " " + app.get_name();
}

// Each command has --help, which is told of once.
bool IsShown(const CLI::App& app, const CLI::Option* option) {
  const bool is_again = app.get_parent() != nullptr && option == app.get_help_ptr();
  return !is_again && !option->get_group().empty() && !option->get_positional();
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
std::string OptionTitle(const CLI::Option& option) {
  std::string title;
  const auto add = [&title](const std::string& name) {
    title += (title.empty() ? "" : ", ") + ManBold(name);
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (option.get_expected_min() > 0) title += " " + Breakable(ManText(option.get_type_name()));
  return title;
}

std::string OptionItem(const CLI::Option& option, const std::string& title) {
  std::string text = option.get_description();
  const std::string usual = option.get_default_str();
  if (!usual.empty()) text += (text.empty() ? "default: " : "; default: ") + usual;
  if (option.get_required()) text += text.empty() ? "required" : " (required)";
  const std::string variable = option.get_envname();
  if (!variable.empty()) text += " (Env:" + variable + ")";
  return ".TP\n" + title + "\n" + (text.empty() ? "\\&\n" : ManParagraphs(text));
}

// Arguments, then flags.
std::string OptionItems(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      out += OptionItem(*option, "\\fI" + ManText(option->get_name(true)) + "\\fR");
    }
  }
  for (const CLI::Option* option : app.get_options()) {
    if (IsShown(app, option)) out += OptionItem(*option, OptionTitle(*option));
  }
  return out;
}

std::string Synopsis(const CLI::App& app) {
  std::string out = ManBold(FullCommand(app)) + " [options]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = "\\fI" + ManText(option->get_name(true)) + "\\fR";
    out += option->get_required() ? " " + name : " [" + name + "]";
  }
  return out + "\n";
}

// Each command that can be run, in a section of its own.
void AddManCommands(const CLI::App& app, std::string* out) {
  const auto commands = app.get_subcommands([](const CLI::App* one) { return one != nullptr; });
  const bool is_root = app.get_parent() == nullptr;
  if (!is_root && !app.get_group().empty()) {
    *out += ".SS " + ManText(FullCommand(app)) + "\n" + ManParagraphs(app.get_description());
    if (commands.empty()) *out += ".PP\n" + Synopsis(app) + OptionItems(app);
  }
  for (const CLI::App* command : commands) AddManCommands(*command, out);
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
