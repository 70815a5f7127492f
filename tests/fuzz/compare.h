#pragma once

// What two engines did with the same plan, told apart. Pure but for the oracle.

#include <cstdint>
#include <string>

#include "tests/fuzz/batch.h"
#include "tests/fuzz/calls.h"
#include "tests/fuzz/engines.h"

namespace wb::fuzz {

// The first word in which records differ, with the lane and the call it belongs to; empty if none.
std::string DifferenceBetween(const Plan& plan, const Records& ours, const Records& theirs);

// The call in which some lane ran out of fuel first; none: none did.
std::optional<size_t> OutOfFuelIn(const Records& records);

// Whether wabt reads the module at all.
bool OracleReads(ByteView wasm);

// Runs some of the lanes in wabt's interpreter and compares results, traps and state, for as long
// as the two must agree: not behind a trap of the start function, an end by fuel (wabt might never
// end) or by the stack (wabt has its own). Empty if nothing differs.
std::string DifferenceToOracle(const Batch& batch, size_t subject, const Plan& plan,
                               const Records& records);

}  // namespace wb::fuzz
