#include "client/cli/profile/folded_stacks.h"

#include <algorithm>
#include <vector>

namespace wb::cli {
namespace {

// The separators of the format are in no name.
std::string WithoutSeparators(std::string label) {
  std::replace(label.begin(), label.end(), ';', ':');
  return label;
}

}  // namespace

std::string FoldedStacks(const ProfileTree& tree) {
  std::vector<std::string> labels;
  for (const std::string& label : tree.labels) labels.push_back(WithoutSeparators(label));
  std::string text;
  std::vector<uint32_t> way;
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].self == 0) continue;
    way.clear();
    for (uint32_t at = i; at != 0; at = tree.nodes[at].parent) way.push_back(at);
    if (i == 0) way.push_back(0);
    for (auto it = way.rbegin(); it != way.rend(); ++it) {
      text += (it == way.rbegin() ? "" : ";") + labels[tree.nodes[*it].label];
    }
    text += " " + std::to_string(tree.nodes[i].self) + "\n";
  }
  return text;
}

}  // namespace wb::cli
