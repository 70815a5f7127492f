#include "client/cli/profile/profile_text.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "client/cli/output/print.h"
#include "client/cli/output/trap_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct Row {
  uint32_t label = 0;
  uint64_t self = 0;
  uint64_t total = 0;
  uint64_t calls = 0;
};

bool IsBelowItself(const ProfileTree& tree, uint32_t node) {
  for (uint32_t at = tree.nodes[node].parent; at != 0; at = tree.nodes[at].parent) {
    if (tree.nodes[at].label == tree.nodes[node].label) return true;
  }
  return false;
}

std::vector<Row> RowsOf(const ProfileTree& tree) {
  std::vector<Row> rows(tree.labels.size());
  for (uint32_t label = 0; label < rows.size(); ++label) rows[label].label = label;
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const ProfileTree::Node& node = tree.nodes[i];
    Row& row = rows[node.label];
    row.self += node.self;
    row.calls += node.calls;
    // Of the job's steps: what they pay besides their calls.
    if (i == 0) row.total += node.self;
    if (i != 0 && !IsBelowItself(tree, i)) row.total += node.total;
  }
  std::erase_if(rows, [](const Row& row) { return row.total == 0; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.self > b.self; });
  return rows;
}

std::string CutText(const v1::Profile& profile, v1::ProfiledInstance::Cut cut, const char* why) {
  const auto count =
      std::count_if(profile.sample().begin(), profile.sample().end(),
                    [cut](const v1::ProfiledInstance& instance) { return instance.cut() == cut; });
  if (count == 0) return "";
  return std::to_string(count) + (count == 1 ? " of them was" : " of them were") + " stopped " +
         why + ": the first part counts.\n";
}

}  // namespace

std::string ShareText(uint64_t part, uint64_t whole) {
  char text[32];
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  std::snprintf(text, sizeof(text), "%.1f%%", 100 * share);
  return text;
}

std::string TopTable(const ProfileTree& tree, size_t rows) {
  const uint64_t whole = tree.nodes[0].total;
  std::vector<std::vector<std::string>> table = {
      {"SELF", "FUEL", "TOTAL", "FUEL", "CALLS", "FUNCTION"}};
  for (const Row& row : RowsOf(tree)) {
    if (table.size() > rows) break;
    table.push_back({ShareText(row.self, whole), std::to_string(row.self),
                     ShareText(row.total, whole), std::to_string(row.total),
                     std::to_string(row.calls), tree.labels[row.label]});
  }
  return Table(table);
}

std::string SampleText(const v1::Profile& profile) {
  using Cut = v1::ProfiledInstance;
  std::string text = profile.job() + ": " + std::to_string(profile.sample_size()) + " of " +
                     std::to_string(profile.instances()) + " instances ran again, " +
                     CountText(static_cast<double>(profile.fuel())) + " of " +
                     CountText(static_cast<double>(profile.job_fuel())) + " instructions (" +
                     ShareText(profile.fuel(), profile.job_fuel()) + ").\n";
  text += CutText(profile, Cut::FUEL, "after profiles.max_fuel instructions");
  text += CutText(profile, Cut::TIME, "when the time of the profile was over");
  text += CutText(profile, Cut::MEMORY,
                  "where more memory was needed than profiles.max_memory_bytes leaves it");
  if (!profile.note().empty()) text += Printable(profile.note()) + "\n";
  return text;
}

}  // namespace wb::cli
