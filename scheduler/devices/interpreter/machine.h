#pragma once

// The activations of one running call, on the host: their register slots, and which function called
// which. Between two launches nothing of it survives. What a lane needs then is in its frames, in
// the format of the compiled engines: from LANE_FRAMES_AT on, outermost first. A frame is the
// number of the safepoint and the function's frame variables, and the callee's frame comes after
// its caller's. Before the frame of a recursive callee is the link to its caller's root. The header
// has the innermost root.
//
// Each thread has one, used for one call after another.

#include <cstdint>
#include <vector>

#include "scheduler/devices/call_trace.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

struct Activation {
  const ByteFunction* function = nullptr;
  uint32_t pc = 0;  // of a caller: its call; of the innermost one: where to go on
};

// As the words of a link, or of the innermost root in the header.
struct Root {
  uint32_t function = 0;
  uint32_t base = 0;
  uint32_t room = 0;
};

class Machine {
 public:
  // Takes the arguments from the lane's stage. False: the function needs more stack than there is.
  bool Enter(const ByteProgram& program, const ByteFunction& function, const uint32_t* lane);
  // From the lane's frames.
  void Resume(const ByteProgram& program, const uint32_t* lane);

  // Puts a callee above the innermost activation, with its arguments. False: it needs more stack
  // than is left, and nothing has changed.
  bool Push(const ByteFunction& callee, const ByteCall& call, uint32_t pc);
  // Puts a callee in place of the innermost activation, likewise.
  bool Replace(const ByteFunction& callee, const ByteCall& call);
  // Removes the innermost activation and gives its results to the caller. False: it was the
  // outermost one, which stays for Results().
  bool Pop();

  // Writes every activation's frame; the innermost one leaves at this safepoint.
  void Leave(uint32_t safepoint, uint32_t* lane) const;
  void Results(uint32_t* lane) const;  // of the outermost activation, to the stage

  // All activations; the innermost one is at this instruction.
  CallTrace Trace(uint32_t pc) const;
  // Visits (function, its slots, its pc), innermost first. Of the innermost the pc is not known.
  template <typename Visit>
  void VisitActivations(Visit visit) const {
    size_t base = base_;
    for (size_t i = stack_.size(); i-- > 0;) {
      visit(*stack_[i].function, slots_.data() + base, stack_[i].pc);
      if (i > 0) base -= stack_[i - 1].function->slots;
    }
  }
  // Where the innermost activation but one that is code of the module made its call.
  uint32_t CallerOffset() const;
  const ByteProgram& program() const { return *program_; }

  uint64_t stack_left() const { return stack_left_; }  // slots of the budget
  const ByteFunction& function() const { return *stack_.back().function; }
  uint32_t pc() const { return stack_.back().pc; }
  uint64_t* slots() { return slots_.data() + base_; }
  const uint64_t* slots() const { return slots_.data() + base_; }

 private:
  void Begin(const ByteProgram& program, const uint32_t* lane);
  void PushActivation(const ByteFunction& function);  // slots are there, stale
  void ReserveSlots(size_t count);                    // from base_ on
  void ResumeRoot(const Root& root, const uint32_t* frames);

  const ByteProgram* program_ = nullptr;
  std::vector<Activation> stack_;
  std::vector<uint64_t> slots_;
  std::vector<uint64_t> args_;  // on their way from an activation to the one in its place
  size_t base_ = 0;             // of the innermost activation's slots
  uint64_t stack_left_ = 0;     // 8-byte slots of the reserve
};

}  // namespace wb
