// The guests of cuda_kernels.cc and of bench/race and the kernels written by hand for them give the
// same digests, on this machine's processor. On a GPU cuda_kernels says so again.

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <span>
#include <vector>

#include "bench/cuda/probe_work.h"
#include "bench/race/kernel_list.h"
#include "tests/bench/hand_kernels.h"

namespace wb::test {
namespace {

constexpr uint32_t kLanes = 130;  // all four orders of the quicksort, and a group that is not full

std::vector<uint32_t> OfModule(const std::string& file, const std::string& function,
                               uint32_t lanes = kLanes) {
  const Work work = PrepareWork(file, function, lanes, {{ValueType::kI32, 0, 1}});
  const auto device = ReferenceDevice();
  DeviceWork module(*device, work);
  module.Launch();
  const std::vector<uint32_t> records = module.Records();
  std::vector<uint32_t> digests;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint32_t* record = &records[size_t{lane} * work.shape.RecordWords()];
    EXPECT_EQ(record[abi::RECORD_END], static_cast<uint32_t>(End::kReturned));
    digests.push_back(record[abi::RECORD_REGISTERS + work.program.steps.at(0).results_at]);
  }
  return digests;
}

void ExpectEqual(const HandKernel& kernel, uint32_t scratch_words,
                 const std::vector<uint32_t>& wanted) {
  const auto lanes = static_cast<uint32_t>(wanted.size()), padded = (lanes + 31) / 32 * 32;
  std::vector<uint32_t> digests(lanes + 1, 7), scratch(size_t{padded} * scratch_words + 1, 7);
  for (uint32_t lane = 0; lane < padded; ++lane) {  // whole warps, as on a GPU
    BeLane(lane);
    kernel.run(digests.data(), scratch.data(), lanes);
  }
  EXPECT_EQ(digests.back(), 7u) << kernel.name;  // nothing behind its own
  EXPECT_EQ(scratch.back(), 7u) << kernel.name;
  digests.pop_back();
  EXPECT_EQ(digests, wanted) << kernel.name;
}

void ExpectEqual(const char* file, const char* function, std::span<const HandKernel> kernels,
                 uint32_t scratch_words) {
  const std::vector<uint32_t> wanted = OfModule(file, function);
  for (const HandKernel& kernel : kernels) ExpectEqual(kernel, scratch_words, wanted);
}

TEST(CudaKernelsTest, Sha256) { ExpectEqual(WB_KERNEL_GUESTS, "sha256", kHandSha256, 0); }
TEST(CudaKernelsTest, Gemm) { ExpectEqual(WB_KERNEL_GUESTS, "gemm", kHandGemm, 3456); }
TEST(CudaKernelsTest, ShellSort) {
  ExpectEqual(WB_KERNEL_GUESTS, "shellsort", kHandShellSort, 2048);
}
TEST(CudaKernelsTest, Quicksort) { ExpectEqual(WB_CALLS, "sort", kHandQuicksort, 4096); }

class RaceKernelTest : public testing::TestWithParam<bench::RaceKernel> {};

TEST_P(RaceKernelTest, GuestAndHandWrittenKernelsAgree) {
  const bench::RaceKernel& kernel = GetParam();
  const auto lanes = std::min(kernel.check, uint32_t{16});
  const std::vector<uint32_t> wanted =
      OfModule(WB_RACE "/" + kernel.module, kernel.function, lanes);
  for (const bench::HandVariant& variant : kernel.variants) {
    const auto hand = RaceHandKernels().find(variant.name);
    if (hand == RaceHandKernels().end()) continue;  // of cuda_kernels, tested above
    ExpectEqual(hand->second, kernel.scratch_words, wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RaceKernelTest, testing::ValuesIn(bench::ReadKernels(WB_RACE)),
                         [](const auto& named) { return named.param.name; });

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

// What the race's guests begin with, from an instance's number, and how they fold their digests.
std::vector<uint8_t> Drawn(uint32_t* random, int words) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < words; ++i) {
    *random = *random * 1664525u + 1013904223u;
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<uint8_t>(*random >> shift));
    }
  }
  return bytes;
}

uint32_t Folded(std::span<const uint8_t> bytes) {
  uint32_t digest = 2166136261u;
  for (size_t i = 0; i < bytes.size(); i += 4) {
    const uint32_t word = static_cast<uint32_t>(bytes[i]) << 24 | bytes[i + 1] << 16 |
                          bytes[i + 2] << 8 | bytes[i + 3];
    digest = (digest ^ word) * 16777619u;
  }
  return digest;
}

TEST(RaceTest, Sha512IsTheRealOne) {
  uint32_t random = 3u * 2654435761u + 1;
  std::vector<uint8_t> digest = Drawn(&random, 16);
  for (int i = 0; i < 100; ++i) {
    const std::vector<uint8_t> message = digest;
    SHA512(message.data(), message.size(), digest.data());
  }
  EXPECT_EQ(OfModule(WB_RACE "/sha512.wasm", "sha512", 4)[3], Folded(std::span(digest).first(8)));
}

TEST(RaceTest, Pbkdf2IsTheRealOne) {
  uint32_t random = 1u * 2654435761u + 1;
  const std::vector<uint8_t> password = Drawn(&random, 8), salt = Drawn(&random, 4);
  std::array<uint8_t, 32> key;
  ASSERT_EQ(PKCS5_PBKDF2_HMAC(reinterpret_cast<const char*>(password.data()), 32, salt.data(), 16,
                              20000, EVP_sha256(), 32, key.data()),
            1);
  EXPECT_EQ(OfModule(WB_RACE "/pbkdf2.wasm", "pbkdf2", 2)[1], Folded(key));
}

TEST(RaceTest, ScryptIsTheRealOne) {
  uint32_t random = 3u * 2654435761u + 1;
  const std::vector<uint8_t> password = Drawn(&random, 8), salt = Drawn(&random, 4);
  std::array<uint8_t, 32> key;
  ASSERT_EQ(EVP_PBE_scrypt(reinterpret_cast<const char*>(password.data()), 32, salt.data(), 16,
                           1024, 8, 1, 0, key.data(), 32),
            1);
  EXPECT_EQ(OfModule(WB_RACE "/scrypt.wasm", "scrypt", 4)[3], Folded(key));
}

// As hash-wasm 4.13.0 computes them.
TEST(RaceTest, BcryptAndXxh64AreTheRealOnes) {
  EXPECT_EQ(OfModule(WB_RACE "/bcrypt.wasm", "bcrypt", 2),
            (std::vector<uint32_t>{0xc6c5388eu, 0x64325277u}));
  EXPECT_EQ(OfModule(WB_RACE "/xxh64.wasm", "xxh64", 2),
            (std::vector<uint32_t>{0xc100b3ecu, 0xcb453c4fu}));
}

}  // namespace
}  // namespace wb::test
