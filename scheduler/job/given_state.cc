#include "scheduler/job/given_state.h"

#include <algorithm>

#include "compiler/abi/lane.h"

namespace wb {

// Pages of memory 0 are what it has. Of further memories and of the stack the record says nothing:
// as much as the dispatch reserved is enough.
StateNeeds NeedsOf(const DispatchShape& shape, uint32_t memories, bool recursive,
                   std::span<const uint32_t> record) {
  StateNeeds needs;
  needs.pages = std::min(record[abi::RECORD_PAGES], shape.max_pages);
  if (memories > 1) needs.further_pages = std::min(shape.further_pages, shape.max_pages);
  if (recursive) needs.stack = shape.StackReserve();
  return needs;
}

}  // namespace wb
