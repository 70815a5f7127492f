// What a log takes of each kind of line, and how a line is written.

#include "daemon/process/log.h"

#include <gtest/gtest.h>

#include "daemon/process/log_limit.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

class LogLimitTest : public testing::Test {
 protected:
  uint64_t TakeMany(std::string_view kind, int lines) {
    uint64_t taken = 0;
    for (int i = 0; i < lines; ++i) taken += limit_.Take(kind, now_) ? 1 : 0;
    return taken;
  }

  LogLimit limit_{10};
  LogLimit::TimePoint now_{1h};
};

TEST_F(LogLimitTest, AFloodIsCutToABurstAndThenToTheRate) {
  EXPECT_EQ(TakeMany("rpc", 5000), 100u);
  now_ += 1s;
  EXPECT_EQ(TakeMany("rpc", 5000), 10u);
  now_ += 1h;
  EXPECT_EQ(TakeMany("rpc", 5000), 100u);  // no more than a burst is saved up
}

TEST_F(LogLimitTest, OneKindLeavesTheOthersAlone) {
  TakeMany("rpc", 5000);
  EXPECT_TRUE(limit_.Take("accept_failed", now_));
}

TEST_F(LogLimitTest, WhatIsLeftOutIsCountedOnce) {
  EXPECT_TRUE(limit_.TakeLeftOut().empty());
  TakeMany("rpc", 150);
  const auto left_out = limit_.TakeLeftOut();
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_EQ(left_out[0].kind, "rpc");
  EXPECT_EQ(left_out[0].lines, 50u);
  EXPECT_TRUE(limit_.TakeLeftOut().empty());
}

TEST(LogLimit, ZeroIsNoLimit) {
  LogLimit limit(0);
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(limit.Take("rpc", {}));
}

TEST(LogLine, ControlCharactersAreEscaped) {
  EXPECT_EQ(LogLine("rpc", {{"method", "/a.B/C"}, {"message", "two words"}}, false),
            "rpc method=/a.B/C message=\"two words\"");
  EXPECT_EQ(LogLine("rpc", {{"method", "a\x7f\x1b[31m"}}, false),
            "rpc method=\"a\\u007f\\u001b[31m\"");
  EXPECT_EQ(LogLine("rpc", {{"method", "a\rb"}}, false), "rpc method=\"a\\rb\"");
  EXPECT_EQ(LogLine("rpc", {{"method", "a\x7f"}}, true),
            "\"event\":\"rpc\",\"method\":\"a\\u007f\"");
}

TEST(LogForms, TheJournalIsChosenWhereStandardErrorIsIts) {
  EXPECT_EQ(LogFormOf("auto", true), LogForm::kJournal);
  EXPECT_EQ(LogFormOf("auto", false), LogForm::kText);
  EXPECT_EQ(LogFormOf("journald", false), LogForm::kJournal);
  EXPECT_EQ(LogFormOf("text", true), LogForm::kText);
  EXPECT_EQ(LogFormOf("json", true), LogForm::kJson);
  EXPECT_TRUE(IsJournalStream("9:4711", 9, 4711));
  EXPECT_FALSE(IsJournalStream("9:4711", 9, 471));
  EXPECT_FALSE(IsJournalStream("", 9, 4711));
  EXPECT_FALSE(IsJournalStream("9:4711x", 9, 4711));
}

TEST(LogForms, ALineForTheJournalBeginsWithItsPriority) {
  EXPECT_EQ(JournalLine(LogLevel::kError, "rpc code=INTERNAL"), "<3>rpc code=INTERNAL");
  EXPECT_EQ(JournalLine(LogLevel::kWarning, "a"), "<4>a");
  EXPECT_EQ(JournalLine(LogLevel::kInfo, "a"), "<6>a");
  EXPECT_EQ(JournalLine(LogLevel::kDebug, "a"), "<7>a");
}

}  // namespace
}  // namespace wb
