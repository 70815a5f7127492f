#pragma once

// The service Tenants: who a client is for its daemon, and the tokens of others.

#include <string>

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/tenants.pb.h"

namespace wb {

Result<wasmburst::v1::Caller> GetCaller(Client& client);
Result<wasmburst::v1::ListTenantsResponse> ListTenants(Client& client);
// Not tried again: a token that was made, and whose text was lost, would stay.
Result<wasmburst::v1::CreateTokenResponse> CreateToken(Client& client,
                                                       const wasmburst::v1::Token& token);
// A page; `ListAllTokens` asks for one after the other.
Result<wasmburst::v1::ListTokensResponse> ListTokens(
    Client& client, const wasmburst::v1::ListTokensRequest& request);
Result<wasmburst::v1::ListTokensResponse> ListAllTokens(Client& client);
Status RevokeToken(Client& client, const std::string& name);  // "tokens/..."

// "submitter"; "none" where it is unspecified.
std::string RoleText(wasmburst::v1::Role role);

}  // namespace wb
