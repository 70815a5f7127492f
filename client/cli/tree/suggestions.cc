#include "client/cli/tree/suggestions.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "client/cli/tree/find_flag.h"

namespace wb::cli {
namespace {

// How far a word may be from what was meant.
size_t Reach(const std::string& word) { return std::max<size_t>(1, word.size() / 3); }

std::string Nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string near;
  for (const std::string& name : known) {
    const bool begins = word.size() >= 3 && name.starts_with(word);
    if (!begins && EditDistance(word, name) > Reach(word)) continue;
    near += (near.empty() ? "[" : " or [") + name + "]";
  }
  return near;
}

std::string Sentence(const std::string& kind, const std::string& word, const CLI::App& app,
                     const std::vector<std::string>& known) {
  std::string text = "unknown " + kind + " [" + word + "]";
  if (app.get_parent() != nullptr) text += " of [" + app.get_name() + "]";
  const std::string near = Nearest(word, known);
  if (!near.empty()) return text + "; did you mean " + near + "?";
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  return text + "; known are: " + all;
}

std::vector<std::string> FlagsOf(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> NamesOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

}  // namespace

size_t EditDistance(const std::string& one, const std::string& other) {
  std::vector<std::vector<size_t>> cost(one.size() + 1, std::vector<size_t>(other.size() + 1));
  for (size_t i = 0; i <= one.size(); ++i) {
    for (size_t j = 0; j <= other.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const size_t differs = one[i - 1] == other[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + differs});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[one.size()][other.size()];
}

std::optional<std::string> UnknownWord(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word.size() > 2 && word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      const CLI::Option* flag = FindFlag(command, name);
      if (flag == nullptr) return Sentence("flag", name, *command, FlagsOf(command));
      if (name == word && flag->get_expected_min() > 0) ++i;  // its value
      continue;
    }
    if (word.size() > 1 && word[0] == '-') {
      const CLI::Option* flag = FindFlag(command, word.substr(0, 2));
      if (flag != nullptr && word.size() == 2 && flag->get_expected_min() > 0) ++i;
      continue;
    }
    const std::vector<const CLI::App*> commands = CommandsOf(*command);
    if (commands.empty()) continue;  // an argument
    const auto at = std::find_if(commands.begin(), commands.end(), [&word](const CLI::App* known) {
      return known->get_name() == word;
    });
    if (at == commands.end()) return Sentence("command", word, *command, NamesOf(commands));
    command = *at;
  }
  return std::nullopt;
}

}  // namespace wb::cli
