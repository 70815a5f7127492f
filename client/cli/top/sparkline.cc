#include "client/cli/top/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace wb::cli {
namespace {

constexpr std::array<std::string_view, 9> kUnicodeBars = {" ", "▁", "▂", "▃", "▄",
                                                          "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> kAsciiBars = {" ", ".", ":", "-", "=",
                                                        "+", "*", "%", "#"};

const std::array<std::string_view, 9>& BarsOf(Glyphs glyphs) {
  return glyphs == Glyphs::kUnicode ? kUnicodeBars : kAsciiBars;
}

// 0 only for nothing: what is there at all is seen.
size_t HeightOf(double share) {
  if (!(share > 0)) return 0;
  return std::clamp<size_t>(static_cast<size_t>(std::lround(share * 8)), 1, 8);
}

}  // namespace

std::string Sparkline(const std::vector<double>& numbers, size_t width, Glyphs glyphs) {
  const size_t shown = std::min(width, numbers.size());
  const auto first = numbers.end() - static_cast<std::ptrdiff_t>(shown);
  const double most = shown == 0 ? 0 : *std::max_element(first, numbers.end());
  std::string text(width - shown, ' ');
  for (auto number = first; number != numbers.end(); ++number) {
    text += BarsOf(glyphs)[most > 0 ? HeightOf(*number / most) : 0];
  }
  return text;
}

std::string Timeline(const std::vector<TimeSpan>& spans, int64_t from_ns, int64_t to_ns,
                     size_t width, Glyphs glyphs) {
  if (width == 0 || to_ns <= from_ns) return std::string(width, ' ');
  const double part = static_cast<double>(to_ns - from_ns) / static_cast<double>(width);
  std::vector<double> covered(width, 0);
  for (const TimeSpan& span : spans) {
    const double begin = static_cast<double>(span.begin_ns - from_ns) / part;
    const double end = static_cast<double>(span.end_ns - from_ns) / part;
    if (end < 0 || begin >= static_cast<double>(width)) continue;
    const auto first = static_cast<size_t>(std::max(begin, 0.0));
    for (size_t i = first; i < width && static_cast<double>(i) <= end; ++i) {
      const auto at = static_cast<double>(i);
      // A burst is seen however short it was.
      covered[i] += std::max(std::min(end, at + 1) - std::max(begin, at), 0.01);
    }
  }
  const std::string_view rest = glyphs == Glyphs::kUnicode ? "·" : "_";
  std::string text;
  for (const double share : covered) text += share > 0 ? BarsOf(glyphs)[HeightOf(share)] : rest;
  return text;
}

std::string ProgressBar(uint64_t done, uint64_t whole, size_t width) {
  if (width < 3) return "";
  const size_t inner = width - 2;
  const double share = whole == 0 ? 0 : static_cast<double>(done) / static_cast<double>(whole);
  const size_t full = std::min(inner, static_cast<size_t>(share * static_cast<double>(inner)));
  return "[" + std::string(full, '#') + std::string(inner - full, '-') + "]";
}

}  // namespace wb::cli
