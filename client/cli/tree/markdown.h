#pragma once

// Text as it stands in a page of Markdown. Pure.

#include <string>
#include <string_view>

namespace wb::cli {

// Of a table's cell too: in one line, and without Markdown's own signs.
std::string MarkdownText(std::string_view text);
// `as it is typed`
std::string MarkdownCode(std::string_view text);

}  // namespace wb::cli
