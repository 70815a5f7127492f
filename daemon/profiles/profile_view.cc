#include "daemon/profiles/profile_view.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace wb {

namespace v1 = wasmburst::v1;

v1::Profile WithoutLoops(const v1::Profile& profile) {
  v1::Profile view = profile;
  view.set_loops(false);
  view.clear_nodes();
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;  // by parent and frame
  std::vector<uint32_t> places;
  for (const v1::ProfileNode& node : profile.nodes()) {
    const bool is_first = places.empty();
    const uint32_t parent = is_first ? 0 : places[node.parent()];
    const bool is_loop = !is_first && profile.frames(static_cast<int>(node.frame())).loop() != 0;
    uint32_t place = parent;
    if (is_first || !is_loop) {
      const auto next = static_cast<uint32_t>(view.nodes_size());
      const auto [at, is_new] = known.emplace(std::pair(parent, node.frame()), next);
      place = is_first ? 0 : at->second;
      if (is_first || is_new) view.add_nodes()->set_parent(parent);
      if (is_first) known.clear();
    }
    places.push_back(place);
    v1::ProfileNode* into = view.mutable_nodes(static_cast<int>(place));
    into->set_fuel(into->fuel() + node.fuel());
    if (is_loop) continue;
    into->set_frame(node.frame());
    into->set_calls(into->calls() + node.calls());
  }
  return view;
}

}  // namespace wb
