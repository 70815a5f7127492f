#pragma once

// The open dispatch regions around the end of the text. A region is a loop around a switch with a
// case for each state; `s1` names the next state, `s2` that of a region within the region. The code
// before the first label, the entry, stands before the loop, so that a br_table there jumps with
// one switch. A resumed function enters the state that holds its safepoint. States stand in the
// order of rows, so only a branch to a loop's header goes back, and that header tests the fuel.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/function/control_context.h"
#include "compiler/emit/plan/flat_labels.h"

namespace wb {

class DispatchRegions {
 public:
  // `labels` are those of the function.
  DispatchRegions(const ControlContext& context, const FlatLabels& labels)
      : context_(context), labels_(labels) {}

  // A region begins here, with its entry. `braced`: the caller has printed braces of the root
  // around it, which jumps can break out of, and closes them right behind it.
  void Open(uint32_t root, bool braced);
  // The innermost region ends here.
  void Close();
  // A state of the innermost region begins here: the code before it falls into it.
  void BeginState(uint32_t state);

  // Text that goes from here on in a state of an open region, "s1 = 4u; continue;". State 0 is
  // outside the region. It ends in `break` or `continue`.
  std::string JumpTo(uint32_t root, uint32_t state);
  // A `break` at the end of the text ends the loop of this root's region.
  bool BreakEnds(uint32_t root) const;

 private:
  struct Region {
    uint32_t root = 0;
    bool braced = false;
    uint32_t depth = 0;  // of its entry or its loop, as a target of jumps
    bool in_entry = true;
  };

  void CloseEntry();
  void OpenLoop();
  void CloseLoop();
  void CloseState();
  void EnterResumed(const FlatRegion& region);
  // "s1 = 4u;"
  std::string SetState(uint32_t root, uint32_t state) const;

  const ControlContext context_;
  const FlatLabels& labels_;
  std::vector<Region> open_;
};

}  // namespace wb
