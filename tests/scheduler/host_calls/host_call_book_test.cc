// HostCallBook: which answers are kept, and for how long an instance waits.

#include "scheduler/job/host_calls/host_call_book.h"

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

TEST(HostCallBookTest, AnInstanceThatStartsAgainIsAnsweredFromTheBook) {
  HostCallBook book(Imports(), kTimeout);
  HostCallOutcome outcome;
  book.Ask(Asking(4, 0), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 1u);
  book.Answer(Answer(4, 0), outcome);
  EXPECT_EQ(outcome.go_on.size(), 1u);
  EXPECT_TRUE(book.HasAnswer(4, 0));
  EXPECT_FALSE(book.HasAnswer(4, 1));
  book.Ask(Asking(4, 0), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 1u);
  EXPECT_EQ(outcome.go_on.size(), 2u);
  book.Ask(Asking(4, 1), {}, outcome);
  EXPECT_EQ(outcome.asked.size(), 2u);
}

TEST(HostCallBookTest, AnswersThatAreTooManyToKeepFailOnlyWhoStartsAgain) {
  HostCallBook book(Imports(), kTimeout, 1000);
  HostCallOutcome outcome;
  for (uint64_t number = 0; number < 2; ++number) {
    book.Ask(Asking(1, number), {}, outcome);
    book.Answer(Answer(1, number, 600), outcome);
  }
  EXPECT_EQ(outcome.go_on.size(), 2u);
  EXPECT_TRUE(outcome.ended.empty());
  book.Ask(Asking(1, 0), {}, outcome);
  ASSERT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(outcome.ended[0].trap, Trap::kHostCallFailed);
  EXPECT_NE(outcome.ended[0].host_error.find("too many to keep"), std::string::npos);
  book.Ask(Asking(2, 0), {}, outcome);  // there is room again
  book.Answer(Answer(2, 0, 600), outcome);
  book.Ask(Asking(2, 0), {}, outcome);
  EXPECT_EQ(outcome.go_on.size(), 4u);
}

TEST(HostCallBookTest, EachCallHasItsOwnTime) {
  HostCallBook book(Imports(), kTimeout);
  HostCallOutcome outcome;
  const TimePoint start{};
  book.Ask(Asking(1, 0), start, outcome);
  book.Ask(Asking(2, 0), start + std::chrono::seconds(3), outcome);
  book.Answer(Answer(1, 0), outcome);
  book.Ask(Asking(1, 1), start + std::chrono::seconds(5), outcome);
  EXPECT_EQ(book.next_expiry(), start + std::chrono::seconds(13));
  book.Expire(start + std::chrono::seconds(13), outcome);
  ASSERT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(outcome.ended[0].instance, 2u);
  EXPECT_EQ(book.asking(), 1u);
  book.Answer(Answer(2, 0), outcome);  // too late
  EXPECT_EQ(outcome.ended.size(), 1u);
}

TEST(HostCallBookTest, LongWordsOfACallerAreCutBetweenCharacters) {
  HostCallBook book(Imports(), kTimeout);
  HostCallOutcome outcome;
  book.Ask(Asking(1, 0), {}, outcome);
  HostAnswer answer = Answer(1, 0);
  answer.error = "x";
  for (int i = 0; i < 1000; ++i) answer.error += "\xc3\xa4";
  book.Answer(answer, outcome);
  ASSERT_EQ(outcome.ended.size(), 1u);
  EXPECT_EQ(outcome.ended[0].host_error.size(), kLongestHostError - 1);
}

}  // namespace
}  // namespace wb::test
