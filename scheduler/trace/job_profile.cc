#include "scheduler/trace/job_profile.h"

#include <utility>

namespace wb {

uint64_t FuelOf(const FuelProfile& profile) {
  uint64_t fuel = 0;
  for (const FuelNode& node : profile) fuel += node.fuel;
  return fuel;
}

ProfileBuilder::ProfileBuilder(const Module& module, bool loops) : module_(module), loops_(loops) {
  Begin();
}

void ProfileBuilder::Begin() {
  profile_ = {};
  profile_.loops = loops_;
  profile_.nodes.emplace_back();
  frames_.clear();
  children_.clear();
}

JobProfile ProfileBuilder::Take() {
  JobProfile taken = std::move(profile_);
  Begin();
  return taken;
}

std::optional<ProfileFrame> ProfileBuilder::FrameOf(const FuelNode& node) const {
  ProfileFrame frame;
  frame.many_callers = node.function == FuelNode::kManyCallers;
  if (frame.many_callers) return frame;
  if (node.function >= module_.functions.size() || (node.loop != 0 && !loops_)) return std::nullopt;
  const FunctionPlace place = module_.PlaceOf(node.function);
  frame.function = place.function.value_or(uint32_t{abi::NONE});
  frame.loop = node.loop;
  if (place.instance == nullptr && !place.function) {
    const Body& body = module_.bodies[node.function - module_.imported_functions];
    frame.function = node.function;
    return body.primitive != Primitive::kNone ? std::optional(frame) : std::nullopt;
  }
  if (place.instance == nullptr) return frame;
  if (place.instance->is_bound) return std::nullopt;
  frame.instance = static_cast<uint32_t>(place.instance - module_.instances.data());
  return frame;
}

uint32_t ProfileBuilder::FrameNumber(const ProfileFrame& frame) {
  const auto [at, is_new] = frames_.emplace(frame, static_cast<uint32_t>(profile_.frames.size()));
  if (is_new) profile_.frames.push_back(frame);
  return at->second;
}

uint32_t ProfileBuilder::Child(uint32_t parent, const ProfileFrame& frame) {
  const uint32_t number = FrameNumber(frame);
  if (const auto at = children_.find({parent, number}); at != children_.end()) return at->second;
  const ProfileFrame many{.many_callers = true};
  if (profile_.nodes.size() >= kMostNodes && !frame.many_callers) {
    const uint32_t others = Child(0, many);
    if (profile_.nodes.size() >= 2 * kMostNodes) return others;
    if (parent != others) return Child(others, frame);
  }
  const auto made = static_cast<uint32_t>(profile_.nodes.size());
  profile_.nodes.push_back({parent, number, 0, 0});
  children_.emplace(std::pair(parent, number), made);
  return made;
}

void ProfileBuilder::Add(const FuelProfile& fuel) {
  // A node that is used by none of its own or below it is not made.
  std::vector<bool> used(fuel.size(), false);
  for (size_t i = fuel.size(); i > 1; --i) {
    const FuelNode& node = fuel[i - 1];
    if (node.fuel != 0 || node.calls != 0) used[i - 1] = true;
    if (used[i - 1]) used[node.parent] = true;
  }
  std::vector<uint32_t> places(fuel.size(), 0);
  for (size_t i = 0; i < fuel.size(); ++i) {
    if (i != 0 && !used[i]) continue;
    const uint32_t parent = i == 0 ? 0 : places[fuel[i].parent];
    const std::optional<ProfileFrame> frame = i == 0 ? std::nullopt : FrameOf(fuel[i]);
    places[i] = frame ? Child(parent, *frame) : parent;
    ProfileNode& place = profile_.nodes[places[i]];
    place.fuel += fuel[i].fuel;
    if (frame) place.calls += fuel[i].calls;
    profile_.fuel += fuel[i].fuel;
  }
}

}  // namespace wb
