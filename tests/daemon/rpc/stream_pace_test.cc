#include "daemon/rpc/stream_pace.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

using std::chrono::seconds;

class StreamPaceTest : public testing::Test {
 protected:
  void CameAt(int second, size_t bytes) { pace_.Came(bytes, start_ + seconds(second)); }
  bool IsTooSlowAt(int second) const { return pace_.IsTooSlow(start_ + seconds(second)); }

  const StreamPace::Time start_{seconds(1000)};
  StreamPace pace_{start_};
};

TEST_F(StreamPaceTest, NothingIsTooSlowAfterHalfAMinute) {
  EXPECT_FALSE(IsTooSlowAt(29));
  EXPECT_TRUE(IsTooSlowAt(30));
}

TEST_F(StreamPaceTest, AFewBytesNowAndThenAreAsNothing) {
  for (int second = 1; second < 30; ++second) CameAt(second, 1000);
  EXPECT_TRUE(IsTooSlowAt(30));
}

TEST_F(StreamPaceTest, ALongOneThatFlowsKeepsItsPlace) {
  for (int second = 0; second < 1000; ++second) {
    EXPECT_FALSE(IsTooSlowAt(second));
    CameAt(second, 2 << 20);
  }
}

TEST_F(StreamPaceTest, APauseEndsOneThatHasBroughtMuch) {
  CameAt(1, size_t{1} << 30);
  EXPECT_FALSE(IsTooSlowAt(30));
  EXPECT_TRUE(IsTooSlowAt(31));
}

TEST_F(StreamPaceTest, OneThatDragsOnEndsThoughItNeverPauses) {
  CameAt(1, 100 << 20);
  int second = 1;
  while (!IsTooSlowAt(second)) CameAt(second++, PaceRule().least_bytes);
  EXPECT_GT(second, 130);
  EXPECT_LT(second, 150);
}

class SendingPaceTest : public testing::Test {
 protected:
  // A message of so many bytes that the client takes so long to take.
  void Send(size_t bytes, int took) {
    pace_.Begin(now_);
    now_ += seconds(took);
    EXPECT_FALSE(pace_.IsTooSlow(now_));
    pace_.End(bytes, now_);
  }
  bool IsTooSlowAfter(int waits) {
    pace_.Begin(now_);
    return pace_.IsTooSlow(now_ + seconds(waits));
  }

  static constexpr size_t kMiB = 1 << 20;
  SendingPace::Time now_{seconds(1000)};
  SendingPace pace_{PaceRule{seconds(60), 64 << 10, 128 << 10}};
};

TEST_F(SendingPaceTest, OneThatIsNotTakenIsTooSlowAtItsPatience) {
  EXPECT_FALSE(IsTooSlowAfter(59));
  EXPECT_TRUE(IsTooSlowAfter(60));
}

TEST_F(SendingPaceTest, TheSendersOwnTimeDoesNotCount) {
  for (int i = 0; i < 100; ++i) {
    Send(kMiB, 1);
    now_ += seconds(10'000);
  }
  EXPECT_FALSE(IsTooSlowAfter(59));
  EXPECT_TRUE(IsTooSlowAfter(60));
}

TEST_F(SendingPaceTest, OneThatDragsOnEnds) {
  // Half of the rate: a MiB in 16 s, where 8 are earned.
  int sent = 0;
  while (!IsTooSlowAfter(15)) {
    Send(kMiB, 15);
    ++sent;
  }
  EXPECT_GT(sent, 3);
  EXPECT_LT(sent, 10);
}

}  // namespace
}  // namespace wb
