#pragma once

// What the targets have in common with libFuzzer.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace wb {

// libFuzzer's own changes, for those that know of frames and fields.
inline std::string ChangeByFuzzer(std::string bytes) {
  const size_t size = bytes.size();
  bytes.resize(size + 64);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size, bytes.size()));
  return bytes;
}

[[noreturn]] inline void FoundByFuzzer(const std::string& words) {
  std::fprintf(stderr, "%s\n", words.c_str());
  std::abort();
}

}  // namespace wb
