#include "daemon/rpc/upload_pace.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

using std::chrono::seconds;

class UploadPaceTest : public testing::Test {
 protected:
  void CameAt(int second, size_t bytes) { pace_.Came(bytes, start_ + seconds(second)); }
  bool IsTooSlowAt(int second) const { return pace_.IsTooSlow(start_ + seconds(second)); }

  const UploadPace::Time start_{seconds(1000)};
  UploadPace pace_{start_};
};

TEST_F(UploadPaceTest, NothingIsTooSlowAfterHalfAMinute) {
  EXPECT_FALSE(IsTooSlowAt(29));
  EXPECT_TRUE(IsTooSlowAt(30));
}

TEST_F(UploadPaceTest, AFewBytesNowAndThenAreAsNothing) {
  for (int second = 1; second < 30; ++second) CameAt(second, 1000);
  EXPECT_TRUE(IsTooSlowAt(30));
}

TEST_F(UploadPaceTest, ALongOneThatFlowsKeepsItsPlace) {
  for (int second = 0; second < 1000; ++second) {
    EXPECT_FALSE(IsTooSlowAt(second));
    CameAt(second, 2 << 20);
  }
}

TEST_F(UploadPaceTest, APauseEndsOneThatHasBroughtMuch) {
  CameAt(1, size_t{1} << 30);
  EXPECT_FALSE(IsTooSlowAt(30));
  EXPECT_TRUE(IsTooSlowAt(31));
}

TEST_F(UploadPaceTest, OneThatDragsOnEndsThoughItNeverPauses) {
  CameAt(1, 100 << 20);
  int second = 1;
  while (!IsTooSlowAt(second)) CameAt(second++, UploadPace::kLeastBytes);
  EXPECT_GT(second, 130);
  EXPECT_LT(second, 150);
}

}  // namespace
}  // namespace wb
