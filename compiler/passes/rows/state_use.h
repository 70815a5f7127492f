#pragma once

// What the operators of a module do to its segments and tables, and which functions have their
// address taken, in one walk over all bodies.

#include <vector>

#include "compiler/wasm/module.h"

namespace wb {

struct StateUse {
  std::vector<bool> data_dropped;      // by data segment: some data.drop names it
  std::vector<bool> elements_dropped;  // by element segment
  std::vector<bool> tables;            // by table: an operator other than a call or table.size
  std::vector<bool> tables_grown;      // by table
  std::vector<bool> address_taken;     // by function: in a segment, a global or by ref.func
};

// Code that is never reached counts too.
StateUse FindStateUse(const Module& module);

}  // namespace wb
