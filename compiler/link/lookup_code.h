#pragma once

// The code of a function whose results are looked up by its arguments. Few rows are compared one by
// one; of many, the rows lie sorted in a memory and are searched by halves. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/link/binding.h"

namespace wb {

// The rows by their arguments. INVALID_ARGUMENT with `import` where two rows have the same, or
// where there are more rows or bytes than a table may have.
Result<LookupTable> SortedTable(const LookupTable& table, const std::string& import);

// Whether its rows are searched in memory.
bool IsInMemory(const LookupTable& table);

// The rows as they lie there.
Bytes TableBytes(const LookupTable& table);

struct TablePlace {
  uint32_t memory = 0;   // its index
  uint32_t address = 0;  // of the first row
};

// Locals and operators of the function, its last `end` among them. `table` is sorted. `otherwise`:
// the results where no row has the arguments; empty: a trap.
Bytes LookupCode(const LookupTable& table, const std::vector<BoundValue>& otherwise,
                 const TablePlace& place);

}  // namespace wb
