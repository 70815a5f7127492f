#include "tests/spec/windows.h"

#include <algorithm>

namespace wb::test {

MemoryWindow SmallestWindow(const ir::Program& program, WindowForm form) {
  constexpr uint64_t kGranule = MemoryWindow::kGranule;
  uint64_t from = program.inside_from, end = program.inside_end;
  if (end == 0) {
    const uint64_t bytes = uint64_t{program.memories[0].min_pages} * abi::PAGE_BYTES;
    from = program.functions.size() % 2 == 0 ? 0 : bytes / 2;
    end = from + 1;
  }
  // Where a window begins no access comes to its first bytes.
  if (from % kGranule < abi::WINDOW_MARGIN && from >= kGranule) from -= kGranule;
  from = form == WindowForm::kAnywhere ? from / kGranule * kGranule : 0;
  end = (end + kGranule - 1) / kGranule * kGranule;
  return {static_cast<uint32_t>(from), static_cast<uint32_t>(std::min<uint64_t>(
                                           end - from, ~uint32_t{0} / kGranule * kGranule))};
}

}  // namespace wb::test
