#include "compiler/runtime/number_macros.h"

#include <algorithm>

namespace wb {
namespace {

constexpr std::string_view kConstants[] = {"constant uint ", "constant ulong "};

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Of a line without its end; empty: it is not a constant that is one number.
std::string MacroOf(std::string_view line) {
  for (const std::string_view constant : kConstants) {
    if (line.substr(0, constant.size()) != constant) continue;
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos || line.back() != ';') return "";
    const std::string_view name = line.substr(constant.size(), equals - constant.size());
    const std::string_view value = line.substr(equals + 3, line.size() - equals - 4);
    const bool is_number = IsWord(value) && value[0] >= '0' && value[0] <= '9';
    if (!IsWord(name) || !is_number) return "";
    return "#define " + std::string(name) + " " + std::string(value);
  }
  return "";
}

}  // namespace

std::string WithNumbersAsMacros(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string macro = MacroOf(line);
    result += macro.empty() ? line : std::string_view(macro);
    if (end < text.size()) result += '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace wb
