// Inputs over the wire: uploads, and jobs that use them.

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "client/grpc_status.h"
#include "client/services/inputs.h"
#include "client/services/jobs.h"
#include "client/services/server.h"
#include "compiler/base/digest.h"
#include "daemon/database/sqlite_registry.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/inputs.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonInputsTest : public DaemonTest {
 protected:
  static v1::Column List(const std::vector<uint32_t>& values) {
    v1::Column column;
    column.mutable_list()->set_type(v1::I32);
    for (const uint32_t value : values) column.mutable_list()->add_bits32(value);
    return column;
  }
  std::string Upload(const v1::Column& column) {
    const Result<v1::Input> input = UploadInput(*client_, *SourceOf(column));
    EXPECT_TRUE(input.ok()) << input.status().message();
    return input.ok() ? input->name() : "";
  }
  v1::CreateJobRequest Using(const std::string& input, uint64_t instances) {
    v1::CreateJobRequest request = Request("identity", instances);
    request.mutable_job()->mutable_columns(0)->mutable_uploaded()->set_input(input);
    return request;
  }
  // What the only value of each instance's result is.
  std::vector<int> ValuesOf(const std::string& job) {
    std::vector<int> values;
    v1::ReadResultsRequest read;
    read.set_name(job);
    read.set_follow(true);
    EXPECT_TRUE(ReadResults(*client_, read, [&](const v1::ReadResultsResponse& part) {
                  for (const v1::InstanceResult& result : part.results()) {
                    values.push_back(result.steps(0).values(0).i32());
                  }
                  return true;
                }).ok());
    return values;
  }
  // Sends these messages, as a client of another make may.
  grpc::Status Send(const std::vector<v1::UploadInputRequest>& messages) {
    auto stub = v1::Inputs::NewStub(
        grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    v1::Input input;
    auto writer = stub->UploadInput(&context, &input);
    for (const v1::UploadInputRequest& message : messages) {
      if (!writer->Write(message)) break;
    }
    writer->WritesDone();
    return writer->Finish();
  }
  static v1::UploadInputRequest Chunk(const std::string& data, const std::string& all) {
    v1::UploadInputRequest message;
    message.set_data(data);
    message.set_sha256(Sha256(AsBytes(all)).Hex());
    message.set_size_bytes(all.size());
    return message;
  }
};

TEST_F(DaemonInputsTest, AJobUsesAnUploadedColumn) {
  Start();
  const v1::Column column = List({7, 8, 9});
  const std::string name = Upload(column);
  EXPECT_EQ(name, "inputs/sha256:" + Sha256(AsBytes(column.SerializeAsString())).Hex());
  const v1::Input input = GetInput(*client_, name).value();
  EXPECT_EQ(input.size_bytes(), column.ByteSizeLong());
  EXPECT_EQ(input.values(), 3u);
  EXPECT_GT(input.create_time().seconds(), 0);
  const v1::Job job = CreateJob(*client_, Using(name, 3)).value();
  EXPECT_EQ(ValuesOf(job.name()), (std::vector<int>{7, 8, 9}));
  EXPECT_EQ(GetServerInfo(*client_)->inputs(), 1u);
}

TEST_F(DaemonInputsTest, AWaitingJobKeepsADeletedInput) {
  Start();
  scheduler_->Hold();
  const std::string name = Upload(List({1, 2}));
  const v1::Job job = CreateJob(*client_, Using(name, 2)).value();
  EXPECT_TRUE(DeleteInput(*client_, name).ok());
  EXPECT_EQ(DeleteInput(*client_, name).reason(), Reason::kNotFound);
  EXPECT_EQ(GetInput(*client_, name).status().reason(), Reason::kNotFound);
  EXPECT_GT(GetServerInfo(*client_)->input_bytes(), 0u);
  scheduler_->Release();
  EXPECT_EQ(ValuesOf(job.name()), (std::vector<int>{1, 2}));
  EXPECT_EQ(CreateJob(*client_, Using(name, 2)).status().reason(), Reason::kNotFound);
}

TEST_F(DaemonInputsTest, AWrongUseIsRefusedByField) {
  Start();
  const std::string name = Upload(List({1, 2, 3}));
  Status status = CreateJob(*client_, Using(name, 4)).status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("[job.columns[0].uploaded] has [3] values for [4] instances"),
            std::string::npos)
      << status.message();
  status = CreateJob(*client_, Using("inputs/sha256:12", 3)).status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("inputs/sha256:"), std::string::npos) << status.message();
  EXPECT_EQ(GetInput(*client_, "modules/sha256:" + std::string(64, '0')).status().reason(),
            Reason::kInvalidArgument);
}

