#include "compiler/debug/module_hints.h"

#include <algorithm>
#include <string_view>

#include "compiler/debug/custom_sections.h"
#include "compiler/debug/utf8.h"

namespace wb {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
}

void Ignore(std::string_view text, ModuleHints* hints) {
  if (hints->ignored.size() < ModuleHints::kMost) hints->ignored.emplace_back(text);
}

void ReadLine(std::string_view line, ModuleHints* hints) {
  if (line.size() > ModuleHints::kMostBytes || !IsUtf8(line)) {
    Ignore("(a line that is too long, or no UTF-8)", hints);
  } else if (line == "divergent") {
    hints->divergent = true;
  } else if (line == "uniform") {
    hints->uniform = true;
  } else {
    Ignore(line, hints);
  }
}

}  // namespace

ModuleHints HintsOf(ByteView wasm) {
  ModuleHints hints;
  std::string_view rest = AsText(FindDebugSections(wasm).hints);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = Trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.empty()) ReadLine(line, &hints);
  }
  if (hints.divergent && hints.uniform) {
    hints.divergent = hints.uniform = false;
    Ignore("divergent and uniform, which exclude each other", &hints);
  }
  return hints;
}

}  // namespace wb
