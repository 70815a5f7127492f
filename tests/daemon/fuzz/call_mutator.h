#pragma once

// Other calls out of calls. Pure but for its random numbers, which follow from the seed.

#include <string>

#include "tests/daemon/fuzz/fuzz_call.h"
#include "tests/daemon/fuzz/message_mutator.h"

namespace wb {

// An input (fuzz_call.h) changed: mostly a field of a message; also calls that are added, left out,
// doubled or exchanged, another caller, another method, and bytes that are no message.
std::string MutateCalls(std::string_view input, uint64_t seed,
                        const MessageMutator::ChangeBytes& change);

}  // namespace wb
