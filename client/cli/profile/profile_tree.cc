#include "client/cli/profile/profile_tree.h"

#include <cstdio>
#include <map>
#include <utility>

#include "client/cli/output/demangle.h"
#include "client/cli/output/trap_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint32_t kInstantiation = 0xffffffff;
constexpr uint32_t kMostDepth = 1024;  // more than any daemon sends

std::string LabelOf(const v1::ProfileFrame& frame) {
  if (frame.many_callers()) return "(many callers)";
  std::string label = "function " + std::to_string(frame.function());
  if (frame.function() == kInstantiation) label = "instantiation";
  if (!frame.function_name().empty()) label = Printable(DemangledName(frame.function_name()));
  if (!frame.module().empty()) label += " [" + Printable(frame.module()) + "]";
  if (frame.loop() == 0) return label;
  char offset[32];
  std::snprintf(offset, sizeof(offset), " loop 0x%x", frame.loop());
  return label + offset;
}

// Functions of one name are told apart by their numbers.
std::vector<std::string> LabelsOf(const v1::Profile& profile) {
  std::map<std::string, int> count;
  std::vector<std::string> labels;
  for (const v1::ProfileFrame& frame : profile.frames()) {
    labels.push_back(LabelOf(frame));
    ++count[labels.back()];
  }
  for (int i = 0; i < profile.frames_size(); ++i) {
    std::string& label = labels[static_cast<size_t>(i)];
    if (count[label] > 1) label += " #" + std::to_string(profile.frames(i).function());
  }
  return labels;
}

Status NoTree() {
  return Status(Reason::kInternal, "The daemon's answer is no profile: its nodes are no tree.");
}

}  // namespace

Result<ProfileTree> TreeOf(const v1::Profile& profile) {
  ProfileTree tree;
  tree.labels = LabelsOf(profile);
  const auto root_label = static_cast<uint32_t>(tree.labels.size());
  tree.labels.push_back("(the job's steps)");
  for (const v1::ProfileNode& from : profile.nodes()) {
    const auto number = static_cast<uint32_t>(tree.nodes.size());
    ProfileTree::Node node;
    node.calls = from.calls();
    node.self = node.total = from.fuel();
    node.label = root_label;
    if (number != 0) {
      if (from.parent() >= number || from.frame() >= root_label) return NoTree();
      node.parent = from.parent();
      node.label = from.frame();
      node.depth = tree.nodes[node.parent].depth + 1;
      node.is_loop = profile.frames(static_cast<int>(from.frame())).loop() != 0;
    }
    if (node.depth > kMostDepth) return NoTree();
    tree.nodes.push_back(node);
  }
  if (tree.nodes.empty()) return NoTree();
  for (size_t i = tree.nodes.size() - 1; i > 0; --i) {
    tree.nodes[tree.nodes[i].parent].total += tree.nodes[i].total;
  }
  return tree;
}

}  // namespace wb::cli
