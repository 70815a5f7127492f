#include "tests/compiler/wasm/assemble.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

TEST(Assemble, MakesTheSmallestModule) {
  EXPECT_EQ(MustAssemble("(module)"), (Bytes{0, 'a', 's', 'm', 1, 0, 0, 0}));
}

TEST(Assemble, ResolvesNames) {
  Bytes by_name = MustAssemble("(module (func $f (param $x i32) (result i32) local.get $x))");
  Bytes by_index = MustAssemble("(module (func (param i32) (result i32) local.get 0))");
  EXPECT_EQ(by_name, by_index);
}

TEST(Assemble, NamesLineAndColumnOfAnError) {
  Result<Bytes> bytes = Assemble("(module\n  (func nonsense))");
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.status().reason(), Reason::kWatInvalid);
  ASSERT_EQ(bytes.status().details().size(), 2u);
  EXPECT_EQ(bytes.status().details()[0], (Detail{"line", "2"}));
}

}  // namespace
}  // namespace wb::test
