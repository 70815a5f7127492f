#include "scheduler/devices/interpreter/fuel_recorder.h"

#include <utility>

namespace wb {
namespace {

constexpr uint32_t kRoot = 0;
constexpr uint32_t kManyCallersNode = 1;

}  // namespace

FuelRecorder::FuelRecorder() { (void)Take(); }

FuelProfile FuelRecorder::Take() {
  FuelProfile profile;
  for (const Node& node : nodes_) {
    profile.push_back({node.parent, node.function, node.offset, node.calls, node.fuel});
  }
  nodes_.assign(2, Node());
  nodes_[kManyCallersNode].function = FuelNode::kManyCallers;
  nodes_[kManyCallersNode].base = kManyCallersNode;
  nodes_[kManyCallersNode].depth = 1;
  nodes_[kRoot].first_child = kManyCallersNode;
  callers_.clear();
  current_ = kRoot;
  used_ = charged_ = 0;
  grant_ = 0;
  return profile;
}

void FuelRecorder::Charge(uint32_t left) {
  // The fuel that is left may be less than none: it wraps as the engine's does.
  const uint64_t used = used_ + (grant_ - left);
  nodes_[current_].fuel += used - charged_;
  charged_ = used;
}

void FuelRecorder::BeginTurn(uint64_t used, uint32_t grant) {
  if (used < charged_) charged_ = used;  // another instance
  used_ = used;
  grant_ = grant;
  Charge(grant);
}

void FuelRecorder::BeginStep() {
  callers_.clear();
  current_ = kRoot;
}

void FuelRecorder::Enter(const ByteFunction& function, uint32_t left) {
  Charge(left);
  callers_.push_back(current_);
  Node callee;
  callee.function = function.index;
  current_ = Child(current_, callee);
  ++nodes_[current_].calls;
}

void FuelRecorder::Leave(uint32_t left) {
  Charge(left);
  current_ = callers_.back();
  callers_.pop_back();
}

void FuelRecorder::AtLoop(const ByteFunction& function, uint32_t loop, uint32_t left) {
  if (nodes_[current_].loop == loop) return;
  Charge(left);
  const uint32_t before = nodes_[current_].loop;
  current_ = LoopNode(function, nodes_[current_].base, loop);
  // From an inner loop to the outer one is no new way into that.
  if (loop > before) ++nodes_[current_].calls;
}

uint32_t FuelRecorder::LoopNode(const ByteFunction& function, uint32_t base, uint32_t loop) {
  std::vector<uint32_t> way;
  for (uint32_t at = loop; at != 0; at = function.loops[at].outer) way.push_back(at);
  uint32_t node = base;
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    Node inner;
    inner.function = function.index;
    inner.loop = *it;
    inner.offset = function.loops[*it].offset;
    inner.base = base;
    node = Child(node, inner);
  }
  return node;
}

uint32_t FuelRecorder::Find(uint32_t parent, const Node& wanted) {
  uint32_t before = 0;
  for (uint32_t at = nodes_[parent].first_child; at != 0; before = at, at = nodes_[at].next) {
    Node& node = nodes_[at];
    const bool is_same_loop =
        node.loop == wanted.loop && (node.loop == 0 || node.base == wanted.base);
    if (node.function != wanted.function || !is_same_loop) continue;
    // What was found comes first the next time.
    if (before != 0) {
      nodes_[before].next = node.next;
      node.next = std::exchange(nodes_[parent].first_child, at);
    }
    return at;
  }
  return 0;
}

uint32_t FuelRecorder::Child(uint32_t parent, Node wanted) {
  while (nodes_[parent].depth >= kMostFuelDepth) parent = nodes_[parent].parent;
  if (const uint32_t known = Find(parent, wanted); known != 0) return known;
  if (nodes_.size() >= 2 * kMostFuelNodes) return kManyCallersNode;
  if (nodes_.size() >= kMostFuelNodes && parent != kManyCallersNode) {
    return Child(kManyCallersNode, wanted);
  }
  const auto made = static_cast<uint32_t>(nodes_.size());
  wanted.parent = parent;
  wanted.depth = nodes_[parent].depth + 1;
  if (wanted.loop == 0) wanted.base = made;
  wanted.next = std::exchange(nodes_[parent].first_child, made);
  nodes_.push_back(wanted);
  return made;
}

}  // namespace wb
