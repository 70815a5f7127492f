#pragma once

// Completion of command lines in shells. The shells' scripts ask this program what may come next
// (wasmburstctl __complete WORD...), and the answer comes from the commands themselves.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wb::cli {

// The first argument of the call that a shell's script makes.
inline constexpr const char* kCompleteCall = "__complete";

struct Completions {
  enum class Kind : uint8_t {
    kWords,    // one of `words`
    kFiles,    // a file
    kFolders,  // a folder
  };
  Kind kind = Kind::kWords;
  // What may stand for the last word, or for what follows its "=".
  std::vector<std::string> words;
};

// `words` are those behind the program's name; the last one is the one to be completed.
Completions Complete(const CLI::App& app, const std::vector<std::string>& words);

// What the scripts read: a word per line, or ":files" or ":folders".
std::string CompletionsText(const Completions& completions);

// The script for "bash", "zsh" or "fish".
std::string CompletionScript(const std::string& shell);

}  // namespace wb::cli
