#include <array>

#include "client/cli/program/wat.h"

namespace wb::cli {
namespace {

bool IsWordCharacter(char c) {
  constexpr std::string_view kEnds = " \t\r\n()\";";
  return kEnds.find(c) == std::string_view::npos;
}

// Walks the text token by token; strings and comments do not count.
class DepthScanner {
 public:
  explicit DepthScanner(std::string_view text) : text_(text) {}

  WatDepth Scan() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '"') {
        SkipString();
      } else if (StartsWith(";;")) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (StartsWith("(;")) {
        SkipBlockComment();
      } else if (IsWordCharacter(c)) {
        ReadWord();
      } else {
        ReadMark(c);
      }
    }
    return found_;
  }

 private:
  bool StartsWith(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }

  void ReadMark(char c) {
    if (c == '(') ++parentheses_;
    if (c == ')' && parentheses_ > 0) --parentheses_;
    after_open_ = c == '(' || (after_open_ && c != ')');
    if (c == '\n') NewLine();
    ++at_;
    Measure();
  }

  // A block in the flat form (no parenthesis before it) is open until its `end`.
  void ReadWord() {
    size_t start = at_;
    while (at_ < text_.size() && IsWordCharacter(text_[at_])) ++at_;
    std::string_view word = text_.substr(start, at_ - start);
    constexpr std::array<std::string_view, 4> kOpeners = {"block", "loop", "if", "try"};
    for (std::string_view opener : kOpeners) {
      if (word == opener && !after_open_) ++blocks_;
    }
    if (word == "end" && blocks_ > 0) --blocks_;
    after_open_ = false;
    Measure();
  }

  void SkipString() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') NewLine();
    }
    ++at_;
  }

  void SkipBlockComment() {
    int open = 0;
    do {
      if (StartsWith("(;")) {
        ++open;
        at_ += 2;
      } else if (StartsWith(";)")) {
        --open;
        at_ += 2;
      } else {
        if (text_[at_] == '\n') NewLine();
        ++at_;
      }
    } while (open > 0 && at_ < text_.size());
  }

  void NewLine() {
    ++line_;
    line_start_ = at_ + 1;
  }

  void Measure() {
    int depth = parentheses_ + blocks_;
    if (depth <= found_.deepest) return;
    found_ = {depth, line_, static_cast<int>(at_ - line_start_)};
  }

  const std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
  int parentheses_ = 0;
  int blocks_ = 0;
  bool after_open_ = false;
  WatDepth found_;
};

}  // namespace

WatDepth MeasureDepth(std::string_view text) { return DepthScanner(text).Scan(); }

}  // namespace wb::cli
