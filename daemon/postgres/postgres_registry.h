#pragma once

// PostgresRegistry: a Registry in a PostgreSQL database.

#include <memory>
#include <string>
#include <vector>

#include "daemon/database/registry.h"
#include "daemon/postgres/postgres_database.h"

namespace wb {

class PostgresRegistry : public Registry {
 public:
  explicit PostgresRegistry(std::shared_ptr<PostgresDatabase> database)
      : database_(std::move(database)) {}

  Status AddToken(const TokenRecord& token) override;
  Status RemoveToken(const std::string& id) override;
  Result<std::vector<TokenRecord>> Tokens() override;
  Status AddOwner(const OwnerRow& owner) override;
  Status RemoveOwner(const OwnerRow& owner) override;
  Result<std::vector<OwnerRow>> Owners() override;
  Status AddCordon(const CordonRow& cordon) override;
  Status RemoveCordon(const std::string& device) override;
  Result<std::vector<CordonRow>> Cordons() override;

 private:
  Status Write(const PostgresQuery& query);
  template <typename Row, typename RowOf>
  Result<std::vector<Row>> ReadAll(const char* sql, RowOf row_of);

  const std::shared_ptr<PostgresDatabase> database_;
};

}  // namespace wb
