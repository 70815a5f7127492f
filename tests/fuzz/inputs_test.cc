// Inputs that once made trouble in coverage-guided fuzzing, as its target for compilation takes
// them.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/spec/wast_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace wb::fuzz {
namespace {

TEST(InputsTest, NoneMakesTrouble) {
  size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WB_FUZZ_INPUTS)) {
    const auto bytes = spec::ReadFileBytes(entry.path());
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    SCOPED_TRACE(entry.path());
    EXPECT_EQ(LLVMFuzzerTestOneInput(bytes->data(), bytes->size()), 0);
    ++inputs;
  }
  EXPECT_GT(inputs, 0u);
}

}  // namespace
}  // namespace wb::fuzz
