#pragma once

// StateHome: where the store of a test lies: a temporary folder, or a new database. The same tests
// run over both.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "daemon/postgres/postgres_state.h"
#include "tests/daemon/postgres/postgres_server.h"

namespace wb::test {

enum class StoreKind { kSqlite, kPostgres };

inline std::string StoreKindName(const testing::TestParamInfo<StoreKind>& info) {
  return info.param == StoreKind::kSqlite ? "Sqlite" : "Postgres";
}

class StateHome {
 public:
  // Why there is none here; empty: there is.
  std::string Make(StoreKind kind) {
    char folder[] = "/tmp/wb_home_XXXXXX";
    if (mkdtemp(folder) == nullptr) return "mkdtemp failed";
    folder_ = folder;
    if (kind == StoreKind::kSqlite) return "";
    std::string why_not;
    server_ = PostgresServer::Get(&why_not);
    if (server_ != nullptr) database_ = server_->NewDatabase();
    return why_not;
  }
  ~StateHome() {
    std::error_code error;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
  }

  Result<StateParts> Open() const {
    if (server_ == nullptr) return OpenStateFolder(folder_);
    return OpenPostgresState({server_->Address(database_), std::chrono::seconds(30)});
  }

  PostgresServer* server() const { return server_; }
  const std::string& database() const { return database_; }
  std::string Sql(const std::string& text) const { return server_->Sql(database_, text); }

 private:
  std::string folder_;
  PostgresServer* server_ = nullptr;
  std::string database_;
};

// With `home_` of the kind that the parameter names, or skipped with the reason.
class StateTest : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    const std::string why_not = home_.Make(GetParam());
    if (!why_not.empty()) GTEST_SKIP() << "skipped: " << why_not;
  }
  StateHome home_;
};

}  // namespace wb::test
