#include "client/cli/program/files.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace wb::cli {
namespace {

TEST(Files, AFolderIsNoFile) {
  Result<std::string> read = ReadFile("/tmp");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().message(), "The file [/tmp] cannot be read (Is a directory).");
  EXPECT_EQ(CheckWritable("/tmp").message(), "The file [/tmp] cannot be written (Is a directory).");
  EXPECT_FALSE(CheckWritable("/tmp/there/is/no/such/folder").ok());
}

}  // namespace
}  // namespace wb::cli
