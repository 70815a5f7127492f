#pragma once

// The cpu engine: kernel text compiled by this machine's clang++ or g++, run by a thread pool.

#include <cstdint>
#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/host_memory.h"

namespace wb {

struct CpuSettings {
  std::string id = "cpu0";
  uint32_t threads = 0;                             // 0: one per processor
  MemoryLayout layout = MemoryLayout::kContiguous;  // others: test modes, slower
  // Test mode, slower: lanes may hold a part of memory 0 (DispatchShape::window).
  Windows windows = Windows::kNever;
  // Test mode, slower: the floats that a Mac gets. Lanes run with subnormals flushed, as there.
  bool metal_floats = false;
  uint64_t memory_bytes = 0;   // for lane state; 0: half of physical memory
  std::string compiler_path;   // empty: wasmburst-clang, else searched in PATH
  std::string work_directory;  // for compiles; empty: the system's
  CompilerLimits compile;
  // False: no compiler is looked for, Build() fails, and info().target is empty.
  bool builds = true;
  // A text with more bytes of functions is compiled as several, side by side (emit/chunks.h).
  uint64_t chunk_bytes = uint64_t{1} << 20;
  std::shared_ptr<HostMemory> host_memory;  // null: anonymous memory
};

// CONFIG_INVALID when there is no usable compiler, IO_ERROR when there is no working folder.
Result<std::unique_ptr<Device>> CreateCpuDevice(const CpuSettings& settings);

}  // namespace wb
