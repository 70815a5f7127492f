// Calls of a job's imports, answered over streams that break.

#include "client/services/host_calls.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <set>

#include "daemon/translate/translate_status.h"
#include "tests/client/fake_host_jobs.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

const grpc::Status kBroken(grpc::StatusCode::UNAVAILABLE, "broken");

// Of this code, whatever its reason.
const grpc::Status kServedAlready =
    ToGrpc(Status(Reason::kRequestIdReused, "The job is served already."));

v1::HostAnswer DoubleOf(const v1::HostCall& call) {
  v1::HostAnswer answer;
  answer.add_results()->set_i32(call.args(0).i32() * 2);
  return answer;
}

TEST(HostCalls, EveryCallIsAnsweredUntilTheJobHasEnded) {
  std::map<uint64_t, int32_t> results;
  FakeHostJobs jobs([&results](int, HostCallStream* stream) {
    for (uint64_t number = 0; number < 3; ++number) {
      std::vector<v1::HostCall> calls;
      for (uint64_t instance = 0; instance < 100; ++instance) {
        calls.push_back(HostCallOf(instance, number));
      }
      SendCalls(stream, calls);
      for (const v1::HostAnswer& answer : ReadAnswers(stream, 100)) {
        if (answer.number() == number) results[answer.instance()] += answer.results(0).i32();
      }
    }
    return grpc::Status();
  });
  FakeServer server({&jobs});
  EXPECT_TRUE(ServeHostCalls(*server.NewClient(), "jobs/one", DoubleOf).ok());
  ASSERT_EQ(results.size(), 100u);
  for (const auto& [instance, sum] : results) EXPECT_EQ(sum, static_cast<int32_t>(6 * instance));
}

TEST(HostCalls, AnAnswerThatABrokenStreamLostIsSentAgain) {
  std::vector<v1::HostAnswer> second;
  FakeHostJobs jobs([&second](int number, HostCallStream* stream) -> grpc::Status {
    SendCalls(stream, {HostCallOf(4, 9)});
    std::vector<v1::HostAnswer> answers = ReadAnswers(stream, 1);
    if (number == 1) return kBroken;  // the answer is lost
    second = std::move(answers);
    return {};
  });
  FakeServer server({&jobs});
  int calls = 0;
  const Status status =
      ServeHostCalls(*server.NewClient(), "jobs/one", [&calls](const v1::HostCall& call) {
        ++calls;
        return DoubleOf(call);
      });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].number(), 9u);
  EXPECT_EQ(second[0].results(0).i32(), 8);
}

TEST(HostCalls, ACallThatIsBeingAnsweredWhenTheStreamBreaksIsNotHandedOutAgain) {
  std::promise<void> handed_out, reopened;
  FakeHostJobs jobs([&](int number, HostCallStream* stream) -> grpc::Status {
    SendCalls(stream, {HostCallOf(0, 0)});
    if (number == 1) {
      handed_out.get_future().wait();
      return kBroken;
    }
    reopened.set_value();
    return ReadAnswers(stream, 1).size() == 1 ? grpc::Status() : kBroken;
  });
  FakeServer server({&jobs});
  int calls = 0;
  const Status status =
      ServeHostCalls(*server.NewClient(), "jobs/one", [&](const v1::HostCall& call) {
        if (++calls == 1) handed_out.set_value();
        reopened.get_future().wait();
        return DoubleOf(call);
      });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(calls, 1);
}

TEST(HostCalls, SeveralThreadsAnswerAtATime) {
  FakeHostJobs jobs([](int, HostCallStream* stream) {
    SendCalls(stream, {HostCallOf(0, 0), HostCallOf(1, 0)});
    ReadAnswers(stream, 2);
    return grpc::Status();
  });
  FakeServer server({&jobs});
  std::mutex mutex;
  std::condition_variable both;
  int under_way = 0;
  bool met = true;
  const auto answer = [&](const v1::HostCall& call) {
    std::unique_lock<std::mutex> lock(mutex);
    ++under_way;
    both.notify_all();
    met &= both.wait_for(lock, std::chrono::seconds(20), [&] { return under_way == 2; });
    return DoubleOf(call);
  };
  EXPECT_TRUE(ServeHostCalls(*server.NewClient(), "jobs/one", answer, 2).ok());
  EXPECT_TRUE(met);
}

