#pragma once

// Calls through tables. Functions get a number where their address is taken. For calls of some type
// through a table, a lookup has the functions that they may reach. What a table holds is known if
// no operator changes it. Otherwise any function of the type that has a number may be in it.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/rows/state_use.h"

namespace wb {

class TableLookups {
 public:
  // More callees than this are called by a trampoline: a synthetic function, one per lookup.
  static constexpr size_t kMaxNativeCallees = 4;

  // `program` as PlaceState leaves it; fills its callee_numbers. Trampolines take their indices
  // from `next_function`.
  TableLookups(const Module& module, const StateUse& use, ir::Program& program,
               uint32_t& next_function);

  // The index of the lookup for calls of `type` (an index into the module's types) through `table`,
  // made at first use.
  uint32_t Find(uint32_t table, uint32_t type);

  // The function that makes tail calls of the lookup's callees, which are many.
  uint32_t TailTrampoline(uint32_t lookup);

  const ir::Lookup& at(uint32_t index) const { return lookups_[index]; }
  std::vector<ir::Lookup> Take() { return std::move(lookups_); }

 private:
  static constexpr uint32_t kAnyInLane = 0xffffffffu;

  ir::Lookup Make(uint32_t table, uint32_t type);
  const std::vector<uint32_t>& NumbersIn(uint32_t table);

  const ir::Program& program_;
  uint32_t& next_function_;
  std::vector<uint32_t> first_of_;     // per type of the module: the first that is equal
  std::vector<uint32_t> function_of_;  // per number
  std::vector<std::pair<uint32_t, uint32_t>> numbers_of_;       // per type: first number, count
  std::map<uint32_t, std::vector<uint32_t>> numbers_in_;        // per constant table, rising
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> index_of_;  // by table (kAnyInLane) and type
  std::vector<ir::Lookup> lookups_;
};

}  // namespace wb
