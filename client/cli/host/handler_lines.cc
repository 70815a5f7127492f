#include "client/cli/host/handler_lines.h"

namespace wb::cli {

bool HandlerLines::Add(std::string_view bytes,
                       const std::function<void(const std::string&)>& on_line) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (begun_.size() + part.size() > longest_) return false;
    begun_ += part;
    if (end == std::string_view::npos) return true;
    bytes.remove_prefix(end + 1);
    std::string line;
    line.swap(begun_);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) on_line(line);
  }
  return true;
}

}  // namespace wb::cli
