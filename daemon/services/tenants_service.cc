#include <google/protobuf/empty.pb.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/process/clock.h"
#include "daemon/process/log.h"
#include "daemon/services/paging.h"
#include "daemon/services/services.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/tenants.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using google::protobuf::Empty;

constexpr std::string_view kTokenNames = "tokens/";
constexpr size_t kLongestText = 1024;

// The numbers of both are the same.
v1::Role RoleToProto(Role role) { return static_cast<v1::Role>(role); }

std::optional<Role> RoleFromProto(v1::Role role) {
  if (role < v1::VIEWER || role > v1::ADMIN) return std::nullopt;
  return static_cast<Role>(role);
}

Result<v1::Caller> GetCaller(const Caller& caller) {
  v1::Caller proto;
  proto.set_name(caller.name);
  proto.set_tenant(caller.tenant);
  proto.set_role(RoleToProto(caller.role));
  return proto;
}

void CountJob(const JobInfo& job, v1::Tenant* tenant) {
  tenant->set_fuel(tenant->fuel() + job.usage.fuel);
  if (IsTerminal(job.state)) {
    tenant->set_ended_jobs(tenant->ended_jobs() + 1);
    return;
  }
  tenant->set_jobs(tenant->jobs() + 1);
  if (job.counts.running > 0) tenant->set_running_jobs(tenant->running_jobs() + 1);
}

// Those that the configuration names, and those that have jobs.
Result<v1::ListTenantsResponse> ListTenants(const ServiceContext& context) {
  const std::shared_ptr<const Config> config = context.config->Get();
  std::map<std::string, v1::Tenant> tenants;
  for (const auto& [name, settings] : config->tenants) tenants[name];
  for (const JobInfo& job : context.intake->store().List({}, "", SIZE_MAX).jobs) {
    CountJob(job, &tenants[job.request->tenant]);
  }
  v1::ListTenantsResponse response;
  for (auto& [name, tenant] : tenants) {
    const auto own = config->tenants.find(name);
    const Config::Tenant& settings =
        own == config->tenants.end() ? config->other_tenants : own->second;
    tenant.set_name(name);
    tenant.set_weight(settings.weight);
    tenant.set_max_jobs(settings.max_jobs);
    tenant.set_max_running_jobs(settings.max_running_jobs);
    tenant.set_max_memory_bytes(settings.max_memory_bytes);
    *response.add_tenants() = std::move(tenant);
  }
  return response;
}

void TokenToProto(const TokenRecord& token, v1::Token* proto) {
  proto->set_name(std::string(kTokenNames) + token.id);
  proto->set_tenant(token.tenant);
  proto->set_role(RoleToProto(token.role));
  proto->set_note(token.note);
  TimeToProto(token.create_unix_ns, proto->mutable_create_time());
  if (token.expire_unix_ns != 0) TimeToProto(token.expire_unix_ns, proto->mutable_expire_time());
}

// 0: it does not expire.
Result<int64_t> ExpiryOf(const v1::Token& token) {
  if (!token.has_expire_time()) return int64_t{0};
  const int64_t seconds = token.expire_time().seconds();
  if (seconds <= UnixNow() / 1'000'000'000) {
    return FieldError("token.expire_time", "lies in the past");
  }
  if (seconds > INT64_MAX / 1'000'000'000 - 1) {
    return FieldError("token.expire_time", "lies too far in the future; leave it out");
  }
  return seconds * 1'000'000'000;
}

Result<TokenRecord> WishOf(const v1::Token& token) {
  TokenRecord wish;
  const std::optional<Role> role = RoleFromProto(token.role());
  if (!role) return FieldError("token.role", "must be VIEWER, SUBMITTER, OPERATOR or ADMIN");
  if (token.tenant().size() > kLongestText || token.note().size() > kLongestText) {
    return FieldError("token", "has a tenant or note of more than 1,024 bytes");
  }
  // It would see the jobs of all who name no tenant.
  if (token.tenant().empty() && *role < Role::kOperator) {
    return FieldError("token.tenant", "is needed for viewers and submitters");
  }
  wish.role = *role;
  wish.tenant = token.tenant();
  wish.note = token.note();
  WB_ASSIGN(wish.expire_unix_ns, ExpiryOf(token));
  return wish;
}

Result<v1::CreateTokenResponse> CreateToken(const ServiceContext& context, const Caller& caller,
                                            const v1::CreateTokenRequest& request) {
  WB_ASSIGN(TokenRecord wish, WishOf(request.token()));
  WB_ASSIGN(Tokens::Made made, context.tokens->Make(std::move(wish)));
  Log(LogLevel::kInfo, "token_created",
      {{"token", made.token.id},
       {"tenant", made.token.tenant},
       {"role", std::string(RoleName(made.token.role))},
       {"caller", caller.name}});
  v1::CreateTokenResponse response;
  TokenToProto(made.token, response.mutable_token());
  response.set_text(std::move(made.text));
  return response;
}

Result<v1::ListTokensResponse> ListTokens(const ServiceContext& context,
                                          const v1::ListTokensRequest& request) {
  WB_ASSIGN(const size_t size, PageSize(request.page_size()));
  const std::string& after = request.page_token();
  if (!after.empty() && !IsTokenId(after)) {
    return FieldError("page_token", "was not given for this list");
  }
  const std::vector<TokenRecord> tokens = context.tokens->List(after, size + 1);
  v1::ListTokensResponse response;
  for (size_t i = 0; i < tokens.size() && i < size; ++i) {
    TokenToProto(tokens[i], response.add_tokens());
  }
  if (tokens.size() > size) response.set_next_page_token(tokens[size - 1].id);
  return response;
}

Result<Empty> RevokeToken(const ServiceContext& context, const Caller& caller,
                          const std::string& name) {
  if (!name.starts_with(kTokenNames)) return FieldError("name", "must be tokens/ID");
  const std::string id = name.substr(kTokenNames.size());
  WB_TRY(context.tokens->Revoke(id));
  Log(LogLevel::kInfo, "token_revoked", {{"token", id}, {"caller", caller.name}});
  return Empty();
}

}  // namespace

MethodTable TenantsService(ServiceContextRef context) {
  MethodTable table("wasmburst.v1.Tenants");
  table.AddUnary<v1::GetCallerRequest>(
      "GetCaller", RunOn::kCaller,
      [](const v1::GetCallerRequest&, const Call& call) { return GetCaller(call.caller); });
  table.AddUnary<v1::ListTenantsRequest>("ListTenants", RunOn::kPool,
                                         [context](const auto&) { return ListTenants(*context); });
  table.AddUnary<v1::CreateTokenRequest>(
      "CreateToken", RunOn::kPool,
      [context](const v1::CreateTokenRequest& request, const Call& call) {
        return CreateToken(*context, call.caller, request);
      });
  table.AddUnary<v1::ListTokensRequest>(
      "ListTokens", RunOn::kPool,
      [context](const v1::ListTokensRequest& request) { return ListTokens(*context, request); });
  table.AddUnary<v1::RevokeTokenRequest>(
      "RevokeToken", RunOn::kPool,
      [context](const v1::RevokeTokenRequest& request, const Call& call) {
        return RevokeToken(*context, call.caller, request.name());
      });
  return table;
}

}  // namespace wb
