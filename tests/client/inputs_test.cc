// Jobs whose columns are too long for a message.

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "client/cli/output/progress.h"
#include "client/job_inputs.h"
#include "client/request_id.h"
#include "client/services/inputs.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/server.h"
#include "daemon/translate/translate_status.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/inputs.grpc.pb.h"
#include "wasmburst/v1/jobs.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

v1::CreateJobRequest WithColumns(const std::vector<size_t>& sizes) {
  v1::CreateJobRequest request;
  for (const size_t size : sizes) {
    request.mutable_job()->add_columns()->mutable_bytes()->add_values(std::string(size, 'x'));
  }
  return request;
}

std::string BytesOf(const InputSource& source) {
  std::string bytes;
  EXPECT_TRUE(source
                  .write([&](std::string_view part) {
                    bytes += part;
                    return Status();
                  })
                  .ok());
  EXPECT_EQ(bytes.size(), source.bytes);
  return bytes;
}

TEST(JobInputs, TheLongestColumnsTravelByThemselvesUntilTheRestFits) {
  EXPECT_TRUE(ColumnsToUpload(WithColumns({1000, 2000}), 10'000).empty());
  EXPECT_EQ(ColumnsToUpload(WithColumns({5000, 9000, 5000}), 11'000), (std::vector<int>{1}));
  EXPECT_EQ(ColumnsToUpload(WithColumns({5000, 9000, 6000}), 6000), (std::vector<int>{1, 2}));
  EXPECT_TRUE(ColumnsToUpload(WithColumns(std::vector<size_t>(10, 100)), 500).empty())
      << "short columns stay";
}

TEST(JobInputs, ByteStringsBeyondWhatProtobufWritesAreWrittenAsItWould) {
  v1::Column column;
  for (const size_t size : {0u, 1u, 127u, 128u, 70'000u}) {
    column.mutable_bytes()->add_values(std::string(size, 'v'));
  }
  EXPECT_EQ(BytesOf(*SourceOf(column, 100)), column.SerializeAsString());
  const std::string value(300, 'v');
  v1::Column one;
  one.mutable_bytes()->add_values(value);
  EXPECT_EQ(BytesOf(ColumnSource({"It", value.size(), [&](auto& take) { return take(value); }})),
            one.SerializeAsString());
}

TEST(JobInputs, NumbersAreAsManyAsProtobufWrites) {
  v1::Column numbers;
  for (uint32_t i = 0; i < 50'000; ++i) numbers.mutable_list()->add_bits32(i);
  EXPECT_EQ(BytesOf(*SourceOf(numbers)), numbers.SerializeAsString());
  EXPECT_FALSE(SourceOf(numbers, numbers.ByteSizeLong() - 1).has_value());
  const auto refuse = [](std::string_view) { return Status(Reason::kCancelled, "enough"); };
  EXPECT_EQ(SourceOf(numbers)->write(refuse).reason(), Reason::kCancelled);
}

TEST(JobInputs, AnUploadIsABarAndItsMebibytes) {
  EXPECT_EQ(cli::UploadText(0, 1), "uploading [                    ] 0 of 1 MiB");
  EXPECT_EQ(cli::DownloadText(1 << 20, 2 << 20), "receiving [##########          ] 1 of 2 MiB");
  EXPECT_EQ(cli::UploadText(12 << 20, (24 << 20) - 5),
            "uploading [##########          ] 12 of 24 MiB");
  EXPECT_EQ(cli::UploadText(3 << 20, 3 << 20), "uploading [####################] 3 of 3 MiB");
}

class JobInputsTest : public DaemonTest {
 protected:
  v1::CreateJobRequest Long(uint32_t first) {
    constexpr uint32_t kInstances = 2'600'000;  // 20.8 MB
    v1::CreateJobRequest request = Request("identity", kInstances);
    v1::ValueList* list = request.mutable_job()->mutable_columns(0)->mutable_list();
    list->set_type(v1::I64);
    list->mutable_bits64()->Resize(kInstances, 7);
    list->set_bits64(0, first);
    request.mutable_job()->set_module(
        PushModule(*client_, cli::AssembleWat(R"((module (func (export "identity") (param i64)
                (result i64) (local.get 0))))",
                                              "t")
                                 .value())
            ->name());
    return request;
  }
};

TEST_F(JobInputsTest, AJobLongerThanAMessageIsCreated) {
  Start();
  scheduler_->Hold();
  std::vector<uint64_t> sent;
  uint64_t whole = 0;
  const Result<v1::Job> job = CreateJob(*client_, Long(1), [&](uint64_t so_far, uint64_t of) {
    sent.push_back(so_far);
    whole = of;
  });
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->counts().instances(), 2'600'000u);
  EXPECT_GT(whole, 20'800'000u);
  EXPECT_GT(sent.size(), 15u);
  EXPECT_TRUE(std::is_sorted(sent.begin(), sent.end()));
  EXPECT_EQ(sent.back(), whole);
  EXPECT_EQ(GetServerInfo(*client_)->inputs(), 1u);
  // The same again: the daemon has it.
  sent.clear();
  EXPECT_TRUE(CreateJob(*client_, Long(1), [&](uint64_t so_far, uint64_t) {
                sent.push_back(so_far);
              }).ok());
  EXPECT_TRUE(sent.empty()) << "the daemon has it";
  const v1::ListJobsResponse created = ListJobs(*client_, {}).value();
  for (const v1::Job& each : created.jobs()) {
    EXPECT_TRUE(CancelJob(*client_, each.name()).ok());
  }
  scheduler_->Release();
}

TEST_F(JobInputsTest, AColumnTooLongForAnInputIsRefusedByTheDaemonsBound) {
  config_.max_input_bytes = 1 << 20;
  Start();
  const Status status = CreateJob(*client_, Long(1)).status();
  EXPECT_EQ(status.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(status.message().find("inputs.max_bytes allows [1048576]"), std::string::npos)
      << status.message();
}

TEST_F(JobInputsTest, ASourceIsWrittenForItsDigestAndToBeSent) {
  Start();
  const std::string value(3'000'000, 'x');
  int times = 0;
  const InputSource column = ColumnSource({"The file [x]", value.size(), [&](const TakePart& take) {
                                             ++times;
                                             return take(value);
                                           }});
  const Result<v1::Input> input = UploadInput(*client_, column);
  ASSERT_TRUE(input.ok()) << input.status().message();
  EXPECT_EQ(input->size_bytes(), column.bytes);
  EXPECT_EQ(times, 2);
  EXPECT_EQ(UploadInput(*client_, column)->name(), input->name());
  EXPECT_EQ(times, 3) << "the daemon has it";
}

TEST_F(JobInputsTest, AnInterruptEndsTheReadingForTheDigest) {
  Start();
  const auto client = NewClient(0);
  int parts = 0;
  const InputSource endless = {"It", uint64_t{1} << 60, [&](const TakePart& take) {
                                 while (true) {
                                   if (++parts == 3) client->Interrupt();
                                   WB_TRY(take("part"));
                                 }
                               }};
  EXPECT_EQ(UploadInput(*client, endless).status().reason(), Reason::kCancelled);
  EXPECT_EQ(parts, 3);
}

TEST_F(JobInputsTest, ASourceThatChangesIsNamedAndMakesNoInput) {
  Start();
  const std::string once(1 << 20, 'x');
  for (const size_t length : {1 << 20, (1 << 20) - 1, 3 << 20}) {
    const std::string again(length, 'y');
    int times = 0;
    const InputSource source = {"The file [x]", once.size(), [&](const TakePart& take) {
                                  return take(++times == 1 ? once : again);
                                }};
    const Status status = UploadInput(*client_, source).status();
    EXPECT_EQ(status.reason(), Reason::kIoError) << length;
    EXPECT_NE(status.message().find("The file [x] changed while it was read"), std::string::npos)
        << status.message();
    EXPECT_EQ(times, 2) << length;
  }
  const InputSource unreadable = {
      "It", 4, [times = 0](const TakePart& take) mutable {
        WB_TRY(take("four"));
        return ++times == 1 ? Status() : Status(Reason::kIoError, "The disk is gone.");
      }};
  EXPECT_EQ(UploadInput(*client_, unreadable).status().message(), "The disk is gone.");
  EXPECT_EQ(GetServerInfo(*client_)->inputs(), 0u);
}

// Breaks the first upload, and forgets the first input that it has taken.
class ForgetfulInputs : public v1::Inputs::Service {
 public:
  grpc::Status UploadInput(grpc::ServerContext*, grpc::ServerReader<v1::UploadInputRequest>* reader,
                           v1::Input* input) override {
    v1::UploadInputRequest part;
    if (++uploads == 1) return {grpc::StatusCode::UNAVAILABLE, "broken"};
    while (reader->Read(&part)) {
      if (!part.sha256().empty()) name = "inputs/sha256:" + part.sha256();
    }
    input->set_name(name);
    return grpc::Status::OK;
  }
  grpc::Status GetInput(grpc::ServerContext*, const v1::GetInputRequest*, v1::Input*) override {
    return {grpc::StatusCode::NOT_FOUND, "There is no such input."};
  }
  int uploads = 0;
  std::string name;
};

// As the daemon answers a job whose input had to make room.
class ForgetfulJobs : public v1::Jobs::Service {
 public:
  grpc::Status CreateJob(grpc::ServerContext*, const v1::CreateJobRequest* request,
                         v1::Job* job) override {
    input = request->job().columns(0).uploaded().input();
    if (++calls > 1) {
      job->set_name("jobs/1");
      return grpc::Status::OK;
    }
    return ToGrpc(Status(Reason::kNotFound, "There is no input.", {{"resource_type", "input"}}));
  }
  int calls = 0;
  std::string input;
};

TEST(JobInputs, ABrokenUploadAndAnInputThatMadeRoomAreSentAgain) {
  const std::string socket =
      "unix://" + std::filesystem::temp_directory_path().string() + "/wb_" + NewRequestId();
  ForgetfulInputs inputs;
  ForgetfulJobs jobs;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(socket, grpc::InsecureServerCredentials());
  builder.RegisterService(&inputs);
  builder.RegisterService(&jobs);
  const auto server = builder.BuildAndStart();
  ASSERT_NE(server, nullptr);
  ClientOptions options;
  options.first_pause = std::chrono::milliseconds(1);
  const Result<v1::Job> job =
      CreateJob(*Client::Connect(socket, options).value(), WithColumns({9 << 20}));
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(inputs.uploads, 3);  // broken, taken, taken again
  EXPECT_EQ(jobs.calls, 2);
  EXPECT_EQ(jobs.input, inputs.name);
}

}  // namespace
}  // namespace wb
