#pragma once

// Registry: who may use what, in the database of the store (schema.h, version 2): tokens, and the
// tenants that own blobs. Over a connection of its own; changes are few, and each is on the disk
// when its method returns.
//
// Threads: any. Errors: NOSPACE, IO_ERROR.

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/database.h"
#include "daemon/identity/token.h"

namespace wb {

// A tenant that uploaded what lies under the digest.
struct OwnerRow {
  std::string kind;  // "module", "input"
  std::string digest;
  std::string tenant;
  auto operator<=>(const OwnerRow&) const = default;
};

class Registry {
 public:
  // Of the folder of an open store. The disk outlives the registry.
  static Result<std::unique_ptr<Registry>> Open(const std::string& folder,
                                                const DiskCalls& disk = SystemDisk());

  Status AddToken(const TokenRecord& token);
  Status RemoveToken(const std::string& id);
  Result<std::vector<TokenRecord>> Tokens();

  Status AddOwner(const OwnerRow& owner);  // one that is there changes nothing
  Status RemoveOwner(const OwnerRow& owner);
  Result<std::vector<OwnerRow>> Owners();

 private:
  explicit Registry(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Mutex mutex_;
  const std::unique_ptr<Database> database_;  // under the mutex
};

}  // namespace wb
