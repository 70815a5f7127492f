#include "compiler/runtime/pruned_text.h"

#include <unordered_map>
#include <vector>

#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

constexpr std::string_view kLineDirective = "#line ";
constexpr std::string_view kRuntimeFile = "\"wasmburst/";
// With these begin the names of all functions and constants of the runtime.
constexpr std::string_view kPrefixes[] = {"wb_", "WB_"};
constexpr std::string_view kConstant = "constant uint ";

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A line without its comment and the spaces before that.
std::string_view CodeOf(std::string_view line) {
  line = line.substr(0, line.find("//"));
  const size_t last = line.find_last_not_of(" \t\n");
  return last == std::string_view::npos ? "" : line.substr(0, last + 1);
}

// Of a line that ends with its line feed; of the last line it may be missing.
std::string_view LineAt(std::string_view text, size_t at) {
  const size_t end = text.find('\n', at);
  return text.substr(at, end == std::string_view::npos ? end : end + 1 - at);
}

bool HasPrefix(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view NameAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsNamePart(text[end])) ++end;
  return text.substr(at, end - at);
}

// Calls `visit` with each name that may be one of the runtime's.
template <typename Visit>
void ForEachName(std::string_view text, Visit visit) {
  for (const std::string_view prefix : kPrefixes) {
    for (size_t at = 0; (at = text.find(prefix, at)) != std::string_view::npos;) {
      const std::string_view name = NameAt(text, at);
      if (at == 0 || !IsNamePart(text[at - 1])) visit(name);
      at += name.size();
    }
  }
}

// What stands at the top level: a declaration or a definition with the comment before it, or all
// between two #line.
struct Item {
  std::string_view text;
  std::string_view file;  // with quotes; of the runtime's files only
  size_t line = 0;        // of its first line
  // What it declares or defines, if it may be left out where nothing names that.
  std::string_view name;
  bool is_code = true;
};

// A static function's name: what stands before the first parenthesis that is no attribute's.
std::string_view FunctionOf(std::string_view head) {
  for (size_t open = 0; (open = head.find('(', open)) != std::string_view::npos; ++open) {
    size_t begin = open;
    while (begin > 0 && IsNamePart(head[begin - 1])) --begin;
    const std::string_view name = head.substr(begin, open - begin);
    if (HasPrefix(name, kPrefixes[0])) return name;
  }
  return "";
}

Item ItemOf(std::string_view text, std::string_view file, size_t line) {
  Item item{text, file, line, ""};
  if (file.empty() || HasPrefix(text, kLineDirective)) return item;
  size_t at = 0;
  while (at < text.size() && CodeOf(LineAt(text, at)).empty()) at += LineAt(text, at).size();
  item.is_code = at < text.size();
  const std::string_view code = text.substr(at);
  if (HasPrefix(code, kConstant)) {
    item.name = NameAt(code, kConstant.size());
  } else if (HasPrefix(code, "static ")) {
    item.name = FunctionOf(code.substr(0, code.find_first_of("{;=")));
  }
  return item;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<Item> Run() {
    while (at_ < text_.size()) {
      const std::string_view line = LineAt(text_, at_);
      if (HasPrefix(line, kLineDirective)) {
        Directive(line);
      } else if (file_.empty()) {
        const size_t next = text_.find("\n#line ", at_);
        at_ = next == std::string_view::npos ? text_.size() : next + 1;
        Close();
      } else {
        RuntimeLine(line);
      }
    }
    Close();
    return std::move(items_);
  }

 private:
  void Directive(std::string_view line) {
    Close();
    at_ += line.size();
    Close();
    const size_t quote = line.find(kRuntimeFile);
    file_ = quote == std::string_view::npos ? "" : line.substr(quote, line.find('\n') - quote);
    line_ = 0;
    for (const char c : line.substr(kLineDirective.size())) {
      if (c < '0' || c > '9') break;
      line_ = line_ * 10 + static_cast<size_t>(c - '0');
    }
    first_line_ = line_;
    depth_ = 0;
  }

  void RuntimeLine(std::string_view line) {
    const std::string_view code = CodeOf(line);
    for (const char c : code) depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
    at_ += line.size();
    ++line_;
    if (depth_ != 0 || code.empty()) return;
    if (code.back() == ';' || code.back() == '}' || code.front() == '#') Close();
  }

  // What was read since the last item is one.
  void Close() {
    if (at_ > begin_)
      items_.push_back(ItemOf(text_.substr(begin_, at_ - begin_), file_, first_line_));
    begin_ = at_;
    first_line_ = line_;
  }

  const std::string_view text_;
  std::vector<Item> items_;
  size_t at_ = 0, begin_ = 0;
  std::string_view file_;
  size_t line_ = 1, first_line_ = 1;
  int depth_ = 0;
};

// Which items stay: those that cannot be left out, what these name, and so on.
std::vector<bool> UsedOf(const std::vector<Item>& items) {
  std::unordered_map<std::string_view, std::vector<size_t>> named;
  std::vector<bool> used(items.size());
  std::vector<size_t> left;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].name.empty()) {
      named[items[i].name].push_back(i);
      continue;
    }
    if (!items[i].is_code) continue;
    used[i] = true;
    left.push_back(i);
  }
  while (!left.empty()) {
    const size_t item = left.back();
    left.pop_back();
    ForEachName(items[item].text, [&](std::string_view name) {
      const auto found = named.find(name);
      if (found == named.end()) return;
      for (const size_t i : found->second) {
        used[i] = true;
        left.push_back(i);
      }
      named.erase(found);
    });
  }
  return used;
}

}  // namespace

std::string PrunedText(std::string_view text) {
  const std::vector<Item> items = Splitter(text).Run();
  const std::vector<bool> used = UsedOf(items);
  std::string pruned;
  pruned.reserve(text.size());
  bool is_behind_gap = false;
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (!used[i]) {
      is_behind_gap = true;
      continue;
    }
    const bool is_directive = HasPrefix(item.text, kLineDirective);
    if (is_behind_gap && !is_directive && !item.file.empty()) {
      pruned += LineText(item.file.substr(1, item.file.size() - 2), item.line);
    }
    is_behind_gap = false;
    pruned += item.text;
  }
  return pruned;
}

}  // namespace wb
