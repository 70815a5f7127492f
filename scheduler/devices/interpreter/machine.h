#pragma once

// The activations of one running call, on the host: register slots and who called whom. Between two
// launches nothing of it survives; what a lane needs then lies in its frames, in the format of the
// compiled engines: from LANE_FRAMES_AT on, outermost first, each frame the number of the safepoint
// and the function's frame variables, the callee's frame behind its caller's; before the frame of a
// recursive callee the link to its caller's root, and in the header the innermost root.
//
// One per thread, used for one call after another.

#include <cstdint>
#include <vector>

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
  // Arguments from the lane's stage; false if the function needs more stack than there is.
  bool Enter(const ByteProgram& program, const ByteFunction& function, const uint32_t* lane);
  // From the lane's frames.
  void Resume(const ByteProgram& program, const uint32_t* lane);

  // A callee above the innermost activation, with its arguments. False: it needs more stack than is
  // left, and nothing has changed.
  bool Push(const ByteFunction& callee, const ByteCall& call, uint32_t pc);
  // A callee in place of the innermost activation, likewise.
  bool Replace(const ByteFunction& callee, const ByteCall& call);
  // Takes the innermost activation away and gives its results to the caller; false: it was the
  // outermost one, which stays for Results().
  bool Pop();

  // Writes every activation's frame; the innermost leaves at this safepoint.
  void Leave(uint32_t safepoint, uint32_t* lane) const;
  void Results(uint32_t* lane) const;  // of the outermost activation, to the stage

  uint64_t stack_left() const { return stack_left_; }  // slots of the budget
  const ByteFunction& function() const { return *stack_.back().function; }
  uint32_t pc() const { return stack_.back().pc; }
  uint64_t* slots() { return slots_.data() + base_; }

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
