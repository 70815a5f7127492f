#pragma once

// A call of an import that the job's caller answers, and its answer. Plain values.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "scheduler/job/lane_program.h"

namespace wb {

inline constexpr uint64_t kMostBytesOfCall = uint64_t{1} << 20;    // of memory, of one call
inline constexpr uint64_t kMostBytesOfAnswer = uint64_t{1} << 20;  // written to memory
inline constexpr size_t kLongestHostError = 1024;

struct HostCall {
  uint64_t instance = 0;
  uint64_t number = 0;  // of the calls of this instance, from 0
  uint32_t import = 0;  // in JobSpec::host_imports
  std::vector<Value> args;
  std::vector<Bytes> bytes;  // as HostImport::bytes says

  uint64_t HeldBytes() const {
    uint64_t held = sizeof(HostCall) + args.size() * sizeof(Value);
    for (const Bytes& part : bytes) held += sizeof(Bytes) + part.size();
    return held;
  }
};

struct MemoryWrite {
  uint32_t pointer = 0;  // in memory 0
  Bytes data;
};

struct HostAnswer {
  uint64_t instance = 0;
  uint64_t number = 0;
  std::vector<Value> results;
  std::vector<MemoryWrite> writes;  // in this order
  std::string error;                // not empty: the call fails with these words

  uint64_t HeldBytes() const {
    uint64_t held = sizeof(HostAnswer) + results.size() * sizeof(Value) + error.size();
    for (const MemoryWrite& write : writes) held += sizeof(MemoryWrite) + write.data.size();
    return held;
  }
};

}  // namespace wb
