#include "daemon/traces/trace_headers.h"

#include <algorithm>

#include "daemon/config/secret_file.h"

namespace wb {
namespace {

SecretFile FileOf(const std::string& path) { return {"traces.headers_file", path}; }

bool IsName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
}

bool IsValue(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c != 0x7f; });
}

}  // namespace

// What is wrong is never quoted: it may be a token.
Result<std::vector<std::string>> ParseTraceHeaders(std::string_view text, const std::string& file) {
  std::vector<std::string> headers;
  size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view words = Trimmed(line);
    if (words.empty() || words.front() == '#') continue;
    const size_t colon = words.find(':');
    const std::string_view name = Trimmed(words.substr(0, colon));
    const std::string_view value =
        colon == std::string_view::npos ? "" : Trimmed(words.substr(colon + 1));
    if (!IsName(name) || !IsValue(value)) {
      return FileOf(file).Wrong("has a line [" + std::to_string(number) +
                                "] that is no header. Write NAME: VALUE, a header on each line.");
    }
    headers.push_back(std::string(name) + ": " + std::string(value));
  }
  return headers;
}

Result<std::vector<std::string>> ReadTraceHeaders(const std::string& file) {
  if (file.empty()) return std::vector<std::string>();
  WB_ASSIGN(const std::string text, FileOf(file).Read());
  return ParseTraceHeaders(text, file);
}

}  // namespace wb
