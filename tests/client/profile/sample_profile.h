#pragma once

// Profiles that tests write by hand.

#include <string>

#include "client/cli/profile/profile_tree.h"

namespace wb::test {

// A frame's number; nodes are added below others.
uint32_t AddFrame(wasmburst::v1::Profile* profile, uint32_t function, const std::string& name,
                  uint32_t loop = 0);
uint32_t AddNode(wasmburst::v1::Profile* profile, uint32_t parent, uint32_t frame, uint64_t calls,
                 uint64_t fuel);

// main 10 -> work 20 (3 calls) -> its loop at 0x40 70; main -> main 5 (1 call) -> work 15 (1 call).
wasmburst::v1::Profile SampleProfile();

}  // namespace wb::test
