// Instances that ask their job's caller: answers in any order, and calls that fail.

#include <algorithm>
#include <set>

#include "tests/scheduler/host_calls/fixture.h"

namespace wb::test {
namespace {

TEST_F(HostCallTest, AnswersInAnyOrderAndEachCallComesOnce) {
  StartReal();
  const SinkRef sink = Submit(AskingJob(300));
  std::set<std::pair<uint64_t, uint64_t>> seen;
  for (uint64_t round = 0; round < 3; ++round) {
    std::vector<HostCall> calls = AwaitCalls(300);
    std::reverse(calls.begin(), calls.end());
    for (const HostCall& call : calls) {
      EXPECT_TRUE(seen.insert({call.instance, call.number}).second);
      EXPECT_TRUE(queue_->Answer({Next(call)}).ok());
    }
  }
  sink->AwaitEnd();
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 300u);
  for (uint32_t i = 0; i < 300; ++i) {
    ASSERT_EQ(results[i].end, End::kReturned) << i << results[i].host_error;
    EXPECT_EQ(results[i].steps[0].values[0].words[0], NextOf(i)) << i;
    EXPECT_EQ(results[i].fuel, results[0].fuel);
  }
  EXPECT_EQ(seen.size(), 900u);
  EXPECT_TRUE(queue_->closed());
  EXPECT_FALSE(sink->overflowed());
}

TEST_F(HostCallTest, OthersGoOnWhileOneWaits) {
  StartReal();
  const SinkRef sink = Submit(AskingJob(20));
  std::vector<HostCall> held;
  for (int round = 0; round < 3; ++round) {
    for (const HostCall& call : AwaitCalls(round == 0 ? 20 : 19)) {
      if (call.instance == 7) {
        held.push_back(call);
      } else {
        ASSERT_TRUE(queue_->Answer({Next(call)}).ok());
      }
    }
  }
  sink->AwaitResults(19);
  const std::vector<WaitReason> waits = scheduler_->Waits(1);
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits.back().cause, WaitCause::kCaller);
  EXPECT_NE(waits.back().words.find("[1] instances wait for the answers"), std::string::npos);
  EXPECT_NE(waits.back().words.find("no stream serves them"), std::string::npos);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_TRUE(queue_->Answer({Next(held[0])}).ok());
  for (int round = 1; round < 3; ++round) {
    EXPECT_TRUE(queue_->Answer({Next(AwaitCalls(1).at(0))}).ok());
  }
  sink->AwaitEnd();
  EXPECT_EQ(sink->Results().at(7).steps.at(0).values.at(0).words[0], NextOf(7));
}

TEST_F(HostCallTest, BytesGoToTheCallerAndComeBackIntoMemory) {
  StartReal();
  const SinkRef sink = Submit(AskingJob(6, "tell"));
  for (const HostCall& call : AwaitCalls(6)) {
    const std::string wanted = std::string("hello").substr(0, call.instance);
    EXPECT_EQ(std::string(call.bytes.at(0).begin(), call.bytes.at(0).end()), wanted);
    HostAnswer answer{call.instance, 0, {Value::I32(1000)}, {{200, {7, 8}}}, ""};
    ASSERT_TRUE(queue_->Answer({answer}).ok());
  }
  sink->AwaitEnd();
  for (const InstanceResult& result : sink->Results()) {
    ASSERT_EQ(result.end, End::kReturned) << result.host_error;
    EXPECT_EQ(result.steps.at(0).values.at(0).words[0], 1007u);
  }
}

