#pragma once

// Custom sections written by hand; tests only.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb::test {

void PutUnsigned(Bytes& out, uint64_t number);  // LEB128
void PutFixed(Bytes& out, uint64_t number, size_t bytes);

// The binary with a custom section behind its other sections.
Bytes WithCustom(Bytes wasm, std::string_view name, ByteView contents);

// The contents of a name section with names of functions.
Bytes NameSection(const std::vector<std::pair<uint32_t, std::string>>& names);

struct TestRow {
  uint32_t address = 0;
  uint32_t line = 0;
};

// .debug_line with one sequence of a file: version 4 or 5, whose path is `directory`/`file`. The
// last row ends it. In version 5 the compilation's folder is /root.
Bytes LineSection(uint16_t version, std::string_view directory, std::string_view file,
                  const std::vector<TestRow>& rows);

}  // namespace wb::test
