#pragma once

// A profile as somebody wants to see it. Pure.

#include "wasmburst/v1/profiles.pb.h"

namespace wb {

// The same with each loop as part of its function.
wasmburst::v1::Profile WithoutLoops(const wasmburst::v1::Profile& profile);

}  // namespace wb
