#pragma once

// Test only: valid modules as large as real ones get, in the three ways that hurt a printer. Each
// exports "f0" with parameters (i32, i64, f32, f64) and result i32.

#include <cstdint>
#include <string>

namespace wb::test {

// An interpreter's loop: `blocks` blocks within one another, a br_table of `entries` that goes to
// all of them, behind each block a few instructions that fall through, go on or leave.
std::string LadderModule(uint32_t blocks, uint32_t entries);

// `depth` constructs within one another: loops, ifs with else and blocks in turn, each left or
// repeated by branches that go one or many levels out.
std::string NestModule(uint32_t depth);

// About `instructions` in one function over `locals` locals: small loops, ifs, arithmetic, memory.
std::string HugeModule(uint32_t instructions, uint32_t locals);

}  // namespace wb::test
