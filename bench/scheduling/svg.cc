#include "bench/scheduling/svg.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace wb::bench {
namespace {

constexpr double kWidth = 960, kHeight = 320, kLeft = 60, kRight = 16, kTop = 40, kBottom = 60;
constexpr double kSpanHeight = 12;
constexpr int kTicks = 5;

std::string Short(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

class Frame {
 public:
  explicit Frame(const Plot& plot) : plot_(plot) {}
  double X(double seconds) const {
    return kLeft + (kWidth - kLeft - kRight) * seconds / plot_.seconds;
  }
  double Y(double value) const {
    const double share = (value - plot_.lowest) / (plot_.highest - plot_.lowest);
    return kHeight - kBottom - (kHeight - kTop - kBottom) * std::clamp(share, 0.0, 1.0);
  }

 private:
  const Plot& plot_;
};

void Text(std::ostream& out, double x, double y, const std::string& text,
          const std::string& colour = "#333") {
  out << "<text x='" << Short(x) << "' y='" << Short(y) << "' fill='" << colour << "'>" << text
      << "</text>\n";
}

void Axes(std::ostream& out, const Plot& plot, const Frame& frame) {
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double share = static_cast<double>(tick) / kTicks;
    const double value = plot.lowest + share * (plot.highest - plot.lowest);
    out << "<line x1='" << kLeft << "' x2='" << kWidth - kRight << "' y1='" << Short(frame.Y(value))
        << "' y2='" << Short(frame.Y(value)) << "' stroke='#ddd'/>\n";
    Text(out, 8, frame.Y(value) + 4, Short(value) + (tick == kTicks ? " " + plot.unit : ""));
    Text(out, frame.X(share * plot.seconds) - 10, kHeight - 12, Short(share * plot.seconds) + " s");
  }
}

}  // namespace

bool WriteSvg(const Plot& plot, const std::string& path) {
  const Frame frame(plot);
  std::ostringstream out;
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << kWidth << "' height='" << kHeight
      << "' font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' "
         "fill='white'/>\n";
  Text(out, kLeft, 18, plot.title);
  Axes(out, plot, frame);
  for (const Span& span : plot.spans) {
    out << "<rect x='" << Short(frame.X(span.begin)) << "' y='" << kHeight - kBottom + 8
        << "' width='" << Short(std::max(0.3, frame.X(span.end) - frame.X(span.begin)))
        << "' height='" << kSpanHeight << "' fill='" << span.colour << "'/>\n";
  }
  double name_x = kLeft;
  for (const Line& line : plot.lines) {
    out << "<polyline fill='none' stroke='" << line.colour << "' points='";
    for (const auto& [seconds, value] : line.points) {
      out << Short(frame.X(seconds)) << "," << Short(frame.Y(value)) << " ";
    }
    out << "'/>\n";
    Text(out, name_x, 33, line.name, line.colour);
    name_x += 12 + 7 * static_cast<double>(line.name.size());
  }
  out << "</svg>\n";
  std::ofstream file(path);
  file << out.str();
  return static_cast<bool>(file.flush());
}

}  // namespace wb::bench
