// HostCallDesk: who is given a call, and again after what.

#include "scheduler/job/host_calls/host_call_desk.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

HostCall Call(uint64_t instance, size_t bytes = 0) {
  HostCall call;
  call.instance = instance;
  if (bytes > 0) call.bytes = {Bytes(bytes)};
  return call;
}

TEST(HostCallDeskTest, AnotherServerIsRefusedAndTheNextIsGivenWhatWasNotAnswered) {
  HostCallDesk desk({});
  size_t answered = 0;
  desk.Open([&answered](const std::vector<HostAnswer>& answers) { answered += answers.size(); });
  int woken = 0;
  ASSERT_TRUE(desk.Serve([&woken] { ++woken; }).ok());
  EXPECT_EQ(desk.Serve([] {}).reason(), Reason::kHostCallsServed);
  desk.Ask({Call(1), Call(2), Call(3)});
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(desk.Take(1 << 20).size(), 3u);
  EXPECT_TRUE(desk.Take(1 << 20).empty());
  EXPECT_TRUE(desk.Answer({{2, 0, {}, {}, ""}}).ok());
  EXPECT_EQ(answered, 1u);
  desk.StopServing();
  desk.Ask({Call(4)});
  ASSERT_TRUE(desk.Serve([] {}).ok());
  std::vector<uint64_t> again;
  for (const HostCall& call : desk.Take(1 << 20)) again.push_back(call.instance);
  EXPECT_EQ(again, (std::vector<uint64_t>{1, 3, 4}));
}

TEST(HostCallDeskTest, OnlySoManyBytesAreInFlight) {
  HostCallDesk desk({});
  ASSERT_TRUE(desk.Serve([] {}).ok());
  for (uint64_t i = 0; i < 80; ++i) desk.Ask({Call(i, 1 << 20)});
  EXPECT_FALSE(desk.HasRoom());
  size_t given = 0;
  for (size_t more = 1; more > 0; given += more) more = desk.Take(1 << 20).size();
  EXPECT_EQ(given, 4u);
  EXPECT_TRUE(desk.Answer({{0, 0, {}, {}, ""}}).ok());
  EXPECT_EQ(desk.Take(8 << 20).size(), 1u);
  for (uint64_t i = 1; i < 80; ++i) desk.Withdraw({i});
  EXPECT_TRUE(desk.HasRoom());
  desk.Close();
  EXPECT_TRUE(desk.closed());
}

}  // namespace
}  // namespace wb::test
