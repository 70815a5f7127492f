#pragma once

// Registry: who may use what: tokens, the tenants that own blobs, and devices that operators have
// closed. An interface: SqliteRegistry keeps it in the state folder, PostgresRegistry in a
// database. Changes are few, and each is on the disk when its method returns.
//
// Threads: any. Errors: NOSPACE, IO_ERROR; MACHINE_FAULT: the database does not answer.

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/database/registry_rows.h"
#include "daemon/identity/token.h"

namespace wb {

class Registry {
 public:
  virtual ~Registry() = default;

  virtual Status AddToken(const TokenRecord& token) = 0;
  virtual Status RemoveToken(const std::string& id) = 0;
  virtual Result<std::vector<TokenRecord>> Tokens() = 0;

  virtual Status AddOwner(const OwnerRow& owner) = 0;  // one that is there changes nothing
  virtual Status RemoveOwner(const OwnerRow& owner) = 0;
  virtual Result<std::vector<OwnerRow>> Owners() = 0;

  // In place of one of the device that is there.
  virtual Status AddCordon(const CordonRow& cordon) = 0;
  virtual Status RemoveCordon(const std::string& device) = 0;
  virtual Result<std::vector<CordonRow>> Cordons() = 0;  // by device
};

}  // namespace wb
