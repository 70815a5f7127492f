// HostCallLog: which answers are kept, and for how long an instance waits.

#include "scheduler/job/host_calls/host_call_log.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

const std::vector<HostImport>& Imports() {
  static const std::vector<HostImport> imports = {
      {"env.ask", FunctionType{{ValueType::kI32}, {ValueType::kI32}}, {}, true}};
  return imports;
}

// Of an instance without its state.
AskingInstance Asking(uint64_t instance, uint64_t number) {
  AskingInstance asking;
  asking.instance.instance = instance;
  asking.asked.call = {instance, number, 0, {Value::I32(1)}, {}};
  asking.if_failed.instance = instance;
  asking.if_failed.end = End::kTrapped;
  return asking;
}

HostAnswer Answer(uint64_t instance, uint64_t number, size_t bytes = 0) {
  HostAnswer answer{instance, number, {Value::I32(5)}, {}, ""};
  if (bytes > 0) answer.writes = {{0, Bytes(bytes)}};
  return answer;
}

constexpr std::chrono::seconds kTimeout{10};

TEST(HostCallLogTest, AnInstanceThatStartsAgainIsAnsweredFromTheBook) {
  HostCallLog log(Imports(), kTimeout);
  HostCallOutcome outcome;
  log.Ask(Asking(4, 0), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 1u);
  log.Answer(Answer(4, 0), outcome);
  EXPECT_EQ(outcome.go_on.size(), 1u);
  EXPECT_TRUE(log.HasAnswer(4, 0));
  EXPECT_FALSE(log.HasAnswer(4, 1));
  log.Ask(Asking(4, 0), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 1u);
  EXPECT_EQ(outcome.go_on.size(), 2u);
  log.Ask(Asking(4, 1), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 2u);
}

TEST(HostCallLogTest, WhoBeganInAStateHasMadeItsFirstCallsElsewhere) {
  HostCallLog log(Imports(), kTimeout);
  HostCallOutcome outcome;
  AskingInstance asking = Asking(4, 7);
  asking.instance.given = std::make_shared<HeldState>(StateNeeds(), std::make_shared<MovedLane>());
  log.Ask(asking, {}, outcome);
  ASSERT_EQ(outcome.asked.size(), 1u);
  log.Answer(Answer(4, 7), outcome);
  log.Ask(asking, {}, outcome);  // it began again
  EXPECT_EQ(outcome.asked.size(), 1u) << "each call is asked once";
  EXPECT_EQ(outcome.go_on.size(), 2u);
  log.Ask(Asking(5, 7), {}, outcome);
  EXPECT_EQ(outcome.ended.size(), 1u) << "nobody knows its first calls";
}

TEST(HostCallLogTest, AnswersThatAreTooManyToKeepFailOnlyWhoStartsAgain) {
  HostCallLog log(Imports(), kTimeout, 1000);
  HostCallOutcome outcome;
  for (uint64_t number = 0; number < 2; ++number) {
    log.Ask(Asking(1, number), {}, outcome);
    log.Answer(Answer(1, number, 600), outcome);
  }
  EXPECT_EQ(outcome.go_on.size(), 2u);
  EXPECT_TRUE(outcome.ended.empty());
  log.Ask(Asking(1, 0), {}, outcome);
  ASSERT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(outcome.ended[0].trap, Trap::kHostCallFailed);
  EXPECT_NE(outcome.ended[0].host_error.find("too many to keep"), std::string::npos);
  log.Ask(Asking(2, 0), {}, outcome);  // there is room again
  log.Answer(Answer(2, 0, 600), outcome);
  log.Ask(Asking(2, 0), {}, outcome);
  EXPECT_EQ(outcome.go_on.size(), 4u);
}

TEST(HostCallLogTest, OfAnswersThatAreNotKeptAMarkStaysUntilTheInstanceHasEnded) {
  constexpr uint64_t kMarked = 1000;
  HostCallLog log(Imports(), kTimeout, 0);
  HostCallOutcome outcome;
  for (uint64_t instance = 0; instance < kMarked; ++instance) {
    for (uint64_t number = 0; number < 3; ++number) {
      log.Ask(Asking(instance, number), {}, outcome);
      log.Answer(Answer(instance, number), outcome);
    }
  }
  EXPECT_EQ(log.answered(), kMarked);
  EXPECT_TRUE(log.HasAnswer(7, 2));
  // The mark is why this one does not ask again, and it goes with the instance.
  log.Ask(Asking(7, 0), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 3 * kMarked);
  EXPECT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(log.answered(), kMarked - 1);
  for (uint64_t instance = 0; instance < kMarked; ++instance) log.Forget(instance);
  EXPECT_EQ(log.answered(), 0u);
}

TEST(HostCallLogTest, EachCallHasItsOwnTime) {
  HostCallLog log(Imports(), kTimeout);
  HostCallOutcome outcome;
  const TimePoint start{};
  log.Ask(Asking(1, 0), start, outcome);
  log.Ask(Asking(2, 0), start + std::chrono::seconds(3), outcome);
  log.Answer(Answer(1, 0), outcome);
  log.Ask(Asking(1, 1), start + std::chrono::seconds(5), outcome);
  EXPECT_EQ(log.next_expiry(), start + std::chrono::seconds(13));
  log.Expire(start + std::chrono::seconds(13), outcome);
  ASSERT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(outcome.ended[0].instance, 2u);
  EXPECT_EQ(log.asking(), 1u);
  log.Answer(Answer(2, 0), outcome);  // too late
  EXPECT_EQ(outcome.ended.size(), 1u);
}

TEST(HostCallLogTest, LongWordsOfACallerAreCutBetweenCharacters) {
  HostCallLog log(Imports(), kTimeout);
  HostCallOutcome outcome;
  log.Ask(Asking(1, 0), {}, outcome);
  HostAnswer answer = Answer(1, 0);
  answer.error = "x";
  for (int i = 0; i < 1000; ++i) answer.error += "\xc3\xa4";
  log.Answer(answer, outcome);
  ASSERT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(outcome.ended[0].host_error.size(), kLongestHostError - 1);
}

}  // namespace
}  // namespace wb::test
