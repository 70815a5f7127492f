#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "compiler/coredump/core_dump.h"
#include "tests/compiler/coredump/sample_core.h"

namespace wb {
namespace {

using test::SampleCore;

TEST(CoreFileTest, WhatIsWrittenIsReadAgain) {
  const CoreDump core = SampleCore();
  const Result<CoreDump> read = ReadCore(WriteCore(core));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read, core);
}

TEST(CoreFileTest, ADumpWithoutMemoriesAndFramesIsOneToo) {
  CoreDump core;
  core.thread = "t";
  const Result<CoreDump> read = ReadCore(WriteCore(core));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read, core);
}

// The bytes as the tool conventions have them.
TEST(CoreFileTest, AFrameHasTheBytesOfTheConventions) {
  CoreDump core;
  core.modules = {"m"};
  core.instances = {{0, {}, {}}};
  core.thread = "t";
  core.frames = {{0, 2, 9, {{ValueType::kI32, 5}}, {{}}}};
  const Bytes file = WriteCore(core);
  const Bytes want = {0, 24,  9, 'c', 'o', 'r', 'e', 's', 't',  'a', 'c', 'k', 0,
                      1, 't', 1, 0,   0,   2,   9,   1,   0x7f, 5,   1,   0x01};
  EXPECT_NE(std::search(file.begin(), file.end(), want.begin() + 2, want.end()), file.end());
}

// Tools of others take it for a module.
TEST(CoreFileTest, WabtValidatesIt) {
  if (std::system("command -v wasm-validate >/dev/null") != 0) GTEST_SKIP() << "no wabt here";
  char path[] = "/tmp/wb_core_XXXXXX";
  ASSERT_GE(mkstemp(path), 0);
  const Bytes file = WriteCore(SampleCore());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  const std::string name(path);
  EXPECT_EQ(std::system(("wasm-validate --enable-multi-memory " + name).c_str()), 0);
  EXPECT_EQ(std::system(("wasm-objdump -h " + name + " | grep -q corestack").c_str()), 0);
  std::remove(path);
}

}  // namespace
}  // namespace wb
