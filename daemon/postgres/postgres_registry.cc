#include "daemon/postgres/postgres_registry.h"

#include <algorithm>

namespace wb {
namespace {

// Damage there locks a token out rather than letting it do more.
TokenRecord TokenIn(const PostgresRows& rows, int row) {
  TokenRecord token;
  token.id = rows.Text(row, 0);
  const Bytes secret = rows.Blob(row, 1);
  if (secret.size() == token.secret.bytes.size()) {
    std::copy(secret.begin(), secret.end(), token.secret.bytes.begin());
  }
  token.tenant = rows.Text(row, 2);
  token.role = RoleNamed(rows.Text(row, 3)).value_or(Role::kNone);
  token.note = rows.Text(row, 4);
  token.create_unix_ns = rows.Number(row, 5);
  token.expire_unix_ns = rows.Number(row, 6);
  return token;
}

}  // namespace

Status PostgresRegistry::Write(const PostgresQuery& query) {
  return database_->Write(
      [&query](PostgresConnection* connection) { return connection->Run(query).status(); });
}

template <typename Row, typename RowOf>
Result<std::vector<Row>> PostgresRegistry::ReadAll(const char* sql, RowOf row_of) {
  std::vector<Row> all;
  WB_TRY(database_->Read([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows, connection->Run(PostgresQuery(sql)));
    for (int i = 0; i < rows.size(); ++i) all.push_back(row_of(rows, i));
    return {};
  }));
  return all;
}

Status PostgresRegistry::AddToken(const TokenRecord& token) {
  return Write(PostgresQuery("INSERT INTO tokens(id, secret, tenant, role, note, created, expires) "
                             "VALUES($1, $2, $3, $4, $5, $6, $7)")
                   .Text(token.id)
                   .Blob(token.secret.bytes)
                   .Text(token.tenant)
                   .Text(RoleName(token.role))
                   .Text(token.note)
                   .Number(token.create_unix_ns)
                   .Number(token.expire_unix_ns));
}

Status PostgresRegistry::RemoveToken(const std::string& id) {
  return Write(PostgresQuery("DELETE FROM tokens WHERE id = $1").Text(id));
}

Result<std::vector<TokenRecord>> PostgresRegistry::Tokens() {
  return ReadAll<TokenRecord>(
      "SELECT id, secret, tenant, role, note, created, expires FROM tokens ORDER BY id", TokenIn);
}

Status PostgresRegistry::AddOwner(const OwnerRow& owner) {
  return Write(PostgresQuery("INSERT INTO owners(kind, digest, tenant) VALUES($1, $2, $3) "
                             "ON CONFLICT DO NOTHING")
                   .Text(owner.kind)
                   .Text(owner.digest)
                   .Text(owner.tenant));
}

Status PostgresRegistry::RemoveOwner(const OwnerRow& owner) {
  return Write(PostgresQuery("DELETE FROM owners WHERE kind = $1 AND digest = $2 AND tenant = $3")
                   .Text(owner.kind)
                   .Text(owner.digest)
                   .Text(owner.tenant));
}

Result<std::vector<OwnerRow>> PostgresRegistry::Owners() {
  return ReadAll<OwnerRow>("SELECT kind, digest, tenant FROM owners",
                           [](const PostgresRows& rows, int row) -> OwnerRow {
                             return {rows.Text(row, 0), rows.Text(row, 1), rows.Text(row, 2)};
                           });
}

Status PostgresRegistry::AddCordon(const CordonRow& cordon) {
  return Write(PostgresQuery("INSERT INTO cordons(device, since) VALUES($1, $2) "
                             "ON CONFLICT (device) DO UPDATE SET since = excluded.since")
                   .Text(cordon.device)
                   .Number(cordon.since_unix_ns));
}

Status PostgresRegistry::RemoveCordon(const std::string& device) {
  return Write(PostgresQuery("DELETE FROM cordons WHERE device = $1").Text(device));
}

Result<std::vector<CordonRow>> PostgresRegistry::Cordons() {
  return ReadAll<CordonRow>("SELECT device, since FROM cordons ORDER BY device",
                            [](const PostgresRows& rows, int row) -> CordonRow {
                              return {rows.Text(row, 0), rows.Number(row, 1)};
                            });
}

}  // namespace wb
