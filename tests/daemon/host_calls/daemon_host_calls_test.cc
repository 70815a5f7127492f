// ServeHostCalls over a socket: a thousand instances, streams that break off, wrong answers.

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/cli/program/wat.h"
#include "client/client.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "daemon/config/default_config.h"
#include "daemon/daemon.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/scheduler_parts.h"
#include "tests/fakes/fake_device.h"
#include "wasmburst/v1/jobs.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kAsking = R"((module
  (import "env" "ask" (func $ask (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 100) "hello\00")
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $last i32)
    (loop $again
      (local.set $last (call $ask (i32.const 100) (i32.add (local.get $n) (local.get $last))))
      (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                              (i32.const 3))))
    (i32.add (local.get $last) (i32.load8_u (i32.const 300)))))
)";

class HostCallDaemonTest : public testing::Test {
 protected:
  using Stream = grpc::ClientReaderWriter<v1::ServeHostCallsRequest, v1::ServeHostCallsResponse>;

  void SetUp() override {
    char folder[] = "/tmp/wb_calls_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    StartScheduler();
    Config config = DefaultConfig();
    config.listen.resize(1);
    config.listen[0].address.path = folder_ + "/socket";
    config.heartbeat = 20'000'000;
    DaemonParts parts;
    parts.scheduler = scheduler_.get();
    daemon_ = Daemon::Start(config, parts).value();
    client_ = Client::Connect(daemon_->addresses()[0], {}).value();
    stub_ = v1::Jobs::NewStub(
        grpc::CreateChannel("unix:" + folder_ + "/socket", grpc::InsecureChannelCredentials()));
  }
  void TearDown() override {
    stub_.reset();
    client_.reset();
    daemon_.reset();
    scheduler_.reset();
    std::filesystem::remove_all(folder_);
  }

  void StartScheduler() {
    SchedulerSettings settings;
    settings.cache_directory = folder_ + "/cache";
    SchedulerParts parts;
    parts.cpu = cpu_.Starter();
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      InterpreterSettings interpreter;
      interpreter.id = "interpreter0";
      interpreter.threads = 2;
      return StartedDevice{CreateInterpreterDevice(interpreter)};
    };
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &SystemClock();
    scheduler_ = AssembleScheduler(settings, std::move(parts)).value();
  }

  v1::CreateJobRequest Request(uint64_t instances) {
    v1::CreateJobRequest request;
    v1::Job& job = *request.mutable_job();
    const std::string wasm = cli::AssembleWat(kAsking, "asking.wat").value();
    job.set_module(PushModule(*client_, wasm).value().name());
    job.set_instances(instances);
    job.set_placement(v1::INTERPRETER);
    v1::Binding* binding = job.add_bindings();
    binding->set_import("env.ask");
    binding->mutable_host()->add_bytes()->set_until_zero(true);
    auto* call = job.add_steps()->mutable_call();
    call->set_function("run");
    call->add_args()->set_column(0);
    auto* range = job.add_columns()->mutable_range();
    range->mutable_start()->set_i32(0);
    range->mutable_step()->set_i32(1);
    return request;
  }
  std::string Create(uint64_t instances) {
    const Result<v1::Job> job = CreateJob(*client_, Request(instances));
    EXPECT_TRUE(job.ok()) << job.status().message();
    return job.ok() ? job->name() : "";
  }

  static std::unique_ptr<Stream> Serve(v1::Jobs::Stub& stub, grpc::ClientContext& context,
                                       const std::string& job) {
    std::unique_ptr<Stream> stream = stub.ServeHostCalls(&context);
    v1::ServeHostCallsRequest first;
    first.set_job(job);
    stream->Write(first);
    return stream;
  }

  static v1::HostAnswer AnswerTo(const v1::HostCall& call) {
    v1::HostAnswer answer;
    answer.set_instance(call.instance());
    answer.set_number(call.number());
    answer.add_results()->set_i32(call.args(1).i32() + 1);
    v1::MemoryWrite* write = answer.add_writes();
    write->set_pointer(300);
    write->set_data(std::string(1, static_cast<char>(call.number() + 5)));
    return answer;
  }

  std::vector<v1::InstanceResult> Results(const std::string& job) {
    v1::ReadResultsRequest request;
    request.set_name(job);
    request.set_follow(true);
    std::vector<v1::InstanceResult> results;
    const Status status =
        ReadResults(*client_, request, [&results](const v1::ReadResultsResponse& response) {
          results.insert(results.end(), response.results().begin(), response.results().end());
          return true;
        });
    EXPECT_TRUE(status.ok()) << status.message();
    std::sort(results.begin(), results.end(),
              [](const auto& a, const auto& b) { return a.instance() < b.instance(); });
    return results;
  }

  // n, then twice what was answered and n again; and the byte that the last answer wrote.
  static int32_t Expected(int32_t n) { return 3 * (n + 1) + 7; }

  std::string folder_;
  test::FakeEngine cpu_{Engine::kCpu};
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<Daemon> daemon_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<v1::Jobs::Stub> stub_;
};

