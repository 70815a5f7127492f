#include "daemon/traces/trace_headers.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace wb {
namespace {

constexpr size_t kLongestFile = 64 << 10;
constexpr std::string_view kBlanks = " \t\r";

Status Wrong(const std::string& file, const std::string& words) {
  return Status(Reason::kConfigInvalid, "The file [" + file + "] of [traces.headers_file] " + words,
                {{"setting", "traces.headers_file"}, {"file", file}});
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

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
      return Wrong(file, "has a line [" + std::to_string(number) +
                             "] that is no header. Write NAME: VALUE, a header on each line.");
    }
    headers.push_back(std::string(name) + ": " + std::string(value));
  }
  return headers;
}

Result<std::vector<std::string>> ReadTraceHeaders(const std::string& file) {
  if (file.empty()) return std::vector<std::string>();
  struct stat info {};
  std::ifstream stream(file);
  if (stat(file.c_str(), &info) != 0 || !stream) return Wrong(file, "cannot be read.");
  if ((info.st_mode & 077) != 0) {
    return Wrong(file, "is open to other users. Make it the daemon's own: chmod 600.");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (text.str().size() > kLongestFile) return Wrong(file, "is longer than 64 KiB.");
  return ParseTraceHeaders(text.str(), file);
}

}  // namespace wb
