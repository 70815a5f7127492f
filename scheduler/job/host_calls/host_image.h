#pragma once

// Host calls in the image of the instance that makes them (lane_image.h): the call out of the stage
// and the memory, and the answer into them. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/link/binding.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/job/host_calls/host_call.h"

namespace wb {

struct AskedCall {
  HostCall call;
  // Either says that the call fails before anything is asked.
  Trap trap = Trap::kNone;
  std::string error;  // of kHostCallFailed
};

// The call that an instance was left for. `memories_at`: the word of the image's state where the
// memories begin (ImageMemoriesAt). The image is sound, but its stage and memory are the guest's.
AskedCall ReadCall(const std::vector<HostImport>& imports, const LaneImage& image,
                   uint64_t memories_at, uint64_t instance);

// Words for what is wrong with the types of the answer; empty: nothing.
std::string CheckAnswer(const HostImport& import, const HostAnswer& answer);

// Puts a checked answer into the image: memory, results, what the answer costs. Words for a write
// that lies outside of memory, where nothing has changed; empty: it is done. `cost`: fuel.
std::string ApplyAnswer(const HostAnswer& answer, uint64_t memories_at, LaneImage& image,
                        uint64_t* cost);

}  // namespace wb
