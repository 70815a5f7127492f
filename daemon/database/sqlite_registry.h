#pragma once

// SqliteRegistry: a Registry in the database of the state folder (schema.h), over a connection of
// its own.

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/database.h"
#include "daemon/database/registry.h"

namespace wb {

class SqliteRegistry : public Registry {
 public:
  // Of the folder of an open store. The disk outlives the registry.
  static Result<std::unique_ptr<SqliteRegistry>> Open(const std::string& folder,
                                                      const DiskCalls& disk = SystemDisk());

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
  explicit SqliteRegistry(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Mutex mutex_;
  const std::unique_ptr<Database> database_;  // under the mutex
};

}  // namespace wb
