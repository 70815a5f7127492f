#pragma once

// The states of a function's dispatch regions: where each begins and which safepoints lie in it. A
// state is the rows from a label (a loop's header, an else arm, an end that branches reach) to the
// next label of the same region, with the structured constructs between.

#include <cstdint>
#include <vector>

#include "compiler/emit/plan/flat_plan.h"
#include "compiler/ir/ir.h"

namespace wb {

struct FlatState {
  uint32_t loop = 0;  // the state begins with this loop's header; 0: none
  uint32_t first_safepoint = 1;
  uint32_t last_safepoint = 0;  // none: first > last
  // The state begins behind the first of them.
  bool behind_safepoint = false;
  // The state begins with the rows of the function's entry, which pay and ask as a loop's header
  // does.
  bool entry = false;
};

struct FlatRegion {
  uint32_t root = 0;
  uint32_t level = 1;             // regions within one another, this one included
  FlatState entry;                // what comes before the first label
  std::vector<FlatState> states;  // numbered from 1; 0 means: out of the region
};

class FlatLabels {
 public:
  FlatLabels(const ir::Function& function, const FlatPlan& plan);

  // The most regions within one another; 0: there are none.
  uint32_t levels() const { return levels_; }
  // The region of this root.
  const FlatRegion& RegionOf(uint32_t root) const { return regions_[region_of_[root]]; }
  // The state where a branch to a flat construct goes on: a loop's header, else the end. 0: it goes
  // out of the region.
  uint32_t StateOf(uint64_t construct) const { return state_of_[construct]; }
  uint32_t ElseOf(uint64_t construct) const { return else_of_[construct]; }
  // In a function that loops over its activations: the state that begins behind this safepoint, a
  // row or a call of the function itself. 0: none does.
  uint32_t Behind(uint32_t safepoint) const { return behind_[safepoint]; }

 private:
  void Visit(const ir::Inst& inst);
  void VisitSafepoint(const ir::Inst& inst);
  void OpenRegion(uint32_t root);
  void End(uint32_t construct);
  // Begins a state of a region; returns its number.
  uint32_t Begin(uint32_t root, uint32_t first_safepoint, uint32_t loop);

  const ir::Function& function_;
  const FlatPlan& plan_;
  std::vector<FlatRegion> regions_;
  std::vector<uint32_t> region_of_;  // per construct that is a root: index into regions_
  std::vector<uint32_t> state_of_;   // per construct
  std::vector<uint32_t> else_of_;
  std::vector<uint32_t> behind_;  // per safepoint
  std::vector<uint32_t> open_;    // roots
  std::vector<uint32_t> inside_;  // constructs
  uint32_t levels_ = 0;
};

}  // namespace wb
