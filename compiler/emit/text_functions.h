#pragma once

// The functions of a module where its kernel text has them, and texts that hold some of them each.
// Pure.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb {

// How the declaration and the definition of a module's function begin, behind "noinline" perhaps.
// Nothing else in a text begins so.
inline constexpr std::string_view kFunctionStart = "static WbR_";

// `callee` is called, in a loop of `caller` perhaps. Both are numbers of TextFunctions.
struct TextCall {
  size_t caller = 0;
  size_t callee = 0;
  bool in_loop = false;
};

// Numbered from 0, as the text has them. The text outlives the object.
class TextFunctions {
 public:
  explicit TextFunctions(std::string_view text);
  explicit TextFunctions(std::string&&) = delete;  // it would not outlive the object

  size_t size() const { return ends_.size(); }
  size_t bytes() const { return ends_.empty() ? 0 : ends_.back() - begin_; }  // of all
  std::string_view At(size_t i) const;    // from its first line to its last brace
  std::string_view Name(size_t i) const;  // as in `wf_7`, or `wf_7_1` of a copy
  // Of what stands before all of them and declares none.
  size_t bytes_before() const { return fixed_.size(); }
  // By caller, then as the text has them. What a function calls twice is there twice.
  std::vector<TextCall> Calls() const;

  // A text for each group, which holds what stands before the functions, declares those that it has
  // and calls, and has its own, whose numbers ascend, with the lines of the whole text. They are
  // not `static` there. The last text also has what stands behind the functions.
  std::vector<std::string> Texts(const std::vector<std::vector<size_t>>& groups) const;

 private:
  void FindAll();
  void ReadHead();
  size_t BeginOf(size_t i) const { return i == 0 ? begin_ : ends_[i - 1]; }
  std::string HeadFor(const std::vector<std::string_view>& texts) const;
  std::string GroupText(const std::vector<size_t>& group, std::string_view rest) const;
  std::string PlaceText(size_t at) const;

  std::string_view text_;
  size_t module_at_ = 0;      // where the module's first line is; npos: no line is counted
  size_t begin_ = 0;          // of the first
  std::vector<size_t> ends_;  // ascending; where each ends
  // What stands before the functions without the declarations, and these: name, line; in order. In
  // a text of many functions all of them take as much as a chunk.
  std::string fixed_;
  std::vector<std::pair<std::string_view, std::string_view>> declared_;
};

}  // namespace wb
