// A megabyte of binary, 2,500 functions: decoded, lowered and printed within 256 MiB.

#include <gtest/gtest.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstdio>
#include <fstream>
#include <string>

#include "compiler/compiler.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

// Bytes of kernel text; 0 when something refuses the module.
size_t Compile(const Bytes& binary) {
  auto module = Module::Decode(binary);
  if (!module.ok()) return 0;
  const auto lowered = Lower(std::move(module).value());
  if (!lowered.ok()) return 0;
  const auto source = EmitKernel(**lowered, {});
  return source.ok() ? source->text.size() : 0;
}

#if defined(__GLIBC__) && !defined(WB_SANITIZED)
constexpr uint64_t kBytes = uint64_t{256} << 20;

// Of this process, in bytes: "VmRSS:", "VmHWM:" (the highest since it was reset).
uint64_t StatusBytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != name) {
  }
  uint64_t kib = 0;
  status >> kib;
  return kib << 10;
}

TEST(Size, AMegabyteOfManyFunctionsTakesFewBytes) {
  const Bytes binary = MustAssemble(ManyFunctionsModule(2500, 180));
  ASSERT_GT(binary.size(), size_t{1} << 20);
  malloc_trim(0);  // what is free already would not count
  std::ofstream reset("/proc/self/clear_refs");
  if (!(reset << 5 << std::flush)) GTEST_SKIP() << "The highest memory cannot be reset here.";
  const uint64_t before = StatusBytes("VmRSS:");
  const size_t text_bytes = Compile(binary);
  const uint64_t taken = StatusBytes("VmHWM:") - before;
  std::printf("%zu bytes of text, %.1f MiB taken\n", text_bytes,
              static_cast<double>(taken) / (1 << 20));
  EXPECT_GT(text_bytes, binary.size());
  EXPECT_GT(taken, text_bytes);  // else nothing was measured
  EXPECT_LE(taken, kBytes);
}
#endif

TEST(Size, TextGrowsWithTheModule) {
  const size_t small = Compile(MustAssemble(ManyFunctionsModule(100, 60)));
  const size_t large = Compile(MustAssemble(ManyFunctionsModule(400, 60)));
  EXPECT_GT(small, 0u);
  EXPECT_LT(large, 5 * small);
}

}  // namespace
}  // namespace wb::test