TEST_F(HostCallTest, ACallThatFailsIsTheInstancesOwnEnd) {
  StartReal();
  const SinkRef sink = Submit(AskingJob(70000, "tell"));
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  JobSpec spec = AskingJob(5);
  const SinkRef failing = Submit(std::move(spec));
  for (const HostCall& call : AwaitCalls(5)) {
    HostAnswer answer = Next(call);
    switch (call.instance) {
      case 0: answer.error = "the handler has died"; break;
      case 1: answer.results = {Value::I64(1)}; break;
      case 2: answer.results.clear(); break;
      case 3: answer.writes = {{65535, {1, 2}}}; break;
      default: answer.writes = {{0, Bytes((1 << 20) + 1)}}; break;
    }
    EXPECT_TRUE(queue_->Answer({answer}).ok());
  }
  failing->AwaitEnd();
  const char* words[] = {"the handler has died", "answered (i64), but [env.ask]", "answered ()",
                         "at the address [65535], outside of the memory of [65536]",
                         "writes [1048577] bytes"};
  const auto results = failing->Results();
  ASSERT_EQ(results.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(results[i].end, End::kTrapped);
    EXPECT_EQ(results[i].trap, Trap::kHostCallFailed);
    EXPECT_NE(results[i].host_error.find(words[i]), std::string::npos) << results[i].host_error;
    EXPECT_GT(results[i].fuel, 0u);
  }
}

TEST_F(HostCallTest, BytesBeyondMemoryTrapBeforeTheCallerIsAsked) {
  StartReal();
  JobSpec spec = AskingJob(1, "tell");
  spec.columns.at(0).start = Value::I32(70000);
  const SinkRef sink = Submit(std::move(spec));
  sink->AwaitEnd();
  EXPECT_EQ(sink->Results().at(0).trap, Trap::kOutOfBoundsMemory);
}

TEST_F(HostCallTest, AnAnswerToNoCallUnderWayIsRefusedAndTheOthersAreTaken) {
  StartReal();
  const SinkRef sink = Submit(AskingJob(2));
  const std::vector<HostCall> calls = AwaitCalls(2);
  HostAnswer unknown = Next(calls[0]);
  unknown.number = 5;
  const Status status = queue_->Answer({unknown, Next(calls[0]), Next(calls[0]), Next(calls[1])});
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("The call [5] of the instance"), std::string::npos);
  for (int round = 1; round < 3; ++round) {
    for (const HostCall& call : AwaitCalls(2)) EXPECT_TRUE(queue_->Answer({Next(call)}).ok());
  }
  sink->AwaitEnd();
  EXPECT_EQ(sink->Results().at(1).steps.at(0).values.at(0).words[0], NextOf(1));
}

TEST_F(HostCallTest, ACallWithoutAnAnswerEndsWhenItsTimeIsOver) {
  StartReal();
  JobSpec spec = AskingJob(3);
  spec.host_call_timeout = std::chrono::seconds(5);
  const SinkRef sink = Submit(std::move(spec));
  AwaitCalls(3);
  clock_.Advance(std::chrono::seconds(5));
  sink->AwaitEnd();
  for (const InstanceResult& result : sink->Results()) {
    EXPECT_EQ(result.trap, Trap::kHostCallFailed);
    EXPECT_NE(result.host_error.find("no answer within [5000] ms"), std::string::npos);
  }
}

TEST_F(HostCallTest, ACancelledJobEndsWhileItsInstancesAsk) {
  StartReal();
  const SinkRef sink = Submit(AskingJob(3));
  const std::vector<HostCall> calls = AwaitCalls(3);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  EXPECT_TRUE(queue_->closed());
  EXPECT_TRUE(queue_->Answer({Next(calls[0])}).ok());  // too late, and nothing happens
}

TEST_F(HostCallTest, TheTimeOfTheJobEndsInstancesThatAsk) {
  StartReal();
  JobSpec spec = AskingJob(3);
  spec.limits.max_time = std::chrono::seconds(2);
  const SinkRef sink = Submit(std::move(spec));
  AwaitCalls(3);
  clock_.Advance(std::chrono::seconds(2));
  sink->AwaitEnd();
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 3u);
  for (const InstanceResult& result : results) EXPECT_EQ(result.end, End::kDeadline);
  EXPECT_EQ(sink->reserved(), 0u);
}

}  // namespace
}  // namespace wb::test