TEST_F(DaemonInputsTest, AnUploadIsCheckedAtEachPart) {
  config_.max_input_bytes = 100'000;
  Start();
  const std::string whole = List({1, 2, 3}).SerializeAsString();
  EXPECT_TRUE(Send({Chunk(whole.substr(0, 5), whole), Chunk(whole.substr(5), whole)}).ok());
  const auto refused = [&](const std::vector<v1::UploadInputRequest>& messages,
                           const std::string& words) {
    const grpc::Status status = Send(messages);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << words;
    EXPECT_NE(status.error_message().find(words), std::string::npos) << status.error_message();
  };
  refused({}, "[size_bytes] is needed in the first message; none came");
  refused({Chunk(whole.substr(0, 5), whole)}, "but [5] bytes came");
  refused({Chunk(whole, whole.substr(1))}, "but more bytes came");
  refused({Chunk(whole, std::string(whole.size(), 'x'))}, "not the one announced");
  refused({Chunk("no column", "no column")}, "wasmburst.v1.Column");
  refused({Chunk("", std::string(100'001, 'x'))}, "inputs.max_bytes allows [100000]");
  v1::UploadInputRequest unnamed = Chunk(whole, whole);
  unnamed.set_sha256("");
  refused({unnamed}, "[sha256]");
  EXPECT_EQ(GetServerInfo(*client_)->inputs(), 1u);
  EXPECT_EQ(GetServerInfo(*client_)->input_bytes(), whole.size());
}

TEST_F(DaemonInputsTest, ALongPartIsRefused) {
  Start();
  const std::string whole(5 << 20, 'x');
  const grpc::Status status = Send({Chunk(whole, whole)});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("4194304"), std::string::npos) << status.error_message();
}

TEST_F(DaemonInputsTest, InputsThatNoJobUsesMakeRoom) {
  config_.max_inputs_bytes = 16'000;
  Start();
  scheduler_->Hold();
  std::vector<uint32_t> values(1000, 5);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < 5; ++i) {
    values[0] = i;
    names.push_back(Upload(List(values)));
  }
  EXPECT_EQ(GetInput(*client_, names[0]).status().reason(), Reason::kNotFound);
  EXPECT_LE(GetServerInfo(*client_)->input_bytes(), 16'000u);
  // A tenant's jobs may use half of them.
  ASSERT_TRUE(CreateJob(*client_, Using(names[3], 1000)).ok());
  ASSERT_TRUE(CreateJob(*client_, Using(names[3], 1000)).ok());
  const Status half = CreateJob(*client_, Using(names[4], 1000)).status();
  EXPECT_EQ(half.code(), Code::kResourceExhausted);
  EXPECT_NE(half.message().find("inputs.max_total_bytes [16000]"), std::string::npos)
      << half.message();
  for (uint32_t i = 5; i < 9; ++i) {
    values[0] = i;
    Upload(List(values));
  }
  EXPECT_TRUE(GetInput(*client_, names[3]).ok()) << "jobs use it";
  EXPECT_EQ(GetInput(*client_, names[4]).status().reason(), Reason::kNotFound);
  scheduler_->Release();
}

TEST_F(DaemonInputsTest, AConnectionMayHaveHalfOfItsTenantsUploads) {
  config_.max_input_uploads = 4;
  Start();
  const std::string whole = List({1}).SerializeAsString();
  auto stub = v1::Inputs::NewStub(
      grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials()));
  struct Upload {
    grpc::ClientContext context;
    v1::Input input;
    std::unique_ptr<grpc::ClientWriter<v1::UploadInputRequest>> parts;
  };
  std::array<Upload, 2> uploads;
  for (Upload& upload : uploads) {
    upload.parts = stub->UploadInput(&upload.context, &upload.input);
    upload.parts->Write(Chunk("", whole));
  }
  // One has the place of the connection, whichever came first; the other one ends.
  size_t refused = 0;
  while (uploads[refused].parts->Write(Chunk("", whole))) refused = 1 - refused;
  const grpc::Status status = uploads[refused].parts->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(RetryAfter(status), std::chrono::seconds(1));
  // Another one over the same Unix socket.
  EXPECT_TRUE(UploadInput(*client_, *SourceOf(List({1}))).ok());
  Upload& open = uploads[1 - refused];
  EXPECT_TRUE(open.parts->Write(Chunk(whole, whole)));
  open.parts->WritesDone();
  EXPECT_TRUE(open.parts->Finish().ok());
}

TEST_F(DaemonInputsTest, WhatIsKeptOfInputsThatWentIsBounded) {
  state_directory_ = folder_ + "/state";
  config_.max_inputs = 5;
  Start();
  for (uint32_t i = 0; i < 40; ++i) Upload(List({i, i + 1}));
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(state_directory_ + "/inputs")) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_LE(files, 5u);
  EXPECT_GE(files, 4u);
  client_.reset();
  daemon_.reset();
  const auto owners = SqliteRegistry::Open(state_directory_).value()->Owners().value();
  EXPECT_LE(owners.size(), 11u);
  EXPECT_GE(owners.size(), 5u);
}

}  // namespace
}  // namespace wb
