#pragma once

// The modules and the input of a RequestWorld, and requests that name them.

#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "tests/daemon/fuzz/fuzz_call.h"
#include "tests/daemon/fuzz/message_mutator.h"

namespace wb {

// "@m0": functions that jobs call; "@m1": one that imports "env"; "@m2": a program; "@m3": what
// "@m1" may be linked with.
const std::vector<Bytes>& WorldModules();
// "@i0": a Column message of four numbers.
std::string WorldInput();

// Inputs of a fuzzer to begin with; each does something that succeeds.
const std::vector<FuzzCalls>& WorldSeeds();
// Names and bytes that are worth trying there.
const FuzzWords& WorldWords();

}  // namespace wb