// Every stream is given what the one before it left unanswered, and each call else once.
TEST_F(HostCallDaemonTest, AThousandInstancesAreAnsweredInAnyOrderOverBrokenStreams) {
  constexpr uint64_t kInstances = 1000;
  const std::string job = Create(kInstances);
  std::map<std::pair<uint64_t, uint64_t>, int> given;
  std::set<std::pair<uint64_t, uint64_t>> answered;
  std::mt19937 random(1);
  for (int round = 0; answered.size() < kInstances * 3; ++round) {
    grpc::ClientContext context;
    const std::unique_ptr<Stream> stream = Serve(*stub_, context, job);
    const bool breaks_off = round < 2;
    std::vector<v1::HostCall> held;
    v1::ServeHostCallsResponse response;
    while (answered.size() < kInstances * 3 && stream->Read(&response)) {
      for (const v1::HostCall& call : response.calls()) {
        ASSERT_EQ(call.import(), "env.ask");
        ASSERT_EQ(call.bytes(0), "hello");
        ++given[{call.instance(), call.number()}];
        held.push_back(call);
      }
      if (breaks_off && held.size() > 100) break;
      std::shuffle(held.begin(), held.end(), random);
      v1::ServeHostCallsRequest request;
      for (const v1::HostCall& call : held) {
        EXPECT_TRUE(answered.insert({call.instance(), call.number()}).second);
        *request.add_answers() = AnswerTo(call);
      }
      held.clear();
      if (request.answers_size() > 0) {
        EXPECT_TRUE(stream->Write(request));
      }
    }
    if (breaks_off) {
      context.TryCancel();
      EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
    } else {
      while (stream->Read(&response)) EXPECT_EQ(response.calls_size(), 0);
      const grpc::Status status = stream->Finish();
      // The daemon may not have heard yet that the stream before has ended.
      const bool is_early = status.error_code() == grpc::StatusCode::ALREADY_EXISTS;
      EXPECT_TRUE(status.ok() || is_early) << status.error_message();
    }
  }
  EXPECT_EQ(given.size(), kInstances * 3);
  for (const auto& [call, times] : given) EXPECT_LE(times, 3);
  const auto results = Results(job);
  ASSERT_EQ(results.size(), kInstances);
  for (const v1::InstanceResult& result : results) {
    ASSERT_EQ(result.end(), v1::RETURNED) << result.ShortDebugString();
    EXPECT_EQ(result.steps(0).values(0).i32(), Expected(static_cast<int32_t>(result.instance())));
  }
}

TEST_F(HostCallDaemonTest, AWrongAnswerFailsItsCallAndTheEndOfTheStreamTellsOfUnknownOnes) {
  const std::string job = Create(3);
  grpc::ClientContext context;
  const std::unique_ptr<Stream> stream = Serve(*stub_, context, job);
  v1::ServeHostCallsResponse response;
  while (stream->Read(&response)) {
    v1::ServeHostCallsRequest request;
    for (const v1::HostCall& call : response.calls()) {
      v1::HostAnswer* answer = request.add_answers();
      *answer = AnswerTo(call);
      if (call.instance() == 1) answer->mutable_results(0)->set_i64(1);
      if (call.instance() == 2) answer->set_error("no such file");
      if (call.instance() == 0 && call.number() == 0) {
        v1::HostAnswer* unknown = request.add_answers();
        unknown->set_instance(99);
      }
    }
    if (request.answers_size() > 0) stream->Write(request);
  }
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("instance [99] is not under way"), std::string::npos)
      << status.error_message();
  const auto results = Results(job);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].end(), v1::RETURNED);
  EXPECT_EQ(results[1].trap().code(), "HOST_CALL_FAILED");
  EXPECT_NE(results[1].trap().host_error().find("answered (i64)"), std::string::npos);
  EXPECT_EQ(results[2].trap().host_error(), "no such file");
}

TEST_F(HostCallDaemonTest, AJobHasOneStreamAtATimeAndItsEndEndsTheStream) {
  const std::string job = Create(2);
  grpc::ClientContext context, second_context;
  const std::unique_ptr<Stream> stream = Serve(*stub_, context, job);
  v1::ServeHostCallsResponse response;
  ASSERT_TRUE(stream->Read(&response));
  const std::unique_ptr<Stream> second = Serve(*stub_, second_context, job);
  EXPECT_FALSE(second->Read(&response));
  EXPECT_EQ(second->Finish().error_code(), grpc::StatusCode::ALREADY_EXISTS);
  ASSERT_TRUE(CancelJob(*client_, job).ok());
  while (stream->Read(&response)) {
  }
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(HostCallDaemonTest, StreamsOfNoSuchJobAreRefused) {
  v1::CreateJobRequest request = Request(1);
  request.mutable_job()->mutable_bindings(0)->mutable_ignore();
  const std::string job = CreateJob(*client_, request).value().name();
  const std::pair<std::string, grpc::StatusCode> cases[] = {
      {job, grpc::StatusCode::INVALID_ARGUMENT},
      {"jobs/01a0000000000-nothing", grpc::StatusCode::NOT_FOUND},
      {"", grpc::StatusCode::INVALID_ARGUMENT}};
  for (const auto& [name, code] : cases) {
    grpc::ClientContext context;
    const std::unique_ptr<Stream> stream = Serve(*stub_, context, name);
    v1::ServeHostCallsResponse response;
    EXPECT_FALSE(stream->Read(&response));
    const grpc::Status status = stream->Finish();
    EXPECT_FALSE(status.ok());
    if (!name.empty() && name != job) continue;
    EXPECT_EQ(status.error_code(), code) << status.error_message();
  }
}

TEST_F(HostCallDaemonTest, WrongBindingsAreRefusedByImportAndArgument) {
  v1::CreateJobRequest request = Request(1);
  v1::CallBytes* bytes = request.mutable_job()->mutable_bindings(0)->mutable_host()->add_bytes();
  bytes->set_pointer(7);
  Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("[job.bindings[0].host.bytes[1]]"), std::string::npos)
      << status.message();
  bytes->set_constant_length(4);
  status = CreateJob(*client_, request).status();
  EXPECT_NE(status.message().find("[env.ask] sends bytes where the argument [7] says"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace wb
