// Every method of proto/ for every role: what is allowed is what access.def says, and nothing is
// answered to those whom nobody knows.

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "client/services/tenants.h"
#include "daemon/identity/caller.h"
#include "tests/daemon/services/caller_fixture.h"
#include "tests/daemon/services/raw_call.h"
#include "wasmburst/v1/admin.pb.h"
#include "wasmburst/v1/inputs.pb.h"
#include "wasmburst/v1/session.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonAccessTest : public CallerTest {
 protected:
  // "/wasmburst.v1.Jobs/GetJob", of all services.
  static std::vector<std::string> Methods() {
    std::vector<std::string> paths;
    for (const auto* file :
         {v1::CreateModuleRequest::descriptor()->file(),
          v1::UploadInputRequest::descriptor()->file(), v1::CreateJobRequest::descriptor()->file(),
          v1::ServerInfo::descriptor()->file(), v1::Caller::descriptor()->file(),
          v1::Session::descriptor()->file()}) {
      for (int i = 0; i < file->service_count(); ++i) {
        const auto* service = file->service(i);
        for (int j = 0; j < service->method_count(); ++j) {
          paths.push_back("/" + service->full_name() + "/" + service->method(j)->name());
        }
      }
    }
    return paths;
  }
  // How the method answers an empty request.
  grpc::StatusCode Call(const std::string& path, const std::string& token) {
    return CallRaw(TokenChannel(), path, "", token).error_code();
  }
};

TEST_F(DaemonAccessTest, EachRoleMayCallWhatTheTableSays) {
  Start();
  const std::vector<std::string> methods = Methods();
  EXPECT_EQ(methods.size(), 45u);
  for (const v1::Role role : {v1::VIEWER, v1::SUBMITTER, v1::OPERATOR, v1::ADMIN}) {
    const std::string token = NewToken("shop", role);
    for (const std::string& path : methods) {
      const Role needed = RoleNeeded(path);
      ASSERT_NE(needed, Role::kNone) << path << " has no row in access.def";
      const grpc::StatusCode code = Call(path, token);
      const bool may = static_cast<int>(role) >= static_cast<int>(needed);
      EXPECT_EQ(code == grpc::StatusCode::PERMISSION_DENIED, !may)
          << path << " for " << v1::Role_Name(role) << ": " << code;
      EXPECT_NE(code, grpc::StatusCode::UNAUTHENTICATED) << path;
      EXPECT_NE(code, grpc::StatusCode::INTERNAL) << path;
      EXPECT_NE(code, grpc::StatusCode::UNKNOWN) << path;
      EXPECT_NE(code, grpc::StatusCode::UNIMPLEMENTED) << path;
    }
  }
}

TEST_F(DaemonAccessTest, NobodyIsAnsweredWhomNobodyKnows) {
  Start();
  const std::string token = NewToken("shop", v1::ADMIN);
  std::string wrong = token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& path : Methods()) {
    for (const std::string& bad : {std::string(), wrong, std::string("nonsense")}) {
      EXPECT_EQ(Call(path, bad), grpc::StatusCode::UNAUTHENTICATED) << path << " [" << bad << "]";
    }
  }
}

TEST_F(DaemonAccessTest, TokensAreListedInPages) {
  Start();
  for (int i = 0; i < 5; ++i) NewToken("shop", v1::VIEWER);
  v1::ListTokensRequest request;
  request.set_page_size(2);
  std::vector<std::string> names;
  size_t pages = 0;
  do {
    const v1::ListTokensResponse page = ListTokens(*client_, request).value();
    EXPECT_EQ(page.tokens_size(), pages < 2 ? 2 : 1);
    for (const v1::Token& token : page.tokens()) names.push_back(token.name());
    request.set_page_token(page.next_page_token());
    ++pages;
  } while (!request.page_token().empty() && pages < 10);
  EXPECT_EQ(pages, 3u);
  EXPECT_EQ(names.size(), 5u);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 5u);
  EXPECT_EQ(ListAllTokens(*client_)->tokens_size(), 5);
  // One that has gone meanwhile ends no list.
  request.set_page_token(names[1].substr(7));
  ASSERT_TRUE(RevokeToken(*client_, names[1]).ok());
  EXPECT_EQ(ListTokens(*client_, request)->tokens(0).name(), names[2]);
  for (const char* token : {"x", "0123456789abcdeg", "0123456789abcdef0"}) {
    request.set_page_token(token);
    EXPECT_EQ(ListTokens(*client_, request).status().reason(), Reason::kInvalidArgument) << token;
  }
  request.Clear();
  request.set_page_size(-1);
  EXPECT_EQ(ListTokens(*client_, request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonAccessTest, ARevokedTokenIsRefused) {
  Start();
  const std::string token = NewToken("shop", v1::VIEWER);
  EXPECT_EQ(Call("/wasmburst.v1.Tenants/GetCaller", token), grpc::StatusCode::OK);
  v1::RevokeTokenRequest request;
  request.set_name("tokens/" + token.substr(4, 16));
  google::protobuf::Empty nothing;
  const auto stub = v1::Tenants::NewStub(AdminChannel());
  EXPECT_TRUE(stub->RevokeToken(Context("").get(), request, &nothing).ok());
  EXPECT_EQ(Call("/wasmburst.v1.Tenants/GetCaller", token), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(stub->RevokeToken(Context("").get(), request, &nothing).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace wb
