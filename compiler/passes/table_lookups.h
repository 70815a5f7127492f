#pragma once

// Tables that nothing changes after instantiation: which function each index holds, and for a call
// of some type through a table, the possible callees and their numbers. Operators that change
// tables are refused before, so what the element segments say stays true.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/ir/ir.h"

namespace wb {

class TableLookups {
 public:
  explicit TableLookups(const Module& module);

  // The index into lookups() for calls of `type` (an index into the module's types) through
  // `table`, made at first use. Counts the callees, since each becomes a call in the code.
  // Error: WASM_UNSUPPORTED_FEATURE when a module's table calls would become too many.
  Result<uint32_t> Find(uint32_t table, uint32_t type, uint32_t offset);

  const ir::Lookup& at(uint32_t index) const { return lookups_[index]; }
  std::vector<ir::Lookup> Take() { return std::move(lookups_); }

 private:
  void Fill(const ElementSegment& segment);
  ir::Lookup Make(uint32_t table, uint32_t type) const;
  Status Charge(uint64_t amount, uint32_t offset);

  const Module& module_;
  std::vector<std::vector<uint32_t>> tables_;  // per table: function index + 1, 0 null
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> index_of_;
  std::vector<ir::Lookup> lookups_;
  uint64_t spent_ = 0;
};

}  // namespace wb
