#pragma once

// Test only: a valid module of many functions, as large programs are: loops, memory, calls of one
// another and through a table. Exports "run", i32 to i32, which calls all of them in turn.

#include <cstdint>
#include <string>

namespace wb::test {

// 2,500 functions of 130 instructions are a megabyte of binary.
std::string ManyFunctionsModule(uint32_t functions, uint32_t instructions);

}  // namespace wb::test
