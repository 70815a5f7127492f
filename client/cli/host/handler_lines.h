#pragma once

// The lines of what a handler writes. Pure.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace wb::cli {

class HandlerLines {
 public:
  // `longest`: bytes of a line, without its end.
  explicit HandlerLines(size_t longest) : longest_(longest) {}

  // Calls `on_line` for each line that ends in `bytes`; empty ones are left out. False: a line is
  // too long, and no more may be added.
  bool Add(std::string_view bytes, const std::function<void(const std::string&)>& on_line);

 private:
  const size_t longest_;
  std::string begun_;
};

}  // namespace wb::cli
