#pragma once

// The activations of one running call, on the host: register slots and who called whom. Between two
// launches nothing of it survives; what a lane needs then lies in its frames, in the format of the
// compiled engines: from layout.frames_at on, outermost first, each frame the number of the
// safepoint and the function's frame variables, the callee's frame behind its caller's.
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

class Machine {
 public:
  // Arguments from the lane's stage; false if the stack budget, or the room for frames, is less
  // than the function needs.
  bool Enter(const ByteProgram& program, const ByteFunction& function, const uint32_t* lane);
  // From the lane's frames: the outermost is the function's.
  void Resume(const ByteProgram& program, const ByteFunction& function, const uint32_t* lane);

  // A callee above the innermost activation, with its arguments. False: the budget, or the room for
  // frames, does not allow it, and nothing has changed.
  bool Push(const ByteFunction& callee, const ByteCall& call, uint32_t pc);
  // Takes the innermost activation away and gives its results to the caller; false: it was the
  // outermost one, which stays for Results().
  bool Pop();

  // Writes every activation's frame; the innermost leaves at this safepoint.
  void Leave(uint32_t safepoint, uint32_t* lane) const;
  void Results(uint32_t* lane) const;  // of the outermost activation, to the stage

  const ByteFunction& function() const { return *stack_.back().function; }
  uint32_t pc() const { return stack_.back().pc; }
  uint64_t* slots() { return slots_.data() + base_; }

 private:
  void Begin(const ByteProgram& program, const uint32_t* lane);
  void PushActivation(const ByteFunction& function);  // slots are there, stale

  const ByteProgram* program_ = nullptr;
  std::vector<Activation> stack_;
  std::vector<uint64_t> slots_;
  size_t base_ = 0;           // of the innermost activation's slots
  uint64_t stack_left_ = 0;   // 8-byte slots of the budget
  uint64_t frames_left_ = 0;  // words
};

}  // namespace wb
