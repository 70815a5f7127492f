// Errors as clients get them, and the tokens and filters of lists.

#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daemon/services/paging.h"
#include "daemon/translate/translate_status.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace wb {
namespace {

google::rpc::Status DetailsOf(const Status& status) {
  grpc::Status sent = ToGrpc(status);
  google::rpc::Status proto;
  EXPECT_TRUE(proto.ParseFromString(sent.error_details()));
  EXPECT_EQ(proto.code(), static_cast<int>(sent.error_code()));
  EXPECT_EQ(proto.message(), sent.error_message());
  return proto;
}

TEST(TranslateStatus, CarriesReasonMetadataAndField) {
  Status status(Reason::kWasmInvalid, "It is wrong.", {{"field", "module"}, {"offset", "17"}});
  google::rpc::Status proto = DetailsOf(status);
  EXPECT_EQ(proto.code(), static_cast<int>(grpc::StatusCode::INVALID_ARGUMENT));
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(proto.details(0).UnpackTo(&info));
  EXPECT_EQ(info.reason(), "WASM_INVALID");
  EXPECT_EQ(info.domain(), "wasmburst");
  EXPECT_EQ(info.metadata().at("offset"), "17");
  google::rpc::BadRequest bad;
  ASSERT_TRUE(proto.details(1).UnpackTo(&bad));
  EXPECT_EQ(bad.field_violations(0).field(), "module");
}

TEST(TranslateStatus, OtherCodesCarryTheirOwnDetail) {
  google::rpc::PreconditionFailure precondition;
  EXPECT_TRUE(DetailsOf(Status(Reason::kModuleMissing, "m", {{"resource", "x"}}))
                  .details(1)
                  .UnpackTo(&precondition));
  EXPECT_EQ(precondition.violations(0).type(), "MODULE_MISSING");
  google::rpc::RetryInfo retry;
  EXPECT_TRUE(DetailsOf(Status(Reason::kQueueFull, "q")).details(1).UnpackTo(&retry));
  EXPECT_TRUE(DetailsOf(Status(Reason::kDraining, "d")).details(1).UnpackTo(&retry));
  google::rpc::ResourceInfo resource;
  EXPECT_TRUE(DetailsOf(Status(Reason::kNotFound, "n", {{"resource", "jobs/1"}}))
                  .details(1)
                  .UnpackTo(&resource));
  EXPECT_EQ(resource.resource_name(), "jobs/1");
}

// What passes by itself, and nothing else.
TEST(TranslateStatus, RefusalsThatPassSayWhenToTryAgain) {
  int passing = 0;
  const auto expect = [&passing](Reason reason) {
    const auto delay = RetryDelay(reason);
    google::rpc::RetryInfo retry;
    const google::rpc::Status sent = DetailsOf(Status(reason, "m"));
    int found = 0;
    for (const google::protobuf::Any& any : sent.details()) {
      if (any.UnpackTo(&retry)) ++found;
    }
    EXPECT_EQ(found, delay ? 1 : 0) << ReasonName(reason);
    const bool is_unavailable = ReasonCode(reason) == Code::kUnavailable;
    EXPECT_TRUE(delay || !is_unavailable) << ReasonName(reason);
    if (!delay) return;
    ++passing;
    EXPECT_EQ(retry.retry_delay().seconds() * 1000 + retry.retry_delay().nanos() / 1'000'000,
              delay->count());
    EXPECT_TRUE(is_unavailable || ReasonCode(reason) == Code::kResourceExhausted)
        << ReasonName(reason);
  };
#define WB_ERROR(name, text, code, advice) expect(Reason::k##name);
#include "compiler/base/errors.def"
#undef WB_ERROR
  EXPECT_EQ(passing, 7);
  EXPECT_EQ(RetryDelay(Reason::kQueueFull), std::chrono::seconds(1));
  EXPECT_EQ(RetryDelay(Reason::kNoSpace), std::chrono::seconds(30));
}

TEST(TranslateStatus, EveryReasonHasACode) {
#define WB_ERROR(name, text, code, advice) \
  EXPECT_NE(ToGrpc(Status(Reason::k##name, "m")).error_code(), grpc::StatusCode::OK) << text;
#include "compiler/base/errors.def"
#undef WB_ERROR
  EXPECT_TRUE(ToGrpc(Status()).ok());
}

TEST(TranslateStatus, LongTextsFitTheTrailer) {
  std::string umlauts;
  for (int i = 0; i < 5000; ++i) umlauts += "\xc3\xa4";
  std::vector<Detail> details;
  for (int i = 0; i < 100; ++i) details.push_back({"key" + std::to_string(i), umlauts});
  grpc::Status sent = ToGrpc(Status(Reason::kEntryPointNotFound, umlauts, details));
  EXPECT_LT(sent.error_message().size() * 3 + sent.error_details().size() * 4 / 3, 8192u);
  google::rpc::Status proto;
  EXPECT_TRUE(proto.ParseFromString(sent.error_details()));
}

TEST(Paging, FiltersAndTokens) {
  EXPECT_EQ(ParseStateFilter("").value(), 0xffu);
  EXPECT_EQ(ParseStateFilter("state = QUEUED OR state = RUNNING").value(), 5u);
  for (const char* bad :
       {"state", "state = ", "state = NONE", "x = RUNNING", "state = RUNNING AND state = QUEUED",
        "state = RUNNING OR", "state = STATE_UNSPECIFIED"}) {
    EXPECT_FALSE(ParseStateFilter(bad).ok()) << bad;
  }
  std::string id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  std::string token = MakeJobPageToken({5, id});
  EXPECT_EQ(ParseJobPageToken(token, 5).value(), id);
  EXPECT_FALSE(ParseJobPageToken(token, 4).ok());
  EXPECT_FALSE(ParseJobPageToken("5-nonsense", 5).ok());
  EXPECT_EQ(PageSize(0).value(), 100u);
  EXPECT_EQ(PageSize(5000).value(), 1000u);
  EXPECT_FALSE(PageSize(-1).ok());
}

}  // namespace
}  // namespace wb
