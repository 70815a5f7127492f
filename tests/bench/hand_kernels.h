#pragma once

// The hand-written CUDA kernels of bench/, compiled as C++ for this machine's processor.

#include <cstdint>
#include <map>
#include <string>

namespace wb::test {

struct HandKernel {
  const char* name;
  void (*run)(uint32_t* digests, uint32_t* scratch, uint32_t lanes);  // of one thread
};

// Makes the calling thread the lane of that number.
void BeLane(uint32_t lane);

extern const HandKernel kHandSha256[1];
extern const HandKernel kHandGemm[2];
extern const HandKernel kHandShellSort[2];
extern const HandKernel kHandQuicksort[4];
// Those of bench/race that are not above, by their names.
const std::map<std::string, HandKernel>& RaceHandKernels();

}  // namespace wb::test
