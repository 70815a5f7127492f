#pragma once

// Files as small as a cubin can be, of what the linking of chunks reads in one.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::test {

struct CubinFunction {
  std::string name;
  std::optional<uint32_t> frame_bytes;  // none: it is only declared
  bool is_kernel = false;
  bool is_local = false;
  std::optional<uint32_t> stack_bytes;  // of a linked kernel
};

// The functions are the symbols 1, 2, ... A row: who calls, who is called. Before the rows stands
// the mark with which cubins begin.
std::string CubinFile(const std::vector<CubinFunction>& functions,
                      const std::vector<std::array<uint32_t, 2>>& rows);

}  // namespace wb::test
