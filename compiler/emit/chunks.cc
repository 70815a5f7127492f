#include "compiler/emit/chunks.h"

#include <algorithm>

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
  for (const size_t end : cut.ends) {
    const bool last = end == cut.ends.back();
    if (!last && end - cut.begin < all / count * (chunks.size() + 1)) continue;
    const std::string place = is_counted ? LineText(kModuleFile, line) : "";
    chunks.push_back(head + place + Shared(text.substr(from, end - from)));
    line += lines(from, end);
    from = end;
  }
  chunks.back() += text.substr(from);
  return chunks;
}

}  // namespace wb
