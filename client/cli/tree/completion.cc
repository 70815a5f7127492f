#include "client/cli/tree/completion.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "client/cli/tree/find_flag.h"

namespace wb::cli {
namespace {

using Kind = Completions::Kind;

bool TakesValue(const CLI::Option* option) {
  return option != nullptr && option->get_expected_min() > 0;
}

// Where a command line has got to.
struct Place {
  const CLI::App* command;
  const CLI::Option* flag = nullptr;  // whose value comes next
  size_t positionals = 0;             // of the command, that have been given
  bool flags_over = false;            // "--" was given
};

const CLI::App* SubcommandNamed(const CLI::App& app, const std::string& word) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return command;
  }
  return nullptr;
}

void Pass(const std::string& word, Place* place) {
  if (place->flag != nullptr) {
    place->flag = nullptr;
  } else if (word == "--") {
    place->flags_over = true;
  } else if (!place->flags_over && word.size() > 1 && word[0] == '-') {
    const CLI::Option* flag = FindFlag(place->command, word);
    if (TakesValue(flag)) place->flag = flag;
  } else if (const CLI::App* command = SubcommandNamed(*place->command, word)) {
    *place = Place{command};
  } else {
    ++place->positionals;
  }
}

// "TEXT:{a,b}" names a and b.
std::vector<std::string> Choices(const std::string& type) {
  std::vector<std::string> choices;
  const size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (size_t at = open + 1; at < close;) {
    const size_t end = std::min(type.find(',', at), close);
    choices.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

// By what the help calls a value: FILE, FOLDER, NAME=FILE, or a choice.
Completions ValuesOf(const CLI::Option& option, const std::string& word) {
  const std::string type = option.get_type_name();
  if (type.starts_with("FILE")) return {Kind::kFiles, {}};
  if (type.starts_with("FOLDER")) return {Kind::kFolders, {}};
  const bool named = type.starts_with("NAME=FILE") && word.find('=') != std::string::npos;
  if (named) return {Kind::kFiles, {}};
  return {Kind::kWords, Choices(type)};
}

Completions Flags(const CLI::App* app) {
  Completions flags;
  for (; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) flags.words.push_back("--" + name);
    }
  }
  return flags;
}

Completions Commands(const CLI::App& app) {
  Completions commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.words.push_back(command->get_name());
  }
  return commands;
}

Completions Positional(const Place& place, const std::string& word) {
  size_t at = 0;
  for (const CLI::Option* option : place.command->get_options()) {
    if (option->get_positional() && at++ == place.positionals) return ValuesOf(*option, word);
  }
  return Commands(*place.command);
}

void KeepThoseThatBegin(const std::string& begin, std::vector<std::string>* words) {
  std::erase_if(*words, [&begin](const std::string& word) { return !word.starts_with(begin); });
  std::sort(words->begin(), words->end());
  words->erase(std::unique(words->begin(), words->end()), words->end());
}

constexpr const char* kBashScript =
    R"script(# wasmburstctl in bash: source <(wasmburstctl completion bash)
_wasmburstctl() {
  local typed="${COMP_LINE:0:COMP_POINT}" said word
  local -a words
  read -ra words <<<"$typed"
  [[ $typed == *[[:space:]] ]] && words+=("")
  word="${words[${#words[@]}-1]##*=}"
  said="$("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)"
  local IFS=$'\n'
  case "$said" in
    :files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
    :folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")) ;;
    *) COMPREPLY=($said) ;;
  esac
}
complete -F _wasmburstctl wasmburstctl
)script";

constexpr const char* kZshScript =
    R"script(#compdef wasmburstctl
# wasmburstctl in zsh: source <(wasmburstctl completion zsh)
_wasmburstctl() {
  local -a said
  said=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compset -P '*='
  case "${said[1]}" in
    :files) _files ;;
    :folders) _files -/ ;;
    *) compadd -a said ;;
  esac
}
if [[ ${funcstack[1]} == _wasmburstctl ]]; then
  _wasmburstctl "$@"
else
  compdef _wasmburstctl wasmburstctl
fi
)script";

constexpr const char* kFishScript =
    R"script(# wasmburstctl in fish: wasmburstctl completion fish | source
function __wasmburstctl_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  set -l begin (string match -r '^.*=' -- $word)
  set -l said ($words[1] __complete $words[2..] "$word" 2>/dev/null)
  switch "$said[1]"
    case :files :folders
      __fish_complete_path (string replace -r '^.*=' '' -- $word) | string replace -r '^' "$begin"
    case '*'
      for one in $said
        echo "$begin$one"
      end
  end
end
complete -c wasmburstctl -f -a '(__wasmburstctl_complete)'
)script";

}  // namespace

Completions Complete(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app};
  const std::string word = words.empty() ? "" : words.back();
  for (size_t i = 0; i + 1 < words.size(); ++i) Pass(words[i], &place);
  const size_t equals = word.find('=');
  const bool flag = !place.flags_over && place.flag == nullptr && word.starts_with("-");
  if (flag && equals != std::string::npos) {
    const CLI::Option* option = FindFlag(place.command, word.substr(0, equals));
    if (!TakesValue(option)) return {};
    Completions values = ValuesOf(*option, word.substr(equals + 1));
    KeepThoseThatBegin(word.substr(equals + 1), &values.words);
    return values;
  }
  Completions found = place.flag != nullptr ? ValuesOf(*place.flag, word)
                      : flag                ? Flags(place.command)
                                            : Positional(place, word);
  KeepThoseThatBegin(word, &found.words);
  return found;
}

std::string CompletionsText(const Completions& completions) {
  if (completions.kind == Kind::kFiles) return ":files\n";
  if (completions.kind == Kind::kFolders) return ":folders\n";
  std::string text;
  for (const std::string& word : completions.words) text += word + "\n";
  return text;
}

std::string CompletionScript(const std::string& shell) {
  return shell == "bash" ? kBashScript : shell == "zsh" ? kZshScript : kFishScript;
}

}  // namespace wb::cli
