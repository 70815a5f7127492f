#include "daemon/start_retry.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daemon/postgres/postgres_errors.h"

namespace wb {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// With a clock that only pauses and tries move.
class StartRetryTest : public testing::Test {
 protected:
  // Each try takes `try_time_`; the first `slow` fail with the error.
  Status Run(uint64_t slow, const Status& error) {
    return retry_.Run("its tables", [&, slow]() -> Status {
      now_ += try_time_;
      return ++tries_ <= slow ? error : Status();
    });
  }
  static Status TookTooLong() {
    return PostgresError("db/jobs", "57014", "canceling statement due to statement timeout");
  }

  TimePoint now_{};
  milliseconds try_time_{0};
  uint64_t tries_ = 0;
  bool ends_ = false;
  std::vector<milliseconds> pauses_;
  const StartRetry retry_{seconds(30),
                          [this](std::chrono::nanoseconds time) {
                            now_ += time;
                            pauses_.push_back(std::chrono::duration_cast<milliseconds>(time));
                            return !ends_;
                          },
                          [this] { return now_; }};
};

TEST_F(StartRetryTest, AStepThatTookTooLongIsTriedAgainAfterPausesThatDouble) {
  EXPECT_TRUE(Run(3, TookTooLong()).ok());
  EXPECT_EQ(tries_, 4u);
  EXPECT_EQ(pauses_,
            (std::vector<milliseconds>{milliseconds(100), milliseconds(200), milliseconds(400)}));
}

TEST_F(StartRetryTest, OtherErrorsEndItAtOnce) {
  for (const Status& error :
       {PostgresError("db/jobs", "", "gone"), ConnectError("db/jobs", "refused"),
        PostgresError("db/jobs", "42P01", "no table"), PostgresError("db/jobs", "WB001", "taken"),
        Status(Reason::kConfigInvalid, "wrong")}) {
    tries_ = 0;
    EXPECT_EQ(Run(1, error).message(), error.message());
    EXPECT_EQ(tries_, 1u);
  }
  EXPECT_TRUE(pauses_.empty());
}

TEST_F(StartRetryTest, ADatabaseThatHasBeenSlowMayRefuseASessionToo) {
  const std::vector<Status> answers = {TookTooLong(), ConnectError("db/jobs", "timeout expired"),
                                       SilenceError("db/jobs", seconds(35)), Status()};
  EXPECT_TRUE(retry_.Run("its tables", [&] { return answers.at(tries_++); }).ok());
  EXPECT_EQ(tries_, answers.size());
  tries_ = 0;
  const std::vector<Status> taken = {TookTooLong(), PostgresError("db/jobs", "WB001", "taken")};
  EXPECT_EQ(retry_.Run("its tables", [&] { return taken.at(tries_++); }).message(),
            taken[1].message());
}

TEST_F(StartRetryTest, AfterItsBoundItEndsAndSaysWhatToDo) {
  try_time_ = seconds(30);
  const Status ended = Run(UINT64_MAX, TookTooLong());
  EXPECT_EQ(ended.reason(), Reason::kMachineFault);
  // One fails at 30 s, and the last begins before 90 s.
  EXPECT_EQ(tries_, 3u);
  EXPECT_LE(now_, TimePoint() + seconds(30 + 60 + 30));
  for (const char* words : {"[db/jobs]", "its tables [3] times in 90 s", "statement timeout",
                            "pg_stat_activity", "[store.timeout]"}) {
    EXPECT_NE(ended.message().find(words), std::string::npos) << ended.message();
  }
}

TEST_F(StartRetryTest, TriesThatFailSoonArePacedUntilTheBound) {
  EXPECT_FALSE(Run(UINT64_MAX, TookTooLong()).ok());
  EXPECT_LE(now_, TimePoint() + StartRetry::kLongest);
  EXPECT_GT(now_, TimePoint() + StartRetry::kLongest - seconds(10));
  EXPECT_LT(tries_, 30u);
}

TEST_F(StartRetryTest, ADaemonThatIsToEndWaitsNoLonger) {
  ends_ = true;
  const Status ended = Run(UINT64_MAX, TookTooLong());
  EXPECT_EQ(ended.reason(), Reason::kCancelled);
  EXPECT_EQ(tries_, 1u);
}

}  // namespace
}  // namespace wb
