#pragma once

// Numbers and times as a row of small bars. Pure. UTF-8, or ASCII for terminals that have no more.

#include <cstdint>
#include <string>
#include <vector>

namespace wb::cli {

enum class Glyphs : uint8_t { kUnicode, kAscii };

// The last `width` numbers, oldest first, each as a bar as high as its share of the largest;
// shorter rows are filled with blanks on the left. Numbers below zero count as zero.
std::string Sparkline(const std::vector<double>& numbers, size_t width, Glyphs glyphs);

struct TimeSpan {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// The time from `from_ns` to `to_ns` in `width` parts: how much of each the spans cover, as a bar;
// a part that none touches is a rest, "·". Spans may overlap, and lie outside.
std::string Timeline(const std::vector<TimeSpan>& spans, int64_t from_ns, int64_t to_ns,
                     size_t width, Glyphs glyphs);

// "[####----]": how much of `whole` is done, `width` characters with the brackets.
std::string ProgressBar(uint64_t done, uint64_t whole, size_t width);

}  // namespace wb::cli
