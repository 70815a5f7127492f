// HostCallQueue: who is given a call, and again after what.

#include "scheduler/job/host_calls/host_call_queue.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

HostCall Call(uint64_t instance, size_t bytes = 0) {
  HostCall call;
  call.instance = instance;
  if (bytes > 0) call.bytes = {Bytes(bytes)};
  return call;
}

TEST(HostCallQueueTest, AnotherServerIsRefusedAndTheNextIsGivenWhatWasNotAnswered) {
  HostCallQueue queue({});
  size_t answered = 0;
  queue.Open([&answered](const std::vector<HostAnswer>& answers) { answered += answers.size(); });
  int woken = 0;
  ASSERT_TRUE(queue.Serve([&woken] { ++woken; }).ok());
  EXPECT_EQ(queue.Serve([] {}).reason(), Reason::kHostCallsServed);
  queue.Ask({Call(1), Call(2), Call(3)});
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(queue.Take(1 << 20).size(), 3u);
  EXPECT_TRUE(queue.Take(1 << 20).empty());
  EXPECT_TRUE(queue.Answer({{2, 0, {}, {}, ""}}).ok());
  EXPECT_EQ(answered, 1u);
  queue.StopServing();
  queue.Ask({Call(4)});
  ASSERT_TRUE(queue.Serve([] {}).ok());
  std::vector<uint64_t> again;
  for (const HostCall& call : queue.Take(1 << 20)) again.push_back(call.instance);
  EXPECT_EQ(again, (std::vector<uint64_t>{1, 3, 4}));
}

TEST(HostCallQueueTest, OnlySoManyBytesAreInFlight) {
  HostCallQueue queue({});
  ASSERT_TRUE(queue.Serve([] {}).ok());
  for (uint64_t i = 0; i < 80; ++i) queue.Ask({Call(i, 1 << 20)});
  EXPECT_FALSE(queue.HasRoom());
  size_t given = 0;
  for (size_t more = 1; more > 0; given += more) more = queue.Take(1 << 20).size();
  EXPECT_EQ(given, 4u);
  EXPECT_TRUE(queue.Answer({{0, 0, {}, {}, ""}}).ok());
  EXPECT_EQ(queue.Take(8 << 20).size(), 1u);
  for (uint64_t i = 1; i < 80; ++i) queue.Withdraw({i});
  EXPECT_TRUE(queue.HasRoom());
  queue.Close();
  EXPECT_TRUE(queue.closed());
}

}  // namespace
}  // namespace wb::test
