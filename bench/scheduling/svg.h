#pragma once

// A plot over time as an SVG picture: lines against one axis, and coloured spans below them.

#include <string>
#include <utility>
#include <vector>

namespace wb::bench {

struct Line {
  std::string name;
  std::string colour;
  std::vector<std::pair<double, double>> points;  // seconds, value; ascending
};

struct Span {
  double begin;  // seconds
  double end;
  std::string colour;
};

struct Plot {
  std::string title;
  std::string unit;  // of the lines' values
  double seconds = 0;
  double lowest = 0;
  double highest = 1;
  std::vector<Line> lines;
  std::vector<Span> spans;
};

// False: the file cannot be written.
bool WriteSvg(const Plot& plot, const std::string& path);

}  // namespace wb::bench
