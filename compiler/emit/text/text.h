#pragma once

// Text built line by line, with the indentation and the depth of braces kept here and nowhere else.

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

class Text {
 public:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    out_.append(std::min(depth_, kMaxIndentedDepth) * 2, ' ');
    (Append(parts), ...);
    out_ += '\n';
  }

  // A line that opens a brace; Close() writes the line that closes it.
  template <typename... Parts>
  void Open(const Parts&... parts) {
    Line(parts..., sizeof...(parts) == 0 ? "{" : " {");
    ++depth_;
    max_depth_ = std::max(max_depth_, depth_);
  }
  void Close(std::string_view after = "") {
    WB_CHECK(depth_ > 0);
    --depth_;
    Line("}", after);
  }
  // "} else {"
  void CloseOpen(std::string_view between) {
    --depth_;
    Line("} ", between, " {");
    ++depth_;
  }
  void Raw(std::string_view text) { out_ += text; }
  // What was written behind the first `size` bytes is no longer part of the text.
  std::string TakeFrom(size_t size) {
    std::string taken = out_.substr(size);
    out_.resize(size);
    return taken;
  }

  size_t depth() const { return depth_; }
  size_t max_depth() const { return max_depth_; }
  size_t size() const { return out_.size(); }
  const std::string& str() const { return out_; }
  std::string Take() { return std::exchange(out_, {}); }

 private:
  // Deeper braces stand below one another: a hostile nest stays linear in its size.
  static constexpr size_t kMaxIndentedDepth = 40;

  void Append(std::string_view part) { out_ += part; }
  void Append(const char* part) { out_ += part; }
  void Append(const std::string& part) { out_ += part; }
  void Append(std::integral auto number) {
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, number);
    out_.append(digits, end.ptr);
  }

  std::string out_;
  size_t depth_ = 0;
  size_t max_depth_ = 0;
};

}  // namespace wb
