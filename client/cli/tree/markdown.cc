#include "client/cli/tree/markdown.h"

namespace wb::cli {

std::string MarkdownText(std::string_view text) {
  std::string out;
  bool is_code = false;  // between backquotes signs mean themselves, but for a table's
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    const bool is_sign =
        c == '|' || (!is_code && std::string_view("<*_[]").find(c) != std::string_view::npos);
    if (is_sign) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string MarkdownCode(std::string_view text) {
  std::string out = "`";
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out + "`";
}

}  // namespace wb::cli