TEST(HostCalls, AStreamThatOnlyBreaksIsGivenUp) {
  FakeHostJobs jobs([](int, HostCallStream* stream) {
    v1::ServeHostCallsResponse beat;
    beat.set_heartbeat(true);
    stream->Write(beat);
    return kBroken;
  });
  FakeServer server({&jobs});
  const Status status = ServeHostCalls(*server.NewClient(), "jobs/one", DoubleOf);
  EXPECT_EQ(status.reason(), Reason::kUnavailable);
  EXPECT_EQ(jobs.streams, 3);
}

TEST(HostCalls, AStreamThatTheOldOneStillBlocksIsTriedAgain) {
  FakeHostJobs jobs([](int number, HostCallStream* stream) -> grpc::Status {
    if (number == 2) return kServedAlready;
    SendCalls(stream, {HostCallOf(0, static_cast<uint64_t>(number))});
    ReadAnswers(stream, 1);
    return number == 1 ? kBroken : grpc::Status();
  });
  FakeServer server({&jobs});
  EXPECT_TRUE(ServeHostCalls(*server.NewClient(), "jobs/one", DoubleOf).ok());
  EXPECT_EQ(jobs.streams, 3);
}

TEST(HostCalls, AJobThatIsServedElsewhereOrNotThereIsAnErrorAtOnce) {
  FakeHostJobs jobs([](int, HostCallStream*) { return kServedAlready; });
  FakeServer server({&jobs});
  EXPECT_FALSE(ServeHostCalls(*server.NewClient(), "jobs/one", DoubleOf).ok());
  EXPECT_EQ(jobs.streams, 1);
  EXPECT_EQ(ServeHostCalls(*server.NewClient(), "jobs/two", DoubleOf).reason(), Reason::kNotFound);
}

TEST(HostCalls, AJobThatHasEndedIsNoError) {
  FakeHostJobs jobs([](int, HostCallStream*) {
    return ToGrpc(Status(Reason::kJobTerminal, "The job has ended."));
  });
  FakeServer server({&jobs});
  EXPECT_TRUE(ServeHostCalls(*server.NewClient(), "jobs/one", DoubleOf).ok());
}

TEST(HostCalls, AnAnswerThatComesTooLateIsNoError) {
  FakeHostJobs jobs([](int, HostCallStream* stream) {
    SendCalls(stream, {HostCallOf(0, 0)});
    ReadAnswers(stream, 1);
    return ToGrpc(Status(Reason::kInvalidArgument,
                         "The call [0] of the instance [0] is not under way.",
                         {{"field", "answers"}}));
  });
  FakeServer server({&jobs});
  EXPECT_TRUE(ServeHostCalls(*server.NewClient(), "jobs/one", DoubleOf).ok());
}

TEST(HostCalls, AnAnswerThatIsTooLongForAMessageIsAnError) {
  std::string error;
  FakeHostJobs jobs([&error](int, HostCallStream* stream) {
    SendCalls(stream, {HostCallOf(0, 0)});
    for (const v1::HostAnswer& answer : ReadAnswers(stream, 1)) error = answer.error();
    return grpc::Status();
  });
  FakeServer server({&jobs});
  const auto answer = [](const v1::HostCall&) {
    v1::HostAnswer huge;
    huge.add_writes()->set_data(std::string(9 << 20, 'x'));
    return huge;
  };
  EXPECT_TRUE(ServeHostCalls(*server.NewClient(), "jobs/one", answer).ok());
  EXPECT_NE(error.find("[8388608] at most"), std::string::npos) << error;
}

TEST(HostCalls, StopAndInterruptEndTheService) {
  FakeHostJobs jobs([](int, HostCallStream* stream) {
    SendCalls(stream, {HostCallOf(0, 0)});
    ReadAnswers(stream, 1);  // none comes
    return grpc::Status();
  });
  FakeServer server({&jobs});
  const auto client = server.NewClient();
  HostCallService stopped(*client, "jobs/one");
  EXPECT_EQ(stopped.Run([&stopped](const v1::HostCall&) { stopped.Stop(); }).code(),
            Code::kCancelled);
  HostCallService interrupted(*client, "jobs/one");
  EXPECT_EQ(interrupted.Run([&client](const v1::HostCall&) { client->Interrupt(); }).code(),
            Code::kCancelled);
}

}  // namespace
}  // namespace wb
