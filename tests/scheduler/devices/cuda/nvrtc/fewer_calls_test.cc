// Cubins with fewer calls, before they are linked.

#include "scheduler/devices/cuda/nvrtc/fewer_calls.h"

#include <gtest/gtest.h>

#include "scheduler/devices/cuda/nvrtc/cubin_calls.h"
#include "tests/scheduler/devices/cuda/nvrtc/cubin_file.h"

namespace wb::test {
namespace {

using Rows = std::vector<std::array<uint32_t, 2>>;

// Without the mark.
Rows RowsOf(const std::string& cubin) {
  const auto calls = ReadCalls(cubin);
  Rows rows;
  for (const CubinCalls::Row& row : calls->rows) rows.push_back({row.caller, row.callee});
  EXPECT_EQ(rows.at(0), (std::array<uint32_t, 2>{0, ~0u}));
  rows.erase(rows.begin());
  return rows;
}

// A kernel and `f` in one cubin; `g` and a function of its own in the other, which both call back.
std::vector<std::string> Two() {
  return {CubinFile({{"main", 8, true}, {"f", 16}, {"g", std::nullopt}}, {{1, 2}, {1, 3}}),
          CubinFile({{"g", 32}, {"own", 64, false, true}, {"f", std::nullopt}},
                    {{1, 2}, {1, 3}, {2, 3}})};
}

TEST(FewerCalls, FunctionsOfAllCubinsAreOneGraph) {
  const auto fewer = WithFewerCalls(Two());
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->stack_bytes, 8u + 32 + 64 + 16);
  ASSERT_EQ(fewer->cubins.size(), 2u);
  EXPECT_EQ(RowsOf(fewer->cubins[0]), (Rows{{1, 3}}));  // f is deeper by another way
  EXPECT_EQ(RowsOf(fewer->cubins[1]), (Rows{{1, 2}, {2, 3}}));
}

TEST(FewerCalls, FunctionsThatOneCubinAloneKnowsMayShareAName) {
  const CubinFunction own = {"own", 64, false, true};
  const auto fewer =
      WithFewerCalls({CubinFile({{"main", 8, true}, own, {"g", std::nullopt}}, {{1, 2}, {1, 3}}),
                      CubinFile({{"g", 32}, own}, {{1, 2}})});
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->stack_bytes, 8u + 32 + 64);
  EXPECT_EQ(RowsOf(fewer->cubins[0]), (Rows{{1, 2}, {1, 3}}));
  EXPECT_EQ(RowsOf(fewer->cubins[1]), (Rows{{1, 2}}));
}

TEST(FewerCalls, NothingIsChangedThatIsNotUnderstood) {
  const CubinFunction main = {"main", 8, true};
  EXPECT_FALSE(WithFewerCalls({}));
  EXPECT_FALSE(WithFewerCalls({CubinFile({main}, {}), "no cubin"}));
  EXPECT_FALSE(WithFewerCalls({CubinFile({{"f", 8}}, {})})) << "no kernel";
  EXPECT_FALSE(WithFewerCalls({CubinFile({main, {"other", 8, true}}, {})})) << "two kernels";
  EXPECT_FALSE(WithFewerCalls({CubinFile({main}, {{1, 1}})})) << "calls itself";
  EXPECT_FALSE(WithFewerCalls({CubinFile({main, {"f", std::nullopt}}, {{1, 2}})})) << "no frame";
  EXPECT_FALSE(WithFewerCalls({CubinFile({main}, {{1, 7}})})) << "no such symbol";
  EXPECT_FALSE(WithFewerCalls({CubinFile({main}, {{1, ~0u}})})) << "a mark of a function";
  EXPECT_TRUE(WithFewerCalls({CubinFile({main}, {})}));
}

TEST(FewerCalls, TheStackOfALinkedKernelIsKnown) {
  const std::string linked = CubinFile({{"main", 8, true, false, 120}}, {});
  EXPECT_TRUE(AsksForStack(linked, 120));
  EXPECT_FALSE(AsksForStack(linked, 112));
  EXPECT_FALSE(AsksForStack(CubinFile({{"main", 120, true}}, {}), 120));
  EXPECT_FALSE(AsksForStack("no cubin", 0));
}

}  // namespace
}  // namespace wb::test
