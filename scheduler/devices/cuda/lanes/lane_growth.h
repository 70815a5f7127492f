#pragma once

// Memory for instances that were left because they wait for it, between two launches of a dispatch.

#include <cstdint>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_seats.h"
#include "scheduler/devices/cuda/lanes/mapped_lanes.h"
#include "scheduler/devices/dispatch_shape.h"

namespace wb {

// Maps memory for them, as far as there is some: these go on with the next launch. Returns how many
// do. One thread.
Result<uint32_t> GrowWaitingLanes(const CudaContext& context, const DispatchShape& shape,
                                  MappedLanes& lanes, CudaSeats& seats);

}  // namespace wb
