#pragma once

// The CUDA driver, opened at run time: nothing of CUDA is needed to build or to install. It is a
// table of function pointers, so that tests supply a driver of their own.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "compiler/base/status.h"

namespace wb {

// As cuda.h lays them out: CUmemLocation, CUmemAllocationProp and CUmemAccessDesc, "Data types used
// by CUDA driver" of the driver's API reference. By default: memory of a GPU that no other process
// gets, and that the GPU reads and writes.
struct CudaPlace {
  int kind = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
  int device = 0;
};
struct CudaAllocation {
  int kind = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
  int handle_kinds = 0;
  CudaPlace place;
  void* of_windows = nullptr;
  uint8_t compression = 0;
  uint8_t rdma = 0;
  uint16_t usage = 0;
  uint8_t reserved[4] = {};
};
struct CudaAccess {
  CudaPlace place;
  int flags = 3;  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};
static_assert(sizeof(CudaPlace) == 8 && sizeof(CudaAllocation) == 32 && sizeof(CudaAccess) == 12);

struct CudaDriver {
#define WB_CUDA(member, name, parameters) int(*member) parameters = nullptr;
#include "scheduler/devices/cuda/driver.def"
#undef WB_CUDA

  // The status of a result other than 0, with the call that gave it. DEVICE_LOST for all but the
  // want of memory, since a context that has failed once stays dead until its process ends.
  Status Error(const char* call, int result) const;

  bool MapsMemory() const;  // it has all that is optional
};
using CudaDriverRef = std::shared_ptr<const CudaDriver>;

// Opens the driver. CONFIG_INVALID, with every place looked at, when there is no driver, it lacks a
// call, or it finds no GPU. `path`: a library's path, or empty for the loader's own search.
Result<CudaDriverRef> OpenCudaDriver(const std::string& path);

}  // namespace wb

// Returns from the function with the status of a driver call that failed.
#define WB_CUDA_TRY(driver, call, arguments)                     \
  do {                                                           \
    const int wb_result = (driver).call arguments;               \
    if (wb_result != 0) return (driver).Error(#call, wb_result); \
  } while (false)
