// What the linker is shown, and what becomes of its answer.

#include "scheduler/devices/cuda/nvrtc/nvjitlink.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/scheduler/devices/cuda/nvrtc/cubin_file.h"

namespace wb::test {
namespace {

// A linker that gives the same answer to whatever it is shown.
std::vector<std::vector<std::string>> shown;  // by link
std::string answer;

int Create(void**, uint32_t, const char**) {
  shown.emplace_back();
  return 0;
}
int Add(void*, int, const void* data, size_t bytes, const char*) {
  shown.back().emplace_back(static_cast<const char*>(data), bytes);
  return 0;
}
int Complete(void*) { return answer.empty() ? 6 : 0; }
int Size(void*, size_t* bytes) {
  *bytes = answer.size();
  return 0;
}
int Cubin(void*, void* cubin) {
  std::memcpy(cubin, answer.data(), answer.size());
  return 0;
}
int Destroy(void**) { return 0; }

Result<std::string> LinkTo(const std::string& linked, const std::vector<std::string>& cubins) {
  NvJitLink linker;
  linker.create = Create;
  linker.add = Add;
  linker.complete = Complete;
  linker.log_size = Size;
  linker.cubin_size = Size;
  linker.cubin = Cubin;
  linker.destroy = Destroy;
  shown.clear();
  answer = linked;
  return LinkCubins(linker, "sm_90", cubins);
}

std::string Linked(uint32_t stack_bytes) {
  return CubinFile({{"main", 8, true, false, stack_bytes}}, {});
}

// Two ways to g, of which the deeper takes 8 + 16 + 32 bytes.
std::vector<std::string> Chunks() {
  return {CubinFile({{"main", 8, true}, {"f", 16}, {"g", 32}}, {{1, 2}, {1, 3}, {2, 3}})};
}

TEST(LinkCubins, TheLinkerIsShownFewerCalls) {
  const auto linked = LinkTo(Linked(56), Chunks());
  ASSERT_TRUE(linked.ok()) << linked.status().ToString();
  EXPECT_EQ(*linked, Linked(56));
  ASSERT_EQ(shown.size(), 1u);
  ASSERT_EQ(shown[0].size(), 1u);
  EXPECT_NE(shown[0][0], Chunks()[0]);
}

// A kernel with too little stack would write over other lanes' memory.
TEST(LinkCubins, IfItCountsAnotherStackItIsShownAll) {
  for (const std::string& other : {Linked(40), Linked(80), std::string("no cubin")}) {
    const auto linked = LinkTo(other, Chunks());
    ASSERT_TRUE(linked.ok()) << linked.status().ToString();
    EXPECT_EQ(*linked, other);
    ASSERT_EQ(shown.size(), 2u);
    EXPECT_NE(shown[0], Chunks());
    EXPECT_EQ(shown[1], Chunks());
  }
}

TEST(LinkCubins, WhatIsNotUnderstoodIsShownAsItIs) {
  const std::vector<std::string> chunks = {"one", "two"};
  EXPECT_TRUE(LinkTo("linked", chunks).ok());
  EXPECT_EQ(shown, (std::vector<std::vector<std::string>>{chunks}));
}

TEST(LinkCubins, IfItFailsItIsAskedOnceMoreAndItsLastAnswerCounts) {
  EXPECT_EQ(LinkTo("", Chunks()).status().reason(), Reason::kCompileFailed);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[1], Chunks());
}

}  // namespace
}  // namespace wb::test
