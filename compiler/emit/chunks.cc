#include "compiler/emit/chunks.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

constexpr size_t kMostChunks = 64;
// Each chunk has a copy of what stands before the functions. All copies together may take as much
// as the functions, and this.
constexpr size_t kSpare = size_t{1} << 20;

// Where the functions stand, and where each ends.
struct Cut {
  size_t begin = 0;
  std::vector<size_t> ends;  // ascending; the last is where the rest begins

  size_t bytes() const { return ends.empty() ? 0 : ends.back() - begin; }
};

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
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
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

// By function, in their order: how many calls there are between those up to it and those behind it.
std::vector<size_t> CallsAcross(std::string_view text, const Cut& cut) {
  std::unordered_map<std::string_view, size_t> functions;
  const auto body = [&](size_t i) {
    const size_t begin = i == 0 ? cut.begin : cut.ends[i - 1];
    return text.substr(begin, cut.ends[i] - begin);
  };
  for (size_t i = 0; i < cut.ends.size(); ++i) {
    const std::string_view all = body(i);
    ForEachName(all.substr(0, all.find('\n')), [&](std::string_view name) { functions[name] = i; });
  }
  std::vector<size_t> begin(cut.ends.size() + 1), end(cut.ends.size() + 1);
  for (size_t i = 0; i < cut.ends.size(); ++i) {
    ForEachName(body(i), [&](std::string_view name) {
      const auto callee = functions.find(name);
      if (callee == functions.end()) return;
      ++begin[std::min(i, callee->second)];
      ++end[std::max(i, callee->second)];
    });
  }
  std::vector<size_t> across(cut.ends.size());
  size_t open = 0;
  for (size_t i = 0; i < across.size(); ++i) across[i] = open = open + begin[i] - end[i];
  return across;
}

// The functions that are the last of a chunk, `count` of them. Near where equal pieces would end,
// that is by up to a quarter of one, the place that the fewest calls cross: what is called in its
// own chunk may be inlined.
std::vector<size_t> LastOfChunks(std::string_view text, const Cut& cut, size_t count) {
  const std::vector<size_t> across = CallsAcross(text, cut);
  const std::vector<size_t>& ends = cut.ends;
  std::vector<size_t> last;
  size_t begin = cut.begin;
  for (size_t i = 0; last.size() + 1 < count && i + 1 < ends.size(); ++i) {
    const size_t piece = (ends.back() - begin) / (count - last.size());
    while (i + 2 < ends.size() && ends[i] - begin < piece - piece / 4) ++i;
    size_t best = i;
    for (size_t at = i + 1; at + 1 < ends.size() && ends[at] - begin <= piece + piece / 4; ++at) {
      const bool as_few = across[at] == across[best] && ends[at] - begin <= piece;
      if (across[at] < across[best] || as_few) best = at;
    }
    last.push_back(best);
    begin = ends[best];
    i = best;
  }
  last.push_back(ends.size() - 1);
  return last;
}

// The same text, with functions that other texts know.
std::string Shared(std::string_view text) {
  constexpr std::string_view kStatic = "static ";
  std::string shared;
  shared.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    if (StartsFunction(line)) {
      const size_t word = line.find(kStatic);
      shared += line.substr(0, word);
      line.remove_prefix(word + kStatic.size());
    }
    shared += line;
    at = end;
  }
  return shared;
}

}  // namespace

size_t BytesOfFunctions(std::string_view text) { return FindFunctions(text).bytes(); }

std::vector<std::string> ChunksOf(std::string_view text, size_t bytes) {
  const Cut cut = FindFunctions(text);
  const size_t all = cut.bytes();
  const size_t count = std::min({all / std::max<size_t>(bytes, 1) + 1, kMostChunks,
                                 (all + kSpare) / std::max<size_t>(cut.begin, 1), cut.ends.size()});
  if (count <= 1) return {std::string(text)};
  const std::string head = Shared(text.substr(0, cut.begin));
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
  for (const size_t last : LastOfChunks(text, cut, count)) {
    const size_t end = cut.ends[last];
    const std::string place = is_counted ? LineText(kModuleFile, line) : "";
    chunks.push_back(head + place + Shared(text.substr(from, end - from)));
    line += lines(from, end);
    from = end;
  }
  chunks.back() += text.substr(from);
  return chunks;
}

}  // namespace wb
