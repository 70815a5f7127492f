#include "daemon/database/sqlite_registry.h"

#include <algorithm>
#include <utility>

#include "daemon/database/schema.h"

namespace wb {
namespace {

// Damage there locks a token out rather than letting it do more.
TokenRecord TokenIn(const Statement& row) {
  TokenRecord token;
  token.id = row.Text(0);
  const Bytes secret = row.Blob(1);
  if (secret.size() == token.secret.bytes.size()) {
    std::copy(secret.begin(), secret.end(), token.secret.bytes.begin());
  }
  token.tenant = row.Text(2);
  token.role = RoleNamed(row.Text(3)).value_or(Role::kNone);
  token.note = row.Text(4);
  token.create_unix_ns = row.Int(5);
  token.expire_unix_ns = row.Int(6);
  return token;
}

}  // namespace

Result<std::unique_ptr<SqliteRegistry>> SqliteRegistry::Open(const std::string& folder,
                                                             const DiskCalls& disk) {
  const std::string path = folder + "/state.db";
  WB_ASSIGN(std::unique_ptr<Database> database, Database::Open(path, Database::Mode::kWrite, disk));
  WB_TRY(OpenSchema(database.get(), path));
  return std::unique_ptr<SqliteRegistry>(new SqliteRegistry(std::move(database)));
}

Status SqliteRegistry::AddToken(const TokenRecord& token) {
  MutexLock lock(mutex_);
  WB_ASSIGN(
      Statement statement,
      database_->Prepare("INSERT INTO tokens(id, secret, tenant, role, note, created, expires) "
                         "VALUES(?, ?, ?, ?, ?, ?, ?)"));
  statement.Bind(token.id).Bind(ByteView(token.secret.bytes)).Bind(token.tenant);
  statement.Bind(RoleName(token.role)).Bind(token.note);
  return statement.Bind(token.create_unix_ns).Bind(token.expire_unix_ns).Run();
}

Status SqliteRegistry::RemoveToken(const std::string& id) {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement statement, database_->Prepare("DELETE FROM tokens WHERE id = ?"));
  return statement.Bind(id).Run();
}

Result<std::vector<TokenRecord>> SqliteRegistry::Tokens() {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement row, database_->Prepare("SELECT id, secret, tenant, role, note, created, "
                                              "expires FROM tokens ORDER BY id"));
  std::vector<TokenRecord> tokens;
  while (true) {
    WB_ASSIGN(const bool there, row.Step());
    if (!there) return tokens;
    tokens.push_back(TokenIn(row));
  }
}

Status SqliteRegistry::AddOwner(const OwnerRow& owner) {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement statement,
            database_->Prepare("INSERT OR IGNORE INTO owners(kind, digest, tenant) "
                               "VALUES(?, ?, ?)"));
  return statement.Bind(owner.kind).Bind(owner.digest).Bind(owner.tenant).Run();
}

Status SqliteRegistry::RemoveOwner(const OwnerRow& owner) {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement statement,
            database_->Prepare("DELETE FROM owners WHERE kind = ? AND digest = ? AND tenant = ?"));
  return statement.Bind(owner.kind).Bind(owner.digest).Bind(owner.tenant).Run();
}

Result<std::vector<OwnerRow>> SqliteRegistry::Owners() {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement row, database_->Prepare("SELECT kind, digest, tenant FROM owners"));
  std::vector<OwnerRow> owners;
  while (true) {
    WB_ASSIGN(const bool there, row.Step());
    if (!there) return owners;
    owners.push_back({row.Text(0), row.Text(1), row.Text(2)});
  }
}

Status SqliteRegistry::AddCordon(const CordonRow& cordon) {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement statement,
            database_->Prepare("INSERT OR REPLACE INTO cordons(device, since) VALUES(?, ?)"));
  return statement.Bind(cordon.device).Bind(cordon.since_unix_ns).Run();
}

Status SqliteRegistry::RemoveCordon(const std::string& device) {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement statement, database_->Prepare("DELETE FROM cordons WHERE device = ?"));
  return statement.Bind(device).Run();
}

Result<std::vector<CordonRow>> SqliteRegistry::Cordons() {
  MutexLock lock(mutex_);
  WB_ASSIGN(Statement row, database_->Prepare("SELECT device, since FROM cordons ORDER BY device"));
  std::vector<CordonRow> cordons;
  while (true) {
    WB_ASSIGN(const bool there, row.Step());
    if (!there) return cordons;
    cordons.push_back({row.Text(0), row.Int(1)});
  }
}

}  // namespace wb
