#include "client/cli/profile/flame_graph.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "client/cli/profile/profile_text.h"

namespace wb::cli {
namespace {

// In pixels.
constexpr double kWidth = 1200;
constexpr double kSide = 10;
constexpr double kRow = 18;
constexpr double kHead = 44;
constexpr double kLetter = 6.7;  // of the font, on the whole
constexpr double kNarrowest = 0.2;

std::string Number(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", number);
  return text;
}

// As XML. Two characters that UTF-8 can write and XML cannot have become question marks.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string three = text.substr(i, 3);
    if (three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {
      escaped += '?';
      i += 2;
      continue;
    }
    switch (text[i]) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += text[i];
    }
  }
  return escaped;
}

// As much of the label as there is room for.
std::string Fitting(const std::string& label, double width) {
  const auto room = static_cast<size_t>(std::max(0.0, (width - 6) / kLetter));
  if (label.size() <= room) return label;
  if (room < 4) return "";
  size_t end = room - 2;
  while (end > 0 && (static_cast<uint8_t>(label[end]) & 0xc0) == 0x80) --end;
  return label.substr(0, end) + "..";
}

// Warm for functions, cold for loops; a label has the same shade everywhere.
std::string ColourOf(const std::string& label, bool is_loop) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : label) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  const uint32_t hue = (is_loop ? 190 : 15) + hash % 40;
  const uint32_t light = 62 + hash / 64 % 14;
  return "hsl(" + std::to_string(hue) + ",80%," + std::to_string(light) + "%)";
}

struct Box {
  double x = 0;
  double width = 0;
  double next = 0;  // where the next box above it begins
};

// Children lie beside one another in the order of their numbers, from their parent's left on.
std::vector<Box> BoxesOf(const ProfileTree& tree) {
  const double whole = std::max<double>(1, static_cast<double>(tree.nodes[0].total));
  std::vector<Box> boxes(tree.nodes.size());
  boxes[0] = {kSide, kWidth - 2 * kSide, kSide};
  for (size_t i = 1; i < boxes.size(); ++i) {
    Box& parent = boxes[tree.nodes[i].parent];
    const double width = static_cast<double>(tree.nodes[i].total) / whole * (kWidth - 2 * kSide);
    boxes[i] = {parent.next, width, parent.next};
    parent.next += width;
  }
  return boxes;
}

std::string BoxText(const ProfileTree& tree, size_t number, const Box& box, double y) {
  const ProfileTree::Node& node = tree.nodes[number];
  const std::string label = number == 0 ? "all" : tree.labels[node.label];
  const std::string about =
      label + ": " + ShareText(node.total, tree.nodes[0].total) + ", " +
      std::to_string(node.total) + " instructions, " + std::to_string(node.self) + " of its own" +
      (node.calls == 0
           ? ""
           : ", " + std::to_string(node.calls) + (node.is_loop ? " times entered" : " calls"));
  std::string text = "<g><title>" + Escaped(about) + "</title><rect x=\"" + Number(box.x) +
                     "\" y=\"" + Number(y) + "\" width=\"" + Number(box.width) + "\" height=\"" +
                     Number(kRow - 1) + "\" fill=\"" + ColourOf(label, node.is_loop) + "\"/>";
  const std::string shown = Fitting(label, box.width);
  if (!shown.empty()) {
    text += "<text x=\"" + Number(box.x + 3) + "\" y=\"" + Number(y + 13) + "\">" + Escaped(shown) +
            "</text>";
  }
  return text + "</g>\n";
}

}  // namespace

std::string FlameGraph(const ProfileTree& tree, const std::string& title) {
  const std::vector<Box> boxes = BoxesOf(tree);
  uint32_t depth = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].width >= kNarrowest) depth = std::max(depth, tree.nodes[i].depth);
  }
  const double height = kHead + (depth + 1) * kRow + kSide;
  std::string svg =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
      Number(kWidth) + "\" height=\"" + Number(height) + "\" viewBox=\"0 0 " + Number(kWidth) +
      " " + Number(height) +
      "\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fffdf6\"/>\n<text x=\"" +
      Number(kSide) + "\" y=\"26\" font-size=\"14\">" + Escaped(title) + "</text>\n";
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (i != 0 && boxes[i].width < kNarrowest) continue;
    svg += BoxText(tree, i, boxes[i], height - kSide - (tree.nodes[i].depth + 1) * kRow);
  }
  return svg + "</svg>\n";
}

}  // namespace wb::cli
