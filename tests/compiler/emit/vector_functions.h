#pragma once

// Test only: functions that run vector operators on noise and corners and store what comes out.

#include <cstdint>
#include <span>
#include <string>

#include "compiler/wasm/opcode.h"

namespace wb::test {

// Operations of a function; each stores one vector in each round: operation i of round r at
// 128 * r + 16 * i.
inline constexpr uint32_t kVectorsInFunction = 8;
inline constexpr uint32_t kVectorRounds = 8;

// The operator on the vectors $x, $y and $z (and lanes of $y) as a v128.
std::string VectorOperation(Opcode opcode);

// An exported function of (i32, i64, f32, f64) for a module with a memory. $x, $y and $z differ in
// each round; lanes of every width meet their limits.
std::string VectorFunction(const std::string& name, std::span<const std::string> operations);

}  // namespace wb::test
