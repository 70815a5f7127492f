#pragma once

// A reader's place in the record of bursts, as text: opaque to clients. Pure.

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "daemon/bursts/burst_ring.h"

namespace wb {

struct BurstToken {
  int64_t daemon = 0;  // which one: when it started, in nanoseconds of Unix time
  BurstPlace place;
};

std::string MakeBurstToken(const BurstToken& token);
Result<BurstToken> ParseBurstToken(std::string_view text);  // INVALID_ARGUMENT, "resume_token"

}  // namespace wb
