// Server reflection v1: the answers, and the service over a connection.

#include "daemon/rpc/reflection.h"

#include <google/protobuf/descriptor.pb.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>
#include <set>

#include "grpc/reflection/v1/reflection.grpc.pb.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

namespace rv1 = grpc::reflection::v1;

rv1::ServerReflectionResponse Symbol(const std::string& name) {
  rv1::ServerReflectionRequest request;
  request.set_file_containing_symbol(name);
  return ReflectionAnswer(request, {});
}

std::set<std::string> FilesOf(const rv1::ServerReflectionResponse& response) {
  std::set<std::string> names;
  for (const std::string& bytes : response.file_descriptor_response().file_descriptor_proto()) {
    google::protobuf::FileDescriptorProto file;
    EXPECT_TRUE(file.ParseFromString(bytes));
    names.insert(file.name());
  }
  return names;
}

TEST(Reflection, AFileComesWithAllThatItImports) {
  const rv1::ServerReflectionResponse response = Symbol("wasmburst.v1.Inputs");
  EXPECT_EQ(FilesOf(response),
            (std::set<std::string>{"wasmburst/v1/inputs.proto", "google/protobuf/empty.proto",
                                   "google/protobuf/timestamp.proto"}));
  google::protobuf::FileDescriptorProto first;
  ASSERT_TRUE(first.ParseFromString(response.file_descriptor_response().file_descriptor_proto(0)));
  EXPECT_EQ(first.name(), "wasmburst/v1/inputs.proto");
  rv1::ServerReflectionRequest by_name;
  by_name.set_host("here");
  by_name.set_file_by_filename("wasmburst/v1/inputs.proto");
  const rv1::ServerReflectionResponse same = ReflectionAnswer(by_name, {});
  EXPECT_EQ(FilesOf(same), FilesOf(response));
  EXPECT_EQ(same.valid_host(), "here");
  EXPECT_EQ(same.original_request().file_by_filename(), "wasmburst/v1/inputs.proto");
}

TEST(Reflection, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(Symbol("wasmburst.v1.Nothing").error_response().error_code(), 5);
  rv1::ServerReflectionRequest request;
  request.set_file_by_filename("nothing.proto");
  EXPECT_EQ(ReflectionAnswer(request, {}).error_response().error_code(), 5);
  request.mutable_file_containing_extension()->set_containing_type("wasmburst.v1.Job");
  request.mutable_file_containing_extension()->set_extension_number(1);
  EXPECT_EQ(ReflectionAnswer(request, {}).error_response().error_code(), 5);
  request.set_all_extension_numbers_of_type("nothing");
  EXPECT_EQ(ReflectionAnswer(request, {}).error_response().error_code(), 5);
  request.set_all_extension_numbers_of_type("wasmburst.v1.Job");
  EXPECT_EQ(ReflectionAnswer(request, {}).all_extension_numbers_response().base_type_name(),
            "wasmburst.v1.Job");
  EXPECT_EQ(ReflectionAnswer({}, {}).error_response().error_code(), 3);
}

TEST_F(DaemonTest, ReflectionV1DescribesEveryServiceThatItLists) {
  Start();
  auto stub = rv1::ServerReflection::NewStub(
      grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  auto stream = stub->ServerReflectionInfo(&context);
  rv1::ServerReflectionRequest request;
  request.set_list_services("");
  rv1::ServerReflectionResponse response;
  ASSERT_TRUE(stream->Write(request));
  ASSERT_TRUE(stream->Read(&response));
  std::set<std::string> names;
  for (const auto& service : response.list_services_response().service()) {
    names.insert(service.name());
  }
  for (const char* name :
       {"wasmburst.v1.Admin", "wasmburst.v1.Inputs", "wasmburst.v1.Jobs", "wasmburst.v1.Modules",
        "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
  for (const std::string& name : names) {
    request.set_file_containing_symbol(name);
    ASSERT_TRUE(stream->Write(request));
    ASSERT_TRUE(stream->Read(&response));
    EXPECT_FALSE(response.has_error_response()) << name << response.error_response().DebugString();
  }
  stream->WritesDone();
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(DaemonTest, ReflectionCanBeSwitchedOff) {
  config_.reflection = false;
  Start();
  auto stub = rv1::ServerReflection::NewStub(
      grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  auto stream = stub->ServerReflectionInfo(&context);
  stream->WritesDone();
  rv1::ServerReflectionResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace wb
