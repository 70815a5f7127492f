#include "scheduler/devices/migration/frame_walk.h"

#include <algorithm>

#include "compiler/abi/lane.h"

namespace wb {

FrameMap::FrameMap(const LoweredModule& module)
    : imported_(module.program.module->imported_functions) {
  for (const ir::Function& function : module.program.functions) {
    Frame frame;
    frame.words = function.bounded ? 0 : function.frame_words;
    frame.slots = function.stack_slots;
    frame.recursive = function.recursive;
    frame.first_safepoint = static_cast<uint32_t>(callees_.size());
    frame.safepoints = function.safepoints;
    callees_.resize(callees_.size() + function.safepoints + 1, kNone);
    for (const ir::Call& call : function.calls) {
      if (call.safepoint != 0) callees_[frame.first_safepoint + call.safepoint] = call.callee;
    }
    frames_.push_back(frame);
  }
}

const FrameMap::Frame* FrameMap::FrameOf(uint32_t function) const {
  if (function < imported_ || function - imported_ >= frames_.size()) return nullptr;
  const Frame& frame = frames_[function - imported_];
  return frame.words == 0 ? nullptr : &frame;
}

// The outermost first.
std::optional<std::vector<RootWords>> FrameMap::RootsOf(const LaneWords& frames, uint64_t words,
                                                        const RootWords& innermost,
                                                        uint32_t capacity) const {
  std::vector<RootWords> roots = {innermost};
  while (roots.back().base != 0) {
    const uint32_t base = roots.back().base;
    if (base < abi::LINK_WORDS || base > words) return std::nullopt;
    const LaneWords link = frames.from(base - abi::LINK_WORDS);
    const RootWords caller{link.at(abi::LINK_FUNCTION), link.at(abi::LINK_BASE),
                           capacity - link.at(abi::LINK_ROOM)};
    if (caller.base >= base - abi::LINK_WORDS) return std::nullopt;
    roots.push_back(caller);
  }
  std::reverse(roots.begin(), roots.end());
  return roots;
}

bool FrameMap::WalkRoot(const LaneWords& frames, uint64_t words, uint32_t function, bool calls_root,
                        Extent& extent) const {
  for (;;) {
    const Frame* frame = FrameOf(function);
    if (frame == nullptr || extent.words + frame->words > words) return false;
    const uint32_t safepoint = frames.at(extent.words);
    if (safepoint == 0 || safepoint > frame->safepoints) return false;
    extent.words += frame->words;
    extent.slots += frame->slots;
    function = callees_[frame->first_safepoint + safepoint];
    if (function == kNone) return !calls_root;
    const Frame* callee = FrameOf(function);
    if (callee == nullptr) return false;
    if (callee->recursive) return calls_root;
  }
}

std::optional<FrameMap::Extent> FrameMap::Walk(const LaneWords& frames, uint64_t words,
                                               const RootWords& innermost,
                                               uint32_t capacity) const {
  const auto roots = RootsOf(frames, words, innermost, capacity);
  if (!roots) return std::nullopt;
  Extent extent;
  for (const RootWords& root : *roots) {
    if (root.base != 0) {
      extent.links.push_back(extent.words);
      extent.words += abi::LINK_WORDS;
    }
    if (root.base != extent.words || root.used != extent.slots) return std::nullopt;
    const bool calls_root = &root != &roots->back();
    if (!WalkRoot(frames, words, root.function, calls_root, extent)) return std::nullopt;
  }
  if (extent.slots > capacity) return std::nullopt;
  return extent;
}

std::optional<FrameMap::Extent> FrameMap::WalkFrom(const LaneWords& head, const LaneWords& frames,
                                                   uint64_t words, uint32_t capacity) const {
  if (head.at(abi::LANE_RESUME) == 0) return Extent();
  if (head.at(abi::LANE_ROOT_FRESH) != 0) return std::nullopt;
  const RootWords innermost{head.at(abi::LANE_ROOT_FUNCTION), head.at(abi::LANE_ROOT_BASE),
                            capacity - head.at(abi::LANE_ROOT_ROOM)};
  return Walk(frames, words, innermost, capacity);
}

}  // namespace wb
