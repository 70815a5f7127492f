#pragma once

// FuelRecorder: counts the fuel of an instance by the calls and loops that are under way. Fuel is
// charged where one of them begins or ends: to what has run since the last such place. Two turns of
// an instance (turn.metal) are one run: what is under way stays so between them. Not for several
// threads at once.

#include <cstdint>
#include <vector>

#include "scheduler/devices/fuel_profile.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

class FuelRecorder {
 public:
  FuelRecorder();

  // A turn begins: the instance has used `used`, and the turn may use `grant`. What was used since
  // the last turn, by an answer from the host, is charged to what is under way.
  void BeginTurn(uint64_t used, uint32_t grant);
  // A call of a step begins in this turn: nothing is under way.
  void BeginStep();
  // `left`: what of the grant is left, here and below.
  void EndTurn(uint32_t left) { Charge(left); }

  void Enter(const ByteFunction& function, uint32_t left);
  // The innermost call ends, or another one takes its place.
  void Leave(uint32_t left);
  // From here on this loop of the innermost function runs; 0: none.
  void AtLoop(const ByteFunction& function, uint32_t loop, uint32_t left);

  FuelProfile Take();  // and begins again with nothing

 private:
  struct Node {
    uint32_t parent = 0;
    uint32_t function = FuelNode::kNoFunction;
    uint32_t loop = 0;    // number in the function
    uint32_t offset = 0;  // of the loop
    uint32_t base = 0;    // the node of the function that the loop is in; of a function itself
    uint32_t depth = 0;
    uint32_t first_child = 0;  // 0: none
    uint32_t next = 0;         // sibling
    uint64_t calls = 0;
    uint64_t fuel = 0;
  };

  void Charge(uint32_t left);
  uint32_t LoopNode(const ByteFunction& function, uint32_t base, uint32_t loop);
  // The node below `parent`, which is made where there is none.
  uint32_t Child(uint32_t parent, Node wanted);
  uint32_t Find(uint32_t parent, const Node& wanted);  // 0: there is none

  std::vector<Node> nodes_;
  std::vector<uint32_t> callers_;  // of the calls under way: the nodes that they return to
  uint32_t current_ = 0;
  uint64_t used_ = 0;     // at the turn's beginning
  uint32_t grant_ = 0;    // of the turn
  uint64_t charged_ = 0;  // fuel of the instance that has been charged
};

}  // namespace wb
