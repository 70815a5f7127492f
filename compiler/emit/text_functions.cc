#include "compiler/emit/text_functions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

// With its line feed, which the last line of a text may not have.
std::string_view LineAt(std::string_view text, size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size() - 1) + 1 - at);
}

bool StartsFunction(std::string_view line) {
  constexpr std::string_view kAttribute = "__attribute__((noinline)) ";
  if (line.starts_with(kAttribute)) line.remove_prefix(kAttribute.size());
  return line.starts_with(kFunctionStart);
}

// The names of functions that stand before a bracket: what a piece of text defines, declares or
// calls.
template <typename Visit>
void ForEachName(std::string_view text, Visit visit) {
  constexpr std::string_view kName = "wf_";
  for (size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at + 1)) {
    const size_t end = text.find_first_not_of("0123456789_", at + kName.size());
    if (end != std::string_view::npos && text[end] == '(') visit(text.substr(at, end - at));
  }
}

// A line that starts a function, of which other texts know then.
std::string SharedLine(std::string_view line) {
  constexpr std::string_view kStatic = "static ";
  std::string shared(line);
  return shared.erase(shared.find(kStatic), kStatic.size());
}

// Which lines of a function are in a loop: it is given them one after the other. A block is
// `do {} while (false)` and no loop.
class Loops {
 public:
  // The line's own condition included.
  bool Take(std::string_view line) {
    const std::string_view words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const bool is_loop = words.starts_with("while (") || words.starts_with("for (");
    const bool inside = is_loop || loops_ != 0;
    for (const char c : words) {
      if (c == '{') Open(is_loop);
      if (c == '}' && !braces_.empty()) Close();
    }
    return inside;
  }

 private:
  void Open(bool is_loop) {
    braces_.push_back(is_loop);
    loops_ += is_loop ? 1 : 0;
  }
  void Close() {
    loops_ -= braces_.back() ? 1 : 0;
    braces_.pop_back();
  }

  std::vector<bool> braces_;  // that are open: whether it is a loop's
  size_t loops_ = 0;
};

}  // namespace

TextFunctions::TextFunctions(std::string_view text) : text_(text) {
  FindAll();
  ReadHead();
}

// A function begins with a line of its own that opens its braces and ends with one that closes
// them.
void TextFunctions::FindAll() {
  bool inside = false;
  for (size_t at = 0; at < text_.size();) {
    const std::string_view line = LineAt(text_, at);
    const size_t end = at + line.size();
    if (inside) {
      inside = line != "}\n";
      if (!inside) ends_.push_back(end);
    } else if (StartsFunction(line) && line.ends_with("{\n")) {
      if (ends_.empty()) begin_ = at;
      inside = true;
    } else if (!ends_.empty()) {
      break;
    }
    at = end;
  }
}

void TextFunctions::ReadHead() {
  const std::string module_start = LineText(kModuleFile);
  module_at_ = text_.rfind(module_start, begin_);
  if (module_at_ != std::string_view::npos) module_at_ += module_start.size();
  const std::string_view head = text_.substr(0, begin_);
  for (size_t at = 0; at < head.size();) {
    const std::string_view line = LineAt(head, at);
    at += line.size();
    if (StartsFunction(line)) {
      ForEachName(line, [&](std::string_view name) { declared_.emplace_back(name, line); });
    } else {
      fixed_ += line;
    }
  }
}

std::string_view TextFunctions::At(size_t i) const {
  return text_.substr(BeginOf(i), ends_[i] - BeginOf(i));
}

std::string_view TextFunctions::Name(size_t i) const {
  std::string_view found;
  ForEachName(LineAt(text_, BeginOf(i)), [&](std::string_view name) { found = name; });
  return found;
}

std::vector<TextCall> TextFunctions::Calls() const {
  std::unordered_map<std::string_view, size_t> numbers;
  for (size_t i = 0; i < size(); ++i) numbers[Name(i)] = i;
  std::vector<TextCall> calls;
  for (size_t i = 0; i < size(); ++i) {
    const std::string_view all = At(i);
    Loops loops;
    for (size_t at = 0; at < all.size();) {
      const std::string_view line = LineAt(all, at);
      at += line.size();
      const bool in_loop = loops.Take(line);
      ForEachName(line, [&](std::string_view name) {
        const auto callee = numbers.find(name);
        if (callee != numbers.end() && callee->second != i)
          calls.push_back({i, callee->second, in_loop});
      });
    }
  }
  return calls;
}

std::string TextFunctions::HeadFor(const std::vector<std::string_view>& texts) const {
  std::unordered_set<std::string_view> named;
  for (const std::string_view text : texts) {
    ForEachName(text, [&](std::string_view name) { named.insert(name); });
  }
  std::string head = fixed_;
  for (const auto& [name, line] : declared_) {
    if (named.contains(name)) head += SharedLine(line);
  }
  return head;
}

// The line that stands at `at` in the module's part of the text; nothing: the text does not count
// its lines.
std::string TextFunctions::PlaceText(size_t at) const {
  if (module_at_ == std::string_view::npos) return "";
  const std::string_view before = text_.substr(0, at).substr(module_at_);
  return LineText(kModuleFile, 1 + std::count(before.begin(), before.end(), '\n'));
}

std::string TextFunctions::GroupText(const std::vector<size_t>& group,
                                     std::string_view rest) const {
  std::vector<std::string_view> texts = {rest};
  for (const size_t i : group) texts.push_back(At(i));
  std::string text = HeadFor(texts);
  for (size_t k = 0; k < group.size(); ++k) {
    const size_t i = group[k];
    if (k == 0 || group[k - 1] + 1 != i) text += PlaceText(BeginOf(i));
    const std::string_view line = LineAt(text_, BeginOf(i));
    text.append(SharedLine(line)).append(At(i).substr(line.size()));
  }
  if (!rest.empty() && (group.empty() || group.back() + 1 != size()))
    text += PlaceText(ends_.back());
  return text.append(rest);
}

std::vector<std::string> TextFunctions::Texts(
    const std::vector<std::vector<size_t>>& groups) const {
  std::vector<std::string> texts;
  for (const std::vector<size_t>& group : groups) {
    const bool is_last = texts.size() + 1 == groups.size();
    texts.push_back(GroupText(group, is_last ? text_.substr(ends_.back()) : ""));
  }
  return texts;
}

}  // namespace wb
