// The fuzzer's world without a fuzzer: what it begins with succeeds, changes of it are answered
// with what is wrong with them, and faults that are put in are found. More with
// WASMBURST_FUZZ_ROUNDS.

#include "tests/daemon/fuzz/request_world.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/daemon/fuzz/call_mutator.h"
#include "tests/daemon/fuzz/world_modules.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kGetJob = "/wasmburst.v1.Jobs/GetJob";
constexpr const char* kWatchJob = "/wasmburst.v1.Jobs/WatchJob";

// One byte other, gone or new.
MessageMutator::ChangeBytes ChangeByte(std::mt19937_64* random) {
  return [random](std::string bytes) {
    if (bytes.empty()) return std::string(1, static_cast<char>((*random)()));
    const size_t at = (*random)() % bytes.size();
    switch ((*random)() % 3) {
      case 0: bytes[at] = static_cast<char>((*random)()); break;
      case 1: bytes.erase(at, 1); break;
      default: bytes.insert(at, 1, static_cast<char>((*random)())); break;
    }
    return bytes;
  };
}

FuzzCall CallNaming(const std::string& path, const std::string& job) {
  v1::GetJobRequest request;
  request.set_name(job);
  return {FuzzMethodNumber(path), 0, {request.SerializeAsString()}};
}

UnaryMethod GetJobThatAnswers(const Result<v1::Job>& answer) {
  return {kGetJob, RunOn::kCaller, [] { return std::make_shared<v1::GetJobRequest>(); },
          [answer](const Message&, const Call&) -> Result<MessagePtr> {
            if (!answer.ok()) return answer.status();
            return MessagePtr(std::make_shared<v1::Job>(answer.value()));
          }};
}

// Says nothing, and does not end.
class Silent : public StreamSource {
 public:
  Item Next() override { return {}; }
  MessagePtr Heartbeat() override { return std::make_shared<v1::JobEvent>(); }
};

TEST(RequestWorldTest, AllThatAFuzzerBeginsWithSucceeds) {
  const uint64_t before = [] {
    RequestWorld world;
    EXPECT_EQ(world.Run({}), "");
    return world.answered();
  }();
  for (const FuzzCalls& calls : WorldSeeds()) {
    RequestWorld world;
    EXPECT_EQ(world.Run(calls), "");
    const bool follows = calls.back().method == FuzzMethodNumber("/wasmburst.v1.Admin/PruneCache");
    // A stream of bursts has no end of its own.
    EXPECT_EQ(world.answered() - before, calls.size() - (follows ? 1 : 0))
        << FuzzMethods()[calls[0].method].path;
  }
}

TEST(RequestWorldTest, ChangedCallsAreRefusedForWhatTheyAre) {
  const char* text = std::getenv("WASMBURST_FUZZ_ROUNDS");
  const int rounds = text == nullptr ? 300 : std::atoi(text);
  std::mt19937_64 random(20'261'129);
  std::string input;
  for (int round = 0; round < rounds; ++round) {
    if (round % 20 == 0) input.clear();
    input = MutateCalls(input, random(), ChangeByte(&random));
    RequestWorld world;
    ASSERT_EQ(world.Run(DecodeCalls(input)), "") << "round " << round;
  }
}

TEST(RequestWorldTest, ADefectIsFound) {
  RequestWorld world;
  world.Replace(GetJobThatAnswers(Status(Reason::kInternal, "It broke.")));
  EXPECT_NE(world.Run({CallNaming(kGetJob, "@j0")}).find("INTERNAL: It broke."), std::string::npos);
}

TEST(RequestWorldTest, AnAnswerThatNoClientCanReadIsFound) {
  v1::Job job;
  job.set_device("\xff");
  RequestWorld world;
  world.Replace(GetJobThatAnswers(job));
  EXPECT_NE(world.Run({CallNaming(kGetJob, "@j0")}).find("no client can read"), std::string::npos);
}

TEST(RequestWorldTest, AStreamThatOutlivesItsJobIsFound) {
  RequestWorld world;
  world.Replace(
      ServerStreamMethod{kWatchJob, [] { return std::make_shared<v1::WatchJobRequest>(); },
                         [](const Message&, const Call&, const std::function<void()>&) {
                           return Result<std::unique_ptr<StreamSource>>(std::make_unique<Silent>());
                         }});
  EXPECT_NE(world.Run({CallNaming(kWatchJob, "@j1")}).find("does not end"), std::string::npos);
}

TEST(FuzzCallTest, AnyBytesAreCalls) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (uint64_t i = random() % 300; i > 0; --i) bytes += static_cast<char>(random());
    const std::string encoded = EncodeCalls(DecodeCalls(bytes));
    EXPECT_EQ(EncodeCalls(DecodeCalls(encoded)), encoded);
  }
}

TEST(NameBookTest, PutsNamesOfAnswersIntoRequests) {
  NameBook names;
  v1::ListJobsResponse list;
  list.set_next_page_token("further");
  names.NoteAll(list);
  v1::Job job;
  job.set_name("jobs/A");
  names.NoteAll(job);
  v1::ReadResultsRequest request;
  request.set_name("@j0");
  request.set_cursor("@c0");
  names.Fill(&request);
  EXPECT_EQ(request.name(), "jobs/A");
  EXPECT_EQ(request.cursor(), "further");
  request.set_name("@j9");
  names.Fill(&request);
  EXPECT_EQ(request.name(), "@j9");
}

}  // namespace
}  // namespace wb
