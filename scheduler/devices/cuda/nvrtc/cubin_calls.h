#pragma once

// What the ELF file of a cubin says of its functions: who calls whom, and how much stack each
// takes. NVIDIA publishes no description of these sections (.nv.callgraph, .nv.info). So whoever
// uses what is read here has to check it against what the linker makes of it (fewer_calls.h). Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

struct CubinCalls {
  struct Symbol {
    std::string name;  // empty: only this cubin knows it
    bool is_kernel = false;
    std::optional<uint32_t> frame_bytes;  // of a function that is defined here
    std::optional<uint32_t> stack_bytes;  // of a kernel in a linked cubin: with all that it calls
  };
  // A row of the section: numbers of symbols.
  struct Row {
    uint32_t caller = 0;
    uint32_t callee = 0;
  };
  std::vector<Symbol> symbols;
  std::vector<Row> rows;
};

// Nothing for what is no ELF file of 64 bits, is cut short, or has no symbols or rows of calls.
std::optional<CubinCalls> ReadCalls(std::string_view cubin);

// Replaces the rows of a cubin that ReadCalls reads; not by more than it has. The file keeps its
// length.
void WriteRows(std::string& cubin, const std::vector<CubinCalls::Row>& rows);

}  // namespace wb
