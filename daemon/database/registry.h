#pragma once

// Registry: who may use what, in the database of the store (schema.h): tokens, the tenants that own
// blobs, and devices that operators have closed. Over a connection of its own; changes are few, and
// each is on the disk when its method returns.
//
// Threads: any. Errors: NOSPACE, IO_ERROR.

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/database.h"
#include "daemon/database/registry_rows.h"
#include "daemon/identity/token.h"

namespace wb {

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

  Status AddCordon(const CordonRow& cordon);  // in place of one of the device that is there
  Status RemoveCordon(const std::string& device);
  Result<std::vector<CordonRow>> Cordons();  // by device

 private:
  explicit Registry(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Mutex mutex_;
  const std::unique_ptr<Database> database_;  // under the mutex
};

}  // namespace wb
