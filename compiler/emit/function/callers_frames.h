#pragma once

// What activations of a loop over them (ActivationLoop) keep while callees run: the variables that
// rows behind the call read, as words of the activation's frame. Small frames of the innermost
// callers stay in variables, of so many levels as fit: a call moves each one level outwards, and
// what leaves the outermost goes to memory. A GPU's stores go through to its L2 cache (those to a
// thread's own memory, too), and lanes at different depths store to places far apart, so that calls
// that come to memory are what such recursion costs. A function with a loop of its own has one
// level: there the loop is to have the registers. Arguments that do not change are written to a
// frame once: `g` says that the running activation's frame has them, `xg` its caller's.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/function/control_context.h"
#include "compiler/ir/ir.h"

namespace wb {

class CallersFrames {
 public:
  // A frame of more words is put into memory at once.
  static constexpr uint32_t kMostWords = 8;
  // Words that all levels together may take, and how many levels there may be.
  static constexpr uint32_t kMostWordsOfLevels = 16;
  static constexpr uint32_t kMostLevels = 3;

  // `many`: there are several calls, so that a frame says which one waits. `distance`: words from a
  // frame to that of a callee.
  CallersFrames(const ControlContext& context, bool many, uint32_t distance);

  void Declare() const;
  // At a call: the running activation, with its frame at `f`, becomes a caller.
  void Call(uint32_t safepoint) const;
  // An activation has returned, and `f` is the frame of its caller, which runs again. Returns the
  // variable that says which of its calls waited.
  std::string Return() const;
  // Behind what asks for that variable, which Return() has declared.
  void CloseReturn() const;
  // All of them into memory, the running activation's frame being at `f`.
  void PutAll() const;

 private:
  struct Kept {
    ir::Var var = 0;
    uint32_t word = 0;  // of the frame
    bool constant = false;
    bool argument = false;  // it keeps the value that the activation was called with
  };

  void FindKept();
  uint32_t Words() const;
  // The arguments among them are enough to ask whether a frame has them: two words.
  bool AsksForArguments() const;
  // How a value is spelled: level 0 is the running activation, 1 its caller.
  std::string Value(const Kept& kept, uint32_t level) const;
  // The words of a level's frame. Arguments that it has from an earlier call are not put again.
  void Put(uint32_t level, const std::string& safepoint) const;
  void PutWords(uint32_t level, bool arguments) const;
  void PutLevel(uint32_t level) const;  // where it holds a frame
  // What a level holds goes to another.
  void Move(uint32_t from, uint32_t to) const;
  void Get() const;  // those of the frame "F"
  const ir::Function& function() const { return context_.form.function; }
  ValueType TypeOf(ir::Var var) const { return function().vars[var]; }

  const ControlContext context_;
  const bool many_;
  const uint32_t distance_;
  std::vector<Kept> kept_;
  uint32_t levels_ = 0;  // 0: none stays in variables
};

}  // namespace wb
