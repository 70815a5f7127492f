#include "client/grpc_status.h"

#include <google/protobuf/any.pb.h>
#include <google/rpc/error_details.pb.h>
#include <google/rpc/status.pb.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wb {
namespace {

TEST(FromGrpc, GivesDetailsInTheOrderOfTheirKeys) {
  google::rpc::ErrorInfo info;
  info.set_reason("NOT_FOUND");
  info.set_domain("wasmburst");
  const std::vector<std::string> keys = {"resource_type", "at", "resource", "maximum", "field"};
  for (const std::string& key : keys) (*info.mutable_metadata())[key] = "of " + key;
  google::rpc::Status sent;
  sent.set_code(grpc::StatusCode::NOT_FOUND);
  sent.add_details()->PackFrom(info);
  const Status got = FromGrpc(
      grpc::Status(grpc::StatusCode::NOT_FOUND, "There is none.", sent.SerializeAsString()),
      "unix:///a");
  EXPECT_EQ(got.reason(), Reason::kNotFound);
  EXPECT_EQ(got.details(), (std::vector<Detail>{{"at", "of at"},
                                                {"field", "of field"},
                                                {"maximum", "of maximum"},
                                                {"resource", "of resource"},
                                                {"resource_type", "of resource_type"}}));
}

}  // namespace
}  // namespace wb
