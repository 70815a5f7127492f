#pragma once

// What the fake GPU's driver calls do, by what they are about: memory in fake_gpu_memory.cc,
// kernels in fake_gpu_launches.cc, the table of all of them in fake_gpu.cc. 0 or CUDA's number of
// an error.

#include <cstdint>
#include <functional>
#include <string_view>

#include "scheduler/devices/cuda/driver.h"
#include "scheduler/devices/cuda/resident_kernel.h"
#include "tests/fakes/fake_gpu.h"

namespace wb::test {

struct FakeGpuCalls {
  static inline FakeGpu* current = nullptr;  // the one that all calls are for

  static constexpr int kInvalidValue = 1;
  static constexpr int kOutOfMemory = 2;
  static constexpr int kInvalidImage = 200;
  static constexpr int kNotFound = 500;
  static constexpr int kNotReady = 600;

  static void* Pointer(uint64_t address) { return reinterpret_cast<void*>(address); }
  static uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

  static CudaDriver Table();
  // What Fail() asked of this call, else 0.
  static int Asked(std::string_view call);
  static int Count(int* count);
  static int Attribute(int* value, int attribute, int);

  // Inside one allocation, or what is mapped, or the process stops: on a GPU it would be
  // memory of another.
  static void CheckRange(uint64_t address, uint64_t bytes);
  static int Allocate(uint64_t* address, size_t bytes);
  static int Free(uint64_t address);
  static int Info(size_t* free, size_t* total);
  static int Set(uint64_t address, unsigned char value, size_t bytes, void*);
  static int ToDevice(uint64_t to, const void* from, size_t bytes, void*);
  static int ToHost(void* to, uint64_t from, size_t bytes, void*);

  static int Granularity(size_t* bytes, const CudaAllocation*, unsigned which);
  static int ReserveAddresses(uint64_t* address, size_t bytes, size_t alignment, uint64_t wanted,
                              unsigned long long flags);
  static int FreeAddresses(uint64_t address, size_t bytes);
  static int CreateMemory(uint64_t* memory, size_t bytes, const CudaAllocation* of,
                          unsigned long long flags);
  static int ReleaseMemory(uint64_t memory);
  static int MapMemory(uint64_t address, size_t bytes, size_t offset, uint64_t memory,
                       unsigned long long);
  static int UnmapMemory(uint64_t address, size_t bytes);
  static int AllowAccess(uint64_t address, size_t bytes, const CudaAccess* access, size_t count);

  static int Load(void** module, const void* image, unsigned, int*, void**);
  static int Link(void* link, int kind, void* data, size_t bytes, const char*, unsigned, int*,
                  void**);
  static int Linked(void* link, void** cubin, size_t* bytes);
  static int Unload(void* module);
  static int MostThreads(const void* function);  // of a block
  static int FunctionAttribute(int* value, int attribute, void* function);
  static int FunctionOf(void** function, void* module, const char* name);

  struct Kernel;
  static void RunGrid(uint32_t lanes, const std::function<void(uint32_t gid)>& run);
  static int Launch(void* function, unsigned grid, unsigned, unsigned, unsigned block, unsigned,
                    unsigned, unsigned shared_bytes, void* stream, void** arguments, void**);
  static int Reorder(void** arguments);
  static int Stay(const Kernel& kernel, unsigned block, void* stream, void** arguments);
  static void RunPosted(const Kernel& kernel, const WbPost& post, unsigned block, WbLaunchEnd& end,
                        uint32_t number);
  static uint64_t Words();  // single words that were copied there so far

  static int Query(void* stream);
  static int Record(void* event, void*);
  static int Elapsed(float* milliseconds, void* begin, void* end);
  static int Synchronize(void* stream);
  static int AwaitEvent(void*);
};

}  // namespace wb::test
