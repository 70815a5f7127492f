#include "compiler/emit/chunks.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

constexpr size_t kMostChunks = 64;
// Each chunk has a copy of what stands before the functions and is no declaration of one. All
// copies together may take as much as the functions, and this.
constexpr size_t kSpare = size_t{1} << 20;
// A call takes a compiler as long as so many more bytes: a function may be resumed behind it, so
// paths meet there (bench/docs/compile_times_gpu.md).
constexpr size_t kCallBytes = 500;

// Where the functions stand, and where each ends.
struct Cut {
  size_t begin = 0;
  std::vector<size_t> ends;  // ascending; the last is where the rest begins

  size_t bytes() const { return ends.empty() ? 0 : ends.back() - begin; }
};

std::string_view FunctionAt(std::string_view text, const Cut& cut, size_t i) {
  const size_t begin = i == 0 ? cut.begin : cut.ends[i - 1];
  return text.substr(begin, cut.ends[i] - begin);
}

// With its line feed, which the last line of a text may not have.
std::string_view LineAt(std::string_view text, size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size() - 1) + 1 - at);
}

bool StartsFunction(std::string_view line) {
  constexpr std::string_view kAttribute = "__attribute__((noinline)) ";
  if (line.starts_with(kAttribute)) line.remove_prefix(kAttribute.size());
  return line.starts_with(kFunctionStart);
}

// A function begins with a line of its own that opens its braces and ends with one that closes
// them.
Cut FindFunctions(std::string_view text) {
  Cut cut;
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = LineAt(text, at);
    const size_t end = at + line.size();
    if (inside) {
      inside = line != "}\n";
      if (!inside) cut.ends.push_back(end);
    } else if (StartsFunction(line) && line.ends_with("{\n")) {
      if (cut.ends.empty()) cut.begin = at;
      inside = true;
    } else if (!cut.ends.empty()) {
      break;
    }
    at = end;
  }
  return cut;
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

// What decides where a text is cut: by function, in their order.
struct Weights {
  std::vector<size_t> upto;    // of the functions up to it and it
  std::vector<size_t> across;  // how many calls there are between those and the ones behind it
};

Weights WeightsOf(std::string_view text, const Cut& cut) {
  std::unordered_map<std::string_view, size_t> functions;
  const size_t count = cut.ends.size();
  for (size_t i = 0; i < count; ++i) {
    const std::string_view all = FunctionAt(text, cut, i);
    ForEachName(all.substr(0, all.find('\n')), [&](std::string_view name) { functions[name] = i; });
  }
  Weights weights;
  std::vector<size_t> begin(count), end(count);
  size_t upto = 0, open = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view all = FunctionAt(text, cut, i);
    upto += all.size();
    ForEachName(all, [&](std::string_view name) {
      const auto callee = functions.find(name);
      if (callee == functions.end() || callee->second == i) return;
      upto += kCallBytes;
      ++begin[std::min(i, callee->second)];
      ++end[std::max(i, callee->second)];
    });
    weights.upto.push_back(upto);
  }
  for (size_t i = 0; i < count; ++i) weights.across.push_back(open = open + begin[i] - end[i]);
  return weights;
}

// The functions that are the last of a chunk, `count` of them. Near where equal pieces would end,
// that is by up to a quarter of one, the place that the fewest calls cross: what is called in its
// own chunk may be inlined.
std::vector<size_t> LastOfChunks(const Weights& weights, size_t count) {
  const std::vector<size_t>&upto = weights.upto, &across = weights.across;
  std::vector<size_t> last;
  size_t begin = 0;
  for (size_t i = 0; last.size() + 1 < count && i + 1 < upto.size(); ++i) {
    const size_t piece = (upto.back() - begin) / (count - last.size());
    while (i + 2 < upto.size() && upto[i] - begin < piece - piece / 4) ++i;
    size_t best = i;
    for (size_t at = i + 1; at + 1 < upto.size() && upto[at] - begin <= piece + piece / 4; ++at) {
      const bool as_few = across[at] == across[best] && upto[at] - begin <= piece;
      if (across[at] < across[best] || as_few) best = at;
    }
    last.push_back(best);
    begin = upto[best];
    i = best;
  }
  last.push_back(upto.size() - 1);
  return last;
}

// A line that starts a function, of which other texts know then.
std::string SharedLine(std::string_view line) {
  constexpr std::string_view kStatic = "static ";
  std::string shared(line);
  return shared.erase(shared.find(kStatic), kStatic.size());
}

std::string Shared(std::string_view text) {
  std::string shared;
  shared.reserve(text.size());
  for (size_t at = 0; at < text.size(); at += LineAt(text, at).size()) {
    const std::string_view line = LineAt(text, at);
    shared += StartsFunction(line) ? SharedLine(line) : std::string(line);
  }
  return shared;
}

// What stands before the functions, of which a chunk has the declarations that it needs: in a text
// of many functions all of them take as much as the chunk.
class Head {
 public:
  explicit Head(std::string_view text) {
    for (size_t at = 0; at < text.size(); at += LineAt(text, at).size()) {
      const std::string_view line = LineAt(text, at);
      if (StartsFunction(line)) {
        ForEachName(line, [&](std::string_view name) { declared_.emplace_back(name, line); });
      } else {
        fixed_ += line;
      }
    }
  }

  size_t fixed_bytes() const { return fixed_.size(); }

  // For functions that are, and call, those named in `texts`.
  std::string For(std::initializer_list<std::string_view> texts) const {
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

 private:
  std::string fixed_;
  std::vector<std::pair<std::string_view, std::string_view>> declared_;  // name, line; in order
};

}  // namespace

size_t BytesOfFunctions(std::string_view text) { return FindFunctions(text).bytes(); }

std::vector<std::string> ChunksOf(std::string_view text, size_t bytes) {
  const Cut cut = FindFunctions(text);
  const size_t all = cut.bytes();
  const Head head(text.substr(0, cut.begin));
  const size_t count =
      std::min({all / std::max<size_t>(bytes, 1) + 1, kMostChunks,
                (all + kSpare) / std::max<size_t>(head.fixed_bytes(), 1), cut.ends.size()});
  if (count <= 1) return {std::string(text)};
  const std::string module_start = LineText(kModuleFile);
  const size_t module_at = text.rfind(module_start, cut.begin);
  const auto lines = [&](size_t begin, size_t end) {
    return static_cast<size_t>(std::count(text.begin() + begin, text.begin() + end, '\n'));
  };
  const bool is_counted = module_at != std::string_view::npos;
  // The line of the module's part where the functions of the next chunk begin.
  size_t line = is_counted ? 1 + lines(module_at + module_start.size(), cut.begin) : 0;
  std::vector<std::string> chunks;
  size_t from = cut.begin;
  for (const size_t last : LastOfChunks(WeightsOf(text, cut), count)) {
    const size_t end = cut.ends[last];
    const std::string_view functions = text.substr(from, end - from);
    const std::string_view rest = end == cut.ends.back() ? text.substr(end) : "";
    const std::string place = is_counted ? LineText(kModuleFile, line) : "";
    chunks.push_back(head.For({functions, rest}) + place + Shared(functions).append(rest));
    line += lines(from, end);
    from = end;
  }
  return chunks;
}

}  // namespace wb
