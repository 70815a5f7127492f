#pragma once

// Test only: random modules whose exported function does much before it reads its parameters.

#include <cstdint>
#include <string>

namespace wb::test {

// Exports "run", which takes an i32 and an i64 and returns an i32 that depends on what it has
// computed and on its memory and globals. Some traps and some ways around a part of the beginning
// are in it. The second step may be "again", which takes an i32.
std::string RandomStartModule(uint64_t seed);

}  // namespace wb::test
