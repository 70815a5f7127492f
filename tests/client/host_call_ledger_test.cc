// Which calls are handed out, and which answers are sent again.

#include "client/services/host_call_ledger.h"

#include <gtest/gtest.h>

#include <string>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

v1::HostCall Call(uint64_t instance, uint64_t number) {
  v1::HostCall call;
  call.set_instance(instance);
  call.set_number(number);
  return call;
}

v1::HostAnswer Answer(uint64_t instance, uint64_t number, size_t bytes = 0) {
  v1::HostAnswer answer;
  answer.set_instance(instance);
  answer.set_number(number);
  if (bytes > 0) answer.add_writes()->set_data(std::string(bytes, 'x'));
  return answer;
}

TEST(HostCallLedger, ACallIsHandedOutOnceAndItsAnswerSentOnce) {
  HostCallLedger ledger(1 << 20);
  EXPECT_TRUE(ledger.Take(Call(3, 0)));
  EXPECT_FALSE(ledger.Take(Call(3, 0)));  // again, while it is being answered
  EXPECT_FALSE(ledger.has_answers());
  EXPECT_TRUE(ledger.Put(Answer(3, 0)));
  EXPECT_FALSE(ledger.Put(Answer(3, 0)));
  EXPECT_EQ(ledger.NextAnswers(1000).answers_size(), 1);
  EXPECT_FALSE(ledger.has_answers());
}

TEST(HostCallLedger, ACallThatComesAgainAfterItsAnswerGetsTheSameAnswer) {
  HostCallLedger ledger(1 << 20);
  EXPECT_TRUE(ledger.Take(Call(3, 7)));
  EXPECT_TRUE(ledger.Put(Answer(3, 7, 5)));
  ledger.NextAnswers(1000);
  EXPECT_FALSE(ledger.Take(Call(3, 7)));
  EXPECT_FALSE(ledger.Take(Call(3, 7)));  // twice is sent once
  const v1::ServeHostCallsRequest again = ledger.NextAnswers(1000);
  ASSERT_EQ(again.answers_size(), 1);
  EXPECT_EQ(again.answers(0).writes(0).data(), "xxxxx");
}

TEST(HostCallLedger, AnAnswerOfAnEarlierCallIsDropped) {
  HostCallLedger ledger(1 << 20);
  EXPECT_FALSE(ledger.Put(Answer(1, 0)));  // never called
  EXPECT_TRUE(ledger.Take(Call(1, 0)));
  EXPECT_TRUE(ledger.Put(Answer(1, 0)));
  EXPECT_TRUE(ledger.Take(Call(1, 1)));  // the daemon did not wait
  EXPECT_FALSE(ledger.Put(Answer(1, 0)));
  EXPECT_EQ(ledger.NextAnswers(1000).answers_size(), 0);
}

TEST(HostCallLedger, BatchesAreBoundedAndHoldAtLeastOneAnswer) {
  HostCallLedger ledger(1 << 20);
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(ledger.Take(Call(i, 0)));
    EXPECT_TRUE(ledger.Put(Answer(i, 0, i == 3 ? 5000 : 300)));
  }
  EXPECT_EQ(ledger.NextAnswers(800).answers_size(), 2);
  EXPECT_EQ(ledger.NextAnswers(800).answers_size(), 1);
  EXPECT_EQ(ledger.NextAnswers(800).answers(0).instance(), 3u);
  EXPECT_FALSE(ledger.has_answers());
}

TEST(HostCallLedger, OfSentAnswersTheOldestAreForgotten) {
  HostCallLedger ledger(3000);
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(ledger.Take(Call(i, 0)));
    EXPECT_TRUE(ledger.Put(Answer(i, 0, 1000)));
    ledger.NextAnswers(1);
  }
  EXPECT_TRUE(ledger.Take(Call(0, 0)));   // forgotten, so it is answered anew
  EXPECT_FALSE(ledger.Take(Call(2, 0)));  // kept
}

}  // namespace
}  // namespace wb
