// The four guests of cuda_kernels.cc and the kernels written by hand for them give the same
// digests, on this machine's processor. On a GPU cuda_kernels says so again.

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <array>
#include <span>
#include <vector>

#include "bench/cuda/probe_work.h"
#include "tests/bench/hand_kernels.h"

namespace wb::test {
namespace {

constexpr uint32_t kLanes = 130;  // all four orders of the quicksort, and a group that is not full

std::vector<uint32_t> OfModule(const char* file, const char* function) {
  const Work work = PrepareWork(file, function, kLanes, {{ValueType::kI32, 0, 1}});
  const auto device = ReferenceDevice();
  DeviceWork module(*device, work);
  module.Launch();
  const std::vector<uint32_t> records = module.Records();
  std::vector<uint32_t> digests;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t* record = &records[size_t{lane} * work.shape.RecordWords()];
    EXPECT_EQ(record[abi::RECORD_END], static_cast<uint32_t>(End::kReturned));
    digests.push_back(record[abi::RECORD_REGISTERS + work.program.steps.at(0).results_at]);
  }
  return digests;
}

void ExpectEqual(const char* file, const char* function, std::span<const HandKernel> kernels,
                 uint32_t scratch_words) {
  const std::vector<uint32_t> wanted = OfModule(file, function);
  for (const HandKernel& kernel : kernels) {
    std::vector<uint32_t> digests(kLanes + 1, 7), scratch(size_t{160} * scratch_words + 1, 7);
    for (uint32_t lane = 0; lane < 160; ++lane) {  // whole warps, as on a GPU
      BeLane(lane);
      kernel.run(digests.data(), scratch.data(), kLanes);
    }
    EXPECT_EQ(digests.back(), 7u) << kernel.name;  // nothing behind its own
    EXPECT_EQ(scratch.back(), 7u) << kernel.name;
    digests.pop_back();
    EXPECT_EQ(digests, wanted) << kernel.name;
  }
}

TEST(CudaKernelsTest, Sha256) { ExpectEqual(WB_KERNEL_GUESTS, "sha256", kHandSha256, 0); }
TEST(CudaKernelsTest, Gemm) { ExpectEqual(WB_KERNEL_GUESTS, "gemm", kHandGemm, 3456); }
TEST(CudaKernelsTest, ShellSort) {
  ExpectEqual(WB_KERNEL_GUESTS, "shellsort", kHandShellSort, 2048);
}
TEST(CudaKernelsTest, Quicksort) { ExpectEqual(WB_CALLS, "sort", kHandQuicksort, 4096); }

TEST(CudaKernelsTest, Sha256IsTheRealOne) {
  uint32_t random = 5u * 2654435761u + 1;
  std::array<uint8_t, 32> digest;
  for (size_t i = 0; i < 32; i += 4) {
    random = random * 1664525u + 1013904223u;
    for (size_t byte = 0; byte < 4; ++byte) {
      digest[i + byte] = static_cast<uint8_t>(random >> (24 - 8 * byte));
    }
  }
  for (int i = 0; i < 200; ++i) {
    const std::array<uint8_t, 32> message = digest;
    SHA256(message.data(), message.size(), digest.data());
  }
  const uint32_t first =
      static_cast<uint32_t>(digest[0]) << 24 | digest[1] << 16 | digest[2] << 8 | digest[3];
  EXPECT_EQ(OfModule(WB_KERNEL_GUESTS, "sha256")[5], first);
}

}  // namespace
}  // namespace wb::test
