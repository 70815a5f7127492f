#include "client/services/tenants.h"

#include <algorithm>
#include <cctype>

#include "client/connection.h"

namespace wb {

namespace v1 = wasmburst::v1;

Result<v1::Caller> GetCaller(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.tenants, &v1::Tenants::Stub::GetCaller,
                          v1::GetCallerRequest());
}

Result<v1::ListTenantsResponse> ListTenants(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.tenants, &v1::Tenants::Stub::ListTenants,
                          v1::ListTenantsRequest());
}

Result<v1::CreateTokenResponse> CreateToken(Client& client, const v1::Token& token) {
  ClientConnection& connection = client.connection();
  v1::CreateTokenRequest request;
  *request.mutable_token() = token;
  v1::CreateTokenResponse response;
  ClientConnection::Call call(&connection);
  call.context.set_deadline(
      std::chrono::system_clock::now() +
      std::chrono::duration_cast<std::chrono::microseconds>(connection.options.timeout));
  const grpc::Status status = connection.tenants->CreateToken(&call.context, request, &response);
  if (!status.ok()) return connection.FailureOf(status, true).status;
  return response;
}

Result<v1::ListTokensResponse> ListTokens(Client& client, const v1::ListTokensRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.tenants, &v1::Tenants::Stub::ListTokens, request);
}

Result<v1::ListTokensResponse> ListAllTokens(Client& client) {
  v1::ListTokensRequest request;
  request.set_page_size(1000);
  v1::ListTokensResponse all;
  do {
    WB_ASSIGN(const v1::ListTokensResponse page, ListTokens(client, request));
    all.MergeFrom(page);
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  return all;
}

Status RevokeToken(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::RevokeTokenRequest request;
  request.set_name(name);
  return connection.Unary(*connection.tenants, &v1::Tenants::Stub::RevokeToken, request).status();
}

std::string RoleText(v1::Role role) {
  if (role == v1::ROLE_UNSPECIFIED) return "none";
  std::string text = v1::Role_Name(role);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace wb
