#pragma once

// What `break` and `continue` act on around the end of the text, and the way outwards from there.
//
// A target is a construct that takes a `break` or `continue`: the function, a block or if that some
// branch names, every loop, the entry and the dispatch loop of a flattened region, and rows that
// have something to do on every way out. A jump to
// another than the innermost one sets `w` to the target's depth and breaks; behind each target on
// the way GoOn() prints the test that breaks further. Depths start at 1, so `w == 0u` is no jump.
// Leaving and trapping set `w` to a reason, which is above every depth, and break out of all, or go
// to a way out of a loop over activations (WaysOut).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/text/text.h"
#include "compiler/emit/text/ways_out.h"

namespace wb {

struct JumpTarget {
  static constexpr uint32_t kNoConstruct = 0xffffffffu;
  static constexpr uint32_t kNoEscape = 0xffffffffu;

  // None: the entry or the loop of a region, or the first form of a straight run.
  uint32_t construct = kNoConstruct;
  uint32_t depth = 0;
  bool loops = false;           // a jump to it is a `continue`
  bool hit = false;             // some jump from deeper inside arrives with w == depth
  bool passes_parent = false;   // some jump out of it goes to the target around it
  uint32_t escape = kNoEscape;  // the smallest depth that jumps from inside aim at; 0: an exit

  // The same construct in another form: jumps come out of either.
  void Merge(const JumpTarget& other) {
    hit = hit || other.hit;
    passes_parent = passes_parent || other.passes_parent;
    escape = std::min(escape, other.escape);
  }
};

class JumpTargets {
 public:
  // Appends to `text`. `constructs`: how many the function has.
  JumpTargets(size_t constructs, Text& text) : text_(text), depth_of_(constructs, 0) {}

  // A target begins here: the caller prints its braces. Returns its depth.
  uint32_t Open(uint32_t construct, bool loops);
  // The innermost target ends here. The caller prints its end, and then calls GoOn or Inherit.
  JumpTarget Close();
  // Prints how a jump out of the target that was closed last goes on.
  void GoOn(const JumpTarget& closed);
  // Prints nothing: the end of the target around it follows at once and does what GoOn does.
  void Inherit(const JumpTarget& closed);

  const JumpTarget& Innermost() const { return open_.back(); }
  // Of an open construct that is a target.
  uint32_t DepthOf(uint32_t construct) const { return depth_of_[construct]; }
  // "w = 3u; break;": a jump from here to a target that is not the innermost one.
  std::string JumpTo(uint32_t depth);

  // "w = why; break;": from here out of everything. `why` is the same wherever it is computed
  // before the function ends; that of ExitNow is not, and may read `w`.
  std::string Exit(const std::string& why);
  std::string ExitNow(const std::string& why);
  // Prints "if (condition) { w = why; break; }".
  void ExitIf(const std::string& condition, uint32_t why);
  // Prints "w = why; break;". The end of the text is not reached then.
  void ExitAlways(uint32_t why);
  // From here on an exit of which the target of this depth is the innermost one goes to one of
  // these states. It is closed before the next call.
  void ExitBy(WaysOut& ways, uint32_t depth) {
    ways_ = &ways;
    ways_depth_ = depth;
  }
  // Something leaves, traps or needs stack.
  bool exits() const { return exits_; }

  // Execution can come to the end of the text. Printers of what ends or begins a straight run say
  // so here.
  bool reachable() const { return reachable_; }
  void SetReachable(bool reachable) { reachable_ = reachable; }

 private:
  Text& text_;
  std::vector<JumpTarget> open_;    // by depth - 1
  std::vector<uint32_t> depth_of_;  // per construct
  WaysOut* ways_ = nullptr;
  uint32_t ways_depth_ = 0;  // 0: every exit gives `w` its reason
  bool reachable_ = true;
  bool exits_ = false;
};

}  // namespace wb
